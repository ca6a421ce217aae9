package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/app/mapkey"
)

// refusal is the body of a refused request (map contract 55).
type refusal struct {
	Error   string       `json:"error"` // the status text
	Code    int          `json:"code"`
	Message string       `json:"message"`
	Docs    string       `json:"docs"`
	Quota   *quotaReason `json:"quota,omitempty"`
}

type quotaReason struct {
	Limit  int64     `json:"limit"`
	Used   int64     `json:"used"`
	Resets time.Time `json:"resets"`
}

// maxOriginShown bounds how much of a foreign origin a message repeats, in bytes.
const maxOriginShown = 200

// refuse answers a failed check.
func (g *Gate) refuse(w http.ResponseWriter, r *http.Request, d mapkey.Decision, now time.Time) {
	status, message := sentence(d)
	body := refusal{
		Error: http.StatusText(status), Code: status, Message: message,
		Docs: BaseURL(r, g.c.PublicURL) + "/#api-keys",
	}
	if d.Outcome == mapkey.QuotaSpent {
		body.Quota = &quotaReason{Limit: d.Quota.Limit, Used: d.Quota.Used, Resets: d.Quota.Resets}
		wait := strconv.FormatInt(secondsUntil(d.Quota.Resets, now), 10)
		h := w.Header()
		h.Set("Retry-After", wait)
		h.Set("RateLimit-Limit", strconv.FormatInt(d.Quota.Limit, 10))
		h.Set("RateLimit-Remaining", "0")
		h.Set("RateLimit-Reset", wait)
	}
	writeJSON(w, status, body)
}

// sentence is the status and the message of an outcome (map contract 55.1).
func sentence(d mapkey.Decision) (int, string) {
	switch d.Outcome {
	case mapkey.NoKey:
		return http.StatusUnauthorized, "missing API key (pass the query parameter or the header)"
	case mapkey.UnknownKey:
		return http.StatusUnauthorized, "unknown API key"
	case mapkey.DisabledKey:
		return http.StatusForbidden, "this API key is disabled"
	case mapkey.NoOrigin:
		return http.StatusForbidden, "this API key is restricted to specific origins and the request sent none"
	case mapkey.WrongOrigin:
		return http.StatusForbidden, "origin " + shorten(d.Origin) + " is not allowed for this API key"
	case mapkey.RateLimited:
		return http.StatusTooManyRequests, "rate limit exceeded"
	}
	return http.StatusTooManyRequests, fmt.Sprintf("monthly quota of %d requests exhausted; it resets on %s (UTC)",
		d.Quota.Limit, d.Quota.Resets.Format(time.DateOnly))
}

// shorten bounds an origin on a character border.
func shorten(s string) string {
	if len(s) <= maxOriginShown {
		return s
	}
	n := maxOriginShown
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// secondsUntil is at least 1, and rounded up, so that a client that waits this
// long does not come back too early.
func secondsUntil(t, now time.Time) int64 {
	left := t.Sub(now)
	return max(int64((left+time.Second-1)/time.Second), 1)
}

var (
	jsonType = []string{"application/json; charset=utf-8"}
	noStore  = []string{"no-store"}
)

// writeJSON answers with a body that nobody may store. HTML characters stay as
// they are (map contract 30).
func writeJSON(w http.ResponseWriter, status int, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil { // a year beyond 9999: a clock gone mad
		status = http.StatusInternalServerError
		b.Reset()
		b.WriteString(`{"error":"internal error"}` + "\n")
	}
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a client that has left is no error of ours
}

// BaseURL is the address under which clients reach the server, without a
// trailing slash: public when it is set, else what a proxy says in
// X-Forwarded-Proto and X-Forwarded-Host, else the request's own scheme and host
// (map contract 2). The server drops what others than trusted proxies say; forwarded
// values that are not a scheme or a host are ignored.
func BaseURL(r *http.Request, public string) string {
	if public != "" {
		return strings.TrimRight(public, "/")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if p := strings.ToLower(first(r.Header.Get("X-Forwarded-Proto"))); p == "http" || p == "https" {
		scheme = p
	}
	host := first(r.Header.Get("X-Forwarded-Host"))
	if !hostLike(host) {
		host = r.Host
	}
	if !hostLike(host) {
		host = "localhost"
	}
	return scheme + "://" + host
}

// first is the first of a comma-separated list: the client's side of several proxies.
func first(list string) string {
	one, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(one)
}

// hostLike reports whether s is a host with or without a port, as it may stand in
// a URL: names of letters, digits, '-' and '_' with single dots between, an IPv4
// address, or an IPv6 address in brackets.
func hostLike(s string) bool {
	if s == "" || len(s) > 255 {
		return false
	}
	host, port, ported := strings.Cut(s, ":")
	if s[0] == '[' {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return false
		}
		ip, err := netip.ParseAddr(s[1:end])
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return false
		}
		rest, found := strings.CutPrefix(s[end+1:], ":")
		host, port, ported = "ip", rest, found
		if !found && rest != "" {
			return false
		}
	}
	return namesHost(host) && (!ported || namesPort(port))
}

func namesPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func namesHost(s string) bool {
	for label := range strings.SplitSeq(strings.TrimSuffix(s, "."), ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for i := range len(label) {
			c := label[i]
			ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
			if !ok {
				return false
			}
		}
	}
	return true
}
