// Package simulator speaks the wire of the providers of language models, and of an outside
// decision service, without one: an http.RoundTripper that takes the place of the network.
//
// It promises to be strict where the real ones are: the header of the key, fields that
// nobody knows, a missing max_tokens, roles that do not alternate, schemas beyond the
// subset. Its errors stand in each vendor's own envelope. Scenes make it fail as the real
// ones do, and a log of requests, without their texts, lets tests count attempts. It
// reaches nobody.
package simulator

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"svc/ai"
)

// Simulator is a network of providers. Safe for concurrent use.
type Simulator struct {
	mu     sync.Mutex
	scenes []*scene
	log    []Request
}

// Request is a line of the log.
type Request struct {
	Kind   ai.Kind
	Host   string
	Path   string
	Model  string
	Status int // 0: none was given
	// Header are the names of what was sent.
	Header []string
}

// New makes a simulator where everything works.
func New() *Simulator { return &Simulator{} }

// Log are the requests until now.
func (s *Simulator) Log() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

// maxRequest bounds what is read of a request.
const maxRequest = 16 << 20

// RoundTrip implements http.RoundTripper.
func (s *Simulator) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		b, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return nil, err
		}
		body = b
	}
	x := &exchange{s: s, r: r, body: body, vendor: vendorOf(r)}
	res, err := x.answer()
	line := Request{Kind: x.vendor.kind(), Host: r.URL.Host, Path: r.URL.Path, Model: x.model}
	for name := range r.Header {
		line.Header = append(line.Header, name)
	}
	if res != nil {
		line.Status = res.StatusCode
	}
	s.mu.Lock()
	s.log = append(s.log, line)
	s.mu.Unlock()
	return res, err
}

// exchange is one request and its answer.
type exchange struct {
	s      *Simulator
	r      *http.Request
	body   []byte
	vendor vendor
	model  string
}

// answer plays the scene of the request, else answers well.
func (x *exchange) answer() (*http.Response, error) {
	q, refusal := x.vendor.read(x)
	if q != nil {
		x.model = q.model
	}
	act := x.s.actFor(x, q)
	if act != nil && act.before() {
		return act.play(x, q)
	}
	if refusal != nil {
		return x.fail(*refusal), nil
	}
	if act != nil {
		return act.play(x, q)
	}
	return x.json(200, x.vendor.good(q, q.reply())), nil
}

// question is what any vendor's request asks.
type question struct {
	model     string
	path      string // "generate", "embed", "models"
	text      string // of everything that people wrote, for scenes
	last      string // what was said last
	schema    map[string]any
	json      bool // JSON without a schema
	tools     []string
	texts     []string // of an embedding
	dims      int
	maxTokens int
	stop      []string
}

// refusal is an error in the words of no vendor.
type refusal struct {
	status     int
	code, text string
}

// fail is an error in the vendor's envelope.
func (x *exchange) fail(f refusal) *http.Response { return x.json(f.status, x.vendor.bad(f)) }

func (x *exchange) json(status int, body []byte) *http.Response {
	return x.response(status, "application/json", io.NopCloser(bytes.NewReader(body)), int64(len(body)))
}

func (x *exchange) response(status int, contentType string, body io.ReadCloser, size int64) *http.Response {
	return &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {contentType}, "X-Request-Id": {"req_1"}}, Body: body, ContentLength: size, Request: x.r,
	}
}

// wait waits, unless the request ends first.
func (x *exchange) wait(d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-x.r.Context().Done():
		return x.r.Context().Err()
	}
}

// vendorOf tells vendors apart by the form of their requests.
func vendorOf(r *http.Request) vendor {
	switch {
	case strings.HasSuffix(r.URL.Path, "/v1/decide"):
		return jevWire{}
	case strings.Contains(r.URL.Path, "/v1beta/"):
		return googleWire{}
	case strings.HasSuffix(r.URL.Path, "/v1/messages"), r.Header.Get("anthropic-version") != "":
		return anthropicWire{}
	}
	return openAIWire{}
}
