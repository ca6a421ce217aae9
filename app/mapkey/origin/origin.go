// Package origin is where a request of the map comes from, and the allowlists of keys that
// it is held against (map contract 54.4).
package origin

import (
	"net/url"
	"strconv"
	"strings"
)

// Of is where a request comes from, as the allowlist sees it (map contract 54.4): the
// Origin header unless it is empty or "null", else the Referer reduced to scheme://host, else nothing. Lower-cased,
// without trailing slashes; the host keeps its port.
func Of(origin, referer string) string {
	if origin != "" && origin != "null" {
		return strings.ToLower(strings.TrimRight(origin, "/"))
	}
	if referer == "" {
		return ""
	}
	u, err := url.Parse(referer)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// Allowlist is the allowlist of a key, ready to match. An empty one restricts nothing.
type Allowlist []rule

// rule is one entry.
type rule struct {
	exact  string // the entry itself; matches by equality
	any    bool   // "*"
	prefix string // "https://" of "https://*.acme.example"; empty when there is no wildcard
	apex   string // "acme.example" of "https://*.acme.example"
}

// Compile prepares an allowlist. An empty list stays empty and means
// "unrestricted"; a list of unusable entries is a restriction nobody meets.
func Compile(entries []string) Allowlist {
	rules := make(Allowlist, 0, len(entries))
	for _, e := range entries {
		rules = append(rules, compile(e))
	}
	return rules
}

// normaliseEntry is the form in which an entry is compared.
func normaliseEntry(entry string) string {
	return strings.TrimRight(strings.TrimSpace(strings.ToLower(entry)), "/")
}

func compile(entry string) rule {
	e := normaliseEntry(entry)
	r := rule{exact: e, any: e == "*"}
	if scheme, host, ok := strings.Cut(e, "://"); ok && scheme != "" {
		if apex, wild := strings.CutPrefix(host, "*."); wild && apex != "" {
			r.prefix, r.apex = scheme+"://", apex
		}
	}
	return r
}

// match reports whether a normalised, non-empty origin satisfies the rule.
func (r *rule) match(origin string) bool {
	if r.any || (r.exact != "" && r.exact == origin) {
		return true
	}
	if r.apex == "" {
		return false
	}
	host, ok := strings.CutPrefix(origin, r.prefix)
	if !ok {
		return false
	}
	if host == r.apex {
		return true
	}
	sub, ok := strings.CutSuffix(host, r.apex)
	return ok && len(sub) > 1 && sub[len(sub)-1] == '.' && plainHost(sub[:len(sub)-1])
}

// plainHost refuses whatever could end the host before the apex: without it
// "https://evil.example/.acme.example" would pass for a subdomain.
func plainHost(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c == 0x7f:
			return false
		case strings.IndexByte(`/\?#@:%[]*,;"<>`, c) >= 0:
			return false
		}
	}
	return true
}

// Allows applies an allowlist. The caller has made sure that it is not empty.
func (rules Allowlist) Allows(origin string) bool {
	if origin == "" {
		return false
	}
	for i := range rules {
		if rules[i].match(origin) {
			return true
		}
	}
	return false
}

// Check says in one sentence why an allowlist entry can never match a
// browser's request, or answers "" when it can. Entries of the form
// scheme://host[:port], scheme://*.host[:port] and * are fine.
func Check(entry string) string {
	e := normaliseEntry(entry)
	shown := strconv.Quote(cut(e, 80))
	if e == "*" {
		return ""
	}
	if e == "" {
		return "an empty origin never matches; leave it out"
	}
	scheme, host, ok := strings.Cut(e, "://")
	switch {
	case !ok:
		return "origin " + shown + " never matches a browser's request: write it with its scheme, such as https://" + cut(strings.TrimPrefix(e, "//"), 80)
	case scheme == "" || strings.ContainsAny(scheme, "*/ ?#"):
		return "origin " + shown + " never matches: name one scheme, such as https"
	}
	bare := strings.TrimPrefix(host, "*.")
	switch {
	case bare == "":
		return "origin " + shown + " never matches: it has no host"
	case strings.Contains(bare, "*"):
		return "origin " + shown + " never matches: * stands only at the start of the host, as in https://*.acme.example"
	case strings.ContainsAny(bare, "/?#@"):
		return "origin " + shown + " never matches: an origin is scheme://host[:port] without a path, a query or a user name"
	case scheme == "https" && strings.HasSuffix(bare, ":443"), scheme == "http" && strings.HasSuffix(bare, ":80"):
		return "origin " + shown + " never matches: browsers leave the scheme's own port out"
	}
	return parseable(scheme, bare, shown)
}

// parseable catches what only a URL parser sees: spaces, broken brackets, ports that are no number.
func parseable(scheme, host, shown string) string {
	u, err := url.Parse(scheme + "://" + host)
	if err != nil || u.Host != host || strings.HasSuffix(host, ":") {
		return "origin " + shown + " never matches: it is not of the form scheme://host[:port]"
	}
	for i := range len(host) {
		if host[i] >= 0x80 {
			return "origin " + shown + " never matches: browsers send such a host in its ASCII form (xn--…)"
		}
	}
	return ""
}

// cut shortens s to at most n bytes on a character border and marks the cut.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
