package webtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/messenger/messengertest"
	"svc/web/webtest/compare"
	"svc/web/webtest/fakes"
)

// slowest is how long any answer may take: what an operation may (api.DefaultTimeout).
// A sign-in makes a key, which takes seconds under the race detector.
const slowest = 30 * time.Second

// runner plays one story.
type runner struct {
	t      *testing.T
	file   string
	server *Server
	visits *Visits
	keys   string // every key file the story had, to look for keys in the log
	names  *names
	people people
	last   *step // the request before

	receiver *fakes.Receiver
	streams  map[string]*stream
	proxies  map[string]*messengertest.Proxy
	read     int      // messages of the simulator's log that the story has seen
	patient  bool     // the next request is asked until its answer is as written
	trial    bool     // failures are only noted
	noted    []string // them
}

func (r *runner) part(p *part) {
	switch {
	case p.action != "":
		r.act(p)
	case p.step != nil:
		patient := r.patient
		r.patient = false
		if !patient || !r.untilRight(p.step) {
			r.step(p.step)
		}
		r.last = p.step
	}
}

func (r *runner) act(p *part) {
	name, arg, _ := strings.Cut(p.action, " ")
	switch name {
	case "keys":
		r.keys += arg
	case "as":
		r.people.now = strings.TrimSpace(arg)
		return
	case "again":
		r.again(p, arg)
		return
	case "eventually":
		r.patient = true
		return
	}
	arg, unknown := r.names.reveal(strings.TrimSpace(arg))
	if unknown != "" {
		r.t.Fatalf("%s:%d: nothing has the name %s yet", r.file, p.line, unknown)
	}
	told, err := r.outside(name, arg, p.told)
	if !told {
		err = r.server.Act(name, arg)
	}
	if err == nil && !told && p.told.body != "" {
		err = fmt.Errorf("it tells nothing")
	}
	if err != nil {
		r.t.Fatalf("%s:%d: ! %s: %v", r.file, p.line, p.action, err)
	}
}

// again asks the last request some times more; only the status is compared.
func (r *runner) again(p *part, arg string) {
	n, err := strconv.Atoi(strings.TrimSpace(arg))
	if err != nil || r.last == nil {
		r.t.Fatalf("%s:%d: ! again N stands behind a request", r.file, p.line)
	}
	for range n {
		once := *r.last
		once.headers, once.body = nil, compare.Elision
		r.step(&once)
		if once.status != r.last.status {
			r.t.Fatalf("%s:%d: again, but the status was %d", r.file, p.line, once.status)
		}
	}
}

func (r *runner) failed(st *step, format string, args ...any) {
	r.t.Helper()
	if r.trial {
		r.noted = append(r.noted, fmt.Sprintf(format, args...))
		return
	}
	r.t.Errorf("%s:%d: %s\n\t%s", r.file, st.line, st.request[0], fmt.Sprintf(format, args...))
}

// step asks, checks what must always hold, and compares with the story.
func (r *runner) step(st *step) {
	req, err := r.request(st)
	if err != nil {
		r.t.Fatalf("%s:%d: %v", r.file, st.line, err)
	}
	if st.status == left {
		r.leave(st, req)
		return
	}
	begin := time.Now()
	resp, err := r.server.Client.Do(req)
	if err != nil {
		r.failed(st, "no answer: %v", err)
		return
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		r.failed(st, "the answer broke off: %v", err)
		return
	}
	if took := time.Since(begin); took > slowest {
		r.failed(st, "took %v", took)
	}
	r.visits.add(req, resp.StatusCode, body)
	r.people.remember(resp)
	for _, broken := range always(req, resp, body) {
		r.failed(st, "%s", broken)
	}
	if what := r.undeclared(req, resp, body); what != "" {
		r.failed(st, "%s", what)
	}
	if resp.StatusCode != st.status {
		if !r.updating() {
			r.failed(st, "status %d, want %d: %s", resp.StatusCode, st.status, clip(body))
		} else {
			st.status = resp.StatusCode
		}
	}
	r.compareHeaders(st, resp.Header)
	r.compareBody(st, resp, body)
}

var reference = regexp.MustCompile(`\{([nwr])([0-9]+)\}`)

// request builds the request: ids of entries filled in, other text escaped.
func (r *runner) request(st *step) (*http.Request, error) {
	method, target, ok := strings.Cut(st.request[0], " ")
	if !ok {
		return nil, fmt.Errorf("write \"> METHOD /path\"")
	}
	var unknown error
	target = reference.ReplaceAllStringFunc(target, func(ref string) string {
		id, ok := r.server.EntryID(ref[1:2], ref[2:len(ref)-1])
		if !ok {
			unknown = fmt.Errorf("the map has no %s", ref)
		}
		return strconv.FormatUint(uint64(id), 10)
	})
	if unknown != nil {
		return nil, unknown
	}
	target, missing := r.names.reveal(target)
	rest, missing2 := r.names.reveal(strings.Join(st.request[1:], "\n"))
	if missing += missing2; missing != "" {
		return nil, fmt.Errorf("nothing has the name %s yet", missing)
	}
	headers, body, _ := strings.Cut(rest, "\n\n")
	if strings.HasPrefix(headers, "\n") { // no headers at all
		headers, body = "", strings.TrimPrefix(headers, "\n")+body
	}
	body, err := compare.Form(&headers, compare.MakeContents(body))
	if err != nil {
		return nil, err
	}
	body = r.server.signRequests(body)
	req, err := http.NewRequestWithContext(context.Background(), method, r.server.URL+escape(target), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for l := range strings.SplitSeq(headers, "\n") {
		if name, value, ok := strings.Cut(l, ":"); ok {
			req.Header.Set(name, signBody(strings.TrimSpace(value), body))
		}
	}
	if _, typed := req.Header["Content-Type"]; !typed && body != "" && strings.HasPrefix(target, "/api/v1/") {
		req.Header.Set("Content-Type", "application/json") // what every client says; a story may say otherwise
	}
	r.people.sign(req, r.server.origin())
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	return req, nil
}

// escape writes what a browser would: bytes outside ASCII and what cannot stand
// in a request line. Percent signs stay: a story may be written escaped.
func escape(target string) string {
	var b strings.Builder
	for i := range len(target) {
		if c := target[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' || c == '#' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// always are the rules that every answer obeys (map contract 30; the server's X-Request-Id).
func always(req *http.Request, resp *http.Response, body []byte) (broken []string) {
	h := resp.Header
	if h.Get("X-Request-Id") == "" {
		broken = append(broken, "no X-Request-Id")
	}
	path := req.URL.Path
	if strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/api/v1") || path == "/health" {
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, POST, OPTIONS", "Access-Control-Allow-Headers": "Content-Type, Range",
		} {
			if got := h.Get(name); got != want {
				broken = append(broken, fmt.Sprintf("%s is %q, want %q", name, got, want))
			}
		}
	}
	// That of a support session's link leads to the console, without the link's token.
	// Consent pages return to a path of the console, without the code that they gave.
	consent := (strings.HasPrefix(path, "/api/v1/channels/") || strings.HasSuffix(path, "/oauth/callback")) && strings.HasPrefix(h.Get("Location"), "/") && !strings.Contains(h.Get("Location"), "code=")
	if at := h.Get("Location"); at != "" && !consent && (path != "/api/v1/support/enter" || strings.Contains(at, "?")) {
		broken = append(broken, "a redirect repeats the key of the request")
	}
	if req.Method == http.MethodHead && len(body) > 0 {
		broken = append(broken, "HEAD has a body")
	}
	if strings.HasPrefix(h.Get("Content-Type"), "application/json") {
		if got := h.Get("Content-Type"); got != "application/json; charset=utf-8" {
			broken = append(broken, "Content-Type is "+got)
		}
		for _, escaped := range []string{`\u003c`, `\u003e`, `\u0026`} {
			if bytes.Contains(body, []byte(escaped)) {
				broken = append(broken, "HTML characters are escaped: "+escaped)
			}
		}
		if took := tookMS.FindSubmatch(body); bytes.Contains(body, []byte(`"took_ms"`)) && took == nil {
			broken = append(broken, "took_ms is no number with at most two decimals")
		}
	}
	return broken
}

var tookMS = regexp.MustCompile(`"took_ms":([0-9]+(?:\.[0-9]{1,2})?)[,}]`)

func (r *runner) compareHeaders(st *step, got http.Header) {
	for i, want := range st.headers {
		values := got.Values(want.name)
		switch text := strings.Join(values, ", "); {
		case want.absent && values != nil:
			r.failed(st, "header %s: %s must not be there", want.name, text)
		case want.absent || want.value == r.names.hide(text) || want.value == compare.Elision && values != nil:
		case r.updating() && values != nil:
			st.headers[i].value = r.names.hide(text)
		default:
			r.failed(st, "header %s is %q, want %q", want.name, text, want.value)
		}
	}
}

func (r *runner) compareBody(st *step, resp *http.Response, body []byte) {
	if st.body == compare.Elision && len(body) > 0 {
		if got, err := compare.ParseJSON(string(body)); err == nil {
			r.named(got) // what is not written has a name too
		}
		return
	}
	if len(body) == 0 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		r.compareText(st, compare.Readable(resp.Header.Get("Content-Type"), body))
		return
	}
	r.compareJSON(st, body)
}

func (r *runner) compareText(st *step, text string) {
	got := r.names.hide(text)
	switch {
	case got == compare.Unindent(st.body):
	case r.updating():
		st.body = compare.Indent(got)
	default:
		r.failed(st, "the answer is\n%s\nwant\n%s", clip([]byte(got)), compare.Unindent(st.body))
	}
}

func (r *runner) compareJSON(st *step, body []byte) {
	got, err := compare.ParseJSON(string(body))
	if err != nil {
		r.failed(st, "the answer is no JSON: %v in %s", err, clip(body))
		return
	}
	r.server.stable(got)
	r.named(got)
	if st.view != nil {
		got = got.Seen(st.view)
	}
	want, err := compare.ParseJSON(compare.Expand(st.body))
	if err == nil {
		if d := compare.Differ(want, got, ""); d == "" {
			return
		} else if !r.updating() {
			r.failed(st, "%s\nthe answer is\n%s", d, got.Print(""))
		}
	} else if !r.updating() {
		r.failed(st, "the expected answer is no JSON: %v\nthe answer is\n%s", err, got.Print(""))
	}
	if r.updating() {
		st.body = got.Print("")
	}
}

// updating says whether the story is written again.
func (r *runner) updating() bool { return *update && !r.trial }

// finish looks for what must not be in the log: keys and what people asked for.
func (r *runner) finish() {
	log := r.server.Log()
	for _, key := range keysIn(r.keys) {
		if strings.Contains(log, key) {
			r.t.Errorf("%s: the key %q stands in the log", r.file, key)
		}
	}
	for name, value := range r.names.value {
		if secret.MatchString(name) && strings.Contains(log, value) {
			r.t.Errorf("%s: #%s stands in the log", r.file, name)
		}
	}
}

// inside looks for what the server did not expect, however the story ended. With @faults
// a story is about just that, and the log must tell.
func (r *runner) inside() {
	log := r.server.Log()
	if strings.Contains(log, "failed inside the server") != r.server.o.Faults {
		r.t.Errorf("%s: a request failed inside the server, or should have:\n%s", r.file, log)
	}
	if r.server.o.Faults && !strings.Contains(log, `"error":"reading: `+errCause.Error()) {
		r.t.Errorf("%s: the log does not say why an operation failed:\n%s", r.file, log)
	}
}

// secret are the names of what nobody but its owner may see.
var secret = regexp.MustCompile(`^(svck|svcat|whsec|totp|token)[0-9]`)

var keyMember = regexp.MustCompile(`"key"\s*:\s*"([^"]+)"`)

func keysIn(file string) (keys []string) {
	for _, m := range keyMember.FindAllStringSubmatch(file, -1) {
		keys = append(keys, m[1])
	}
	return keys
}

func clip(b []byte) string {
	const most = 2000
	if len(b) > most {
		return string(b[:most]) + compare.Elision
	}
	return string(b)
}
