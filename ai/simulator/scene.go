package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"svc/ai"
)

// scene is what happens to the requests that it is for.
type scene struct {
	model, text, path string
	kind              ai.Kind
	left              int // how often; -1: for ever

	status     int
	retryAfter string
	code       string // an error code, or the form of an error
	hang, slow time.Duration
	reset      string // "connect" or "headers"
	body       string // malformed, truncated, empty, reasoning_only, huge
	refuse     bool
	late       string // the code of an error in an answer of 200
	usage      string // none, or cached=N
	say        string // the text of the answer
	fit        bool   // of say only what the schema has
}

// Play adds a scene: a line such as
//
//	429 retry-after=7 times=2 model=gpt-6-luna
//	quota
//	500 html
//	400 error-text
//	hang 40s
//	reset after=headers
//	slow 200ms
//	body malformed|truncated|empty|reasoning_only|huge
//	refuse
//	200-error 502
//	usage none|cached=900
//	say {"text":"..."}
//	fit say {"text":"..."} of which only the members count that the request asks for
//
// with selectors model=, text=, kind= and path=, and times= for how often; say takes the
// rest of the line. The newest scene that fits a request is played.
func (s *Simulator) Play(line string) error {
	sc, err := parse(line)
	if err != nil {
		return fmt.Errorf("simulator: %q: %w", line, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scenes = append(s.scenes, sc)
	return nil
}

// Clear drops all scenes and the log.
func (s *Simulator) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scenes, s.log = nil, nil
}

func parse(line string) (*scene, error) {
	sc := &scene{left: -1}
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		if words[i] == "say" {
			_, sc.say, _ = strings.Cut(line, "say ")
			return sc, nil
		}
		used, err := sc.word(words[i], next(words, i))
		if err != nil {
			return nil, err
		}
		i += used
	}
	return sc, nil
}

func next(words []string, i int) string {
	if i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// word reads one word of a scene and says whether it took the next one too.
func (sc *scene) word(w, following string) (used int, err error) {
	if name, value, ok := strings.Cut(w, "="); ok {
		return 0, sc.option(name, value)
	}
	switch w {
	case "quota":
		sc.code = "quota"
	case "html", "error-text":
		sc.code = w
	case "refuse":
		sc.refuse = true
	case "fit":
		sc.fit = true
	case "reset":
		sc.reset = "connect"
	case "body":
		sc.body = following
		return 1, nil
	case "usage":
		sc.usage = following
		return 1, nil
	case "200-error":
		sc.late = following
		return 1, nil
	case "hang":
		sc.hang, err = time.ParseDuration(following)
		return 1, err
	case "slow":
		sc.slow, err = time.ParseDuration(following)
		return 1, err
	default:
		sc.status, err = strconv.Atoi(w)
	}
	return 0, err
}

func (sc *scene) option(name, value string) (err error) {
	switch name {
	case "times":
		sc.left, err = strconv.Atoi(value)
	case "retry-after":
		sc.retryAfter = value
	case "model":
		sc.model = value
	case "text":
		sc.text = value
	case "path":
		sc.path = value
	case "kind":
		sc.kind = ai.Kind(value)
	case "code":
		sc.code = value
	case "after":
		sc.reset = value
	default:
		err = errors.New("no such option: " + name)
	}
	return err
}

// fits says whether a scene is for a request.
func (sc *scene) fits(x *exchange, q *question) bool {
	if sc.left == 0 || sc.kind != "" && sc.kind != x.vendor.kind() {
		return false
	}
	if q == nil {
		return sc.model == "" && sc.text == "" && sc.path == ""
	}
	return (sc.model == "" || sc.model == q.model) && (sc.text == "" || strings.Contains(q.text, sc.text)) && (sc.path == "" || sc.path == q.path)
}

func (s *Simulator) actFor(x *exchange, q *question) *scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sc := range slices.Backward(s.scenes) {
		if sc.fits(x, q) {
			if sc.left > 0 {
				sc.left--
			}
			return sc
		}
	}
	return nil
}

// before says whether it happens before the request is looked at.
func (sc *scene) before() bool {
	return sc.status != 0 || sc.hang != 0 || sc.reset != "" || sc.code == "quota"
}

// hugeBody is more than a client reads.
const hugeBody = 9 << 20

// play answers as the scene says.
func (sc *scene) play(x *exchange, q *question) (*http.Response, error) {
	if d := sc.hang + sc.slow; d > 0 {
		if err := x.wait(d); err != nil {
			return nil, err
		}
	}
	switch {
	case sc.reset == "connect":
		return nil, &syscallError{}
	case sc.reset != "":
		return x.response(200, "application/json", io.NopCloser(&cutOff{}), -1), nil
	case sc.status != 0 || sc.code == "quota":
		return sc.error(x), nil
	case sc.late != "":
		return x.json(200, fmt.Appendf(nil, `{"id":"gen-1","error":{"code":%s,"message":"the upstream failed"}}`, sc.late)), nil
	case sc.refuse:
		return x.json(200, x.vendor.good(q, reply{refuse: true})), nil
	case sc.body != "":
		return sc.broken(x, q), nil
	}
	r := q.reply()
	if sc.say != "" {
		r.text = sc.say
	}
	if sc.fit && q != nil {
		r.text = fitted(r.text, q.schema)
	}
	r.noUsage = sc.usage == "none"
	if n, ok := strings.CutPrefix(sc.usage, "cached="); ok {
		r.cached, _ = strconv.Atoi(n)
	}
	return x.json(200, x.vendor.good(q, r)), nil
}

// syscallError is a connection that was refused, with an address in its words.
type syscallError struct{}

func (*syscallError) Error() string { return "dial tcp 203.0.113.7:443: connection refused" }
func (*syscallError) Unwrap() error { return syscall.ECONNREFUSED }

// cutOff is a body that ends in the middle.
type cutOff struct{ sent bool }

func (c *cutOff) Read(b []byte) (int, error) {
	if c.sent {
		return 0, syscall.ECONNRESET
	}
	c.sent = true
	return copy(b, `{"id":"x","choi`), nil
}

func (sc *scene) error(x *exchange) (res *http.Response) {
	switch {
	case sc.code == "html":
		page := "<html><body><h1>Bad gateway</h1></body></html>"
		res = x.response(sc.status, "text/html", io.NopCloser(strings.NewReader(page)), int64(len(page)))
	case sc.code == "error-text":
		res = x.json(sc.status, []byte(`{"error":"model is loading"}`))
	case sc.code == "quota":
		res = x.fail(x.vendor.quota())
	default:
		res = x.fail(refusal{status: sc.status, code: sc.code, text: wordsOf(sc.code, sc.status)})
	}
	if sc.retryAfter != "" {
		res.Header.Set("Retry-After", sc.retryAfter)
	}
	return res
}

// wordsOf is what a vendor says with a code.
func wordsOf(code string, status int) string {
	switch code {
	case "too-long":
		return "This model's maximum context length is 8192 tokens: prompt is too long: the input token count exceeds it"
	case "policy":
		return "content_policy_violation"
	case "format":
		return "response_format json_schema is not supported"
	}
	return http.StatusText(status)
}

// broken is an answer that cannot be used.
func (sc *scene) broken(x *exchange, q *question) *http.Response {
	r := q.reply()
	switch sc.body {
	case "malformed":
		return x.json(200, []byte(`{"choices":[{"message":{"content":"x"`))
	case "empty":
		return x.json(200, nil)
	case "nothing":
		r.text, r.calls = "", nil
	case "truncated":
		r.text, r.truncated = r.text[:len(r.text)/2], true
	case "reasoning_only":
		r.reasoning = true
	case "huge":
		return x.response(200, "application/json", io.NopCloser(io.LimitReader(zeros{}, hugeBody)), -1)
	}
	return x.json(200, x.vendor.good(q, r))
}

// fitted keeps of an object what a schema has.
func fitted(text string, schema map[string]any) string {
	var all map[string]json.RawMessage
	fields, _ := schema["properties"].(map[string]any)
	if json.Unmarshal([]byte(text), &all) != nil || fields == nil {
		return text
	}
	for name := range all {
		if _, asked := fields[name]; !asked {
			delete(all, name)
		}
	}
	b, _ := json.Marshal(all) // it was JSON
	return string(b)
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// reply is an answer in the words of no vendor.
type reply struct {
	text                                  string
	calls                                 []string // names of tools
	arguments                             string
	refuse, truncated, reasoning, noUsage bool
	cached                                int
}

// reply answers a question: the nonce that it holds, an example of its schema, or a word.
func (q *question) reply() (r reply) {
	if q == nil {
		return reply{text: "OK"}
	}
	nonce := nonceOf(q.last)
	switch {
	case len(q.tools) > 0:
		arguments, _ := json.Marshal(map[string]string{"nonce": nonce})
		r.calls, r.arguments = q.tools[:1], string(arguments)
	case q.schema != nil:
		b, _ := json.Marshal(sample(q.schema, nonce))
		r.text = string(b)
	case q.json || strings.Contains(q.text, "JSON Schema"):
		b, _ := json.Marshal(map[string]string{"nonce": nonce})
		if i := strings.Index(q.text, "exactly, with every field:\n"); i >= 0 {
			var schema map[string]any
			if json.NewDecoder(strings.NewReader(q.text[i+len("exactly, with every field:\n"):])).Decode(&schema) == nil {
				b, _ = json.Marshal(sample(schema, nonce))
			}
		}
		r.text = string(b)
	default:
		r.text = "OK"
	}
	return r
}

// nonceOf finds the word that must come back.
func nonceOf(text string) string {
	_, rest, ok := strings.Cut(text, `"nonce":"`)
	if !ok {
		return "none"
	}
	word, _, _ := strings.Cut(rest, `"`)
	return word
}

// sample is a value that fits a schema.
func sample(schema map[string]any, nonce string) any {
	kind := schema["type"]
	if list, ok := kind.([]any); ok && len(list) > 0 {
		kind = list[0]
	}
	if list, ok := schema["enum"].([]any); ok && len(list) > 0 {
		return list[0]
	}
	switch kind {
	case "object":
		out := map[string]any{}
		fields, _ := schema["properties"].(map[string]any)
		for name, field := range fields {
			if f, ok := field.(map[string]any); ok {
				out[name] = sample(f, nonce)
			}
			if name == "nonce" {
				out[name] = nonce
			}
		}
		return out
	case "array":
		return []any{}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	}
	return "Written by the simulator."
}
