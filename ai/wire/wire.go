// Package wire makes the one HTTP request of a call to a provider of language models.
//
// It promises that a call is one request, that no redirect is followed, that an answer is
// read up to MaxAnswer bytes and no further, and that what it answers of a failure holds
// neither an address nor a key. It refuses addresses of the service's own network unless
// it is told that they are meant, and proxies of the environment (contract 12.4).
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"svc/ai"
)

const (
	// MaxAnswer bounds an answer, in bytes.
	MaxAnswer = 8 << 20
	// connectIn bounds connecting and the handshake.
	connectIn = 10 * time.Second
	perHost   = 64
	keepFor   = 60 * time.Second
	maxHeader = 64 << 10
)

// NewHTTP makes the client for all providers. allowPrivate lets them be in the service's
// own network, where servers of one's own models are.
func NewHTTP(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: connectIn}
	if !allowPrivate {
		// Control sees the address itself, after names were resolved and before the first
		// packet.
		dialer.Control = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return Client(&http.Transport{
		Proxy:                  nil,
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connectIn,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           4 * perHost,
		MaxIdleConnsPerHost:    perHost,
		IdleConnTimeout:        keepFor,
		MaxResponseHeaderBytes: maxHeader,
	})
}

// Client is a client over a transport that follows no redirect.
func Client(rt http.RoundTripper) *http.Client {
	return &http.Client{Transport: rt, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Call is one request.
type Call struct {
	Method, URL string
	// Header are names and values in turn.
	Header []string
	// Body becomes JSON; nil for none.
	Body any
}

// Answer is what came back, whatever its status.
type Answer struct {
	Status     int
	RetryAfter time.Duration
	RequestID  string
	Body       []byte
	// HTML: it says that it is a page, which no provider answers with.
	HTML bool
}

// Do makes the request. Its error is an *ai.Error: there is no whole answer then.
func Do(ctx context.Context, client *http.Client, c Call) (a Answer, err error) {
	var body io.Reader
	if c.Body != nil {
		b, err := json.Marshal(c.Body)
		if err != nil {
			return a, &ai.Error{Fault: ai.BadRequest, Detail: "a request that is no JSON"}
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, c.Method, c.URL, body)
	if err != nil {
		return a, &ai.Error{Fault: ai.BadRequest, Detail: "an address that is none"}
	}
	r.Header.Set("Accept", "application/json")
	if c.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(c.Header); i += 2 {
		if c.Header[i+1] != "" {
			r.Header.Set(c.Header[i], c.Header[i+1])
		}
	}
	res, err := client.Do(r)
	if err != nil {
		return a, unreached(ctx, err)
	}
	defer res.Body.Close()
	a = Answer{Status: res.StatusCode, RetryAfter: retryAfter(res.Header), RequestID: requestID(res.Header), HTML: isHTML(res.Header)}
	a.Body, err = read(res)
	if err != nil {
		e := ai.Interrupted(ctx, err, true)
		if errors.Is(err, errTooLarge) {
			e = &ai.Error{Fault: ai.BadOutput, Reached: true, Detail: "an answer larger than 8 MiB"}
		}
		e.Status, e.RequestID, e.RetryAfter = a.Status, a.RequestID, a.RetryAfter
		return a, e
	}
	return a, nil
}

// unreached is the error of a request without an answer.
func unreached(ctx context.Context, err error) error {
	e := ai.Interrupted(ctx, err, false)
	var refused *net.OpError
	if e.Fault == ai.Unavailable && errors.As(err, &refused) && errors.Is(err, ssrf.ErrProhibitedIP) {
		e.Detail = "the address is private, and the service may not call such"
	}
	return e
}

var errTooLarge = errors.New("wire: an answer that is too large")

// read reads the body within its bound. What is known of its length is made room for at
// once, up to a bound that a server cannot raise.
func read(res *http.Response) ([]byte, error) {
	if res.ContentLength > MaxAnswer {
		return nil, errTooLarge
	}
	buf := bytes.NewBuffer(make([]byte, 0, min(max(res.ContentLength, 0), 64<<10)+bytes.MinRead))
	n, err := buf.ReadFrom(io.LimitReader(res.Body, MaxAnswer+1))
	switch {
	case n > MaxAnswer:
		return nil, errTooLarge
	case err != nil:
		return nil, err
	}
	return buf.Bytes(), nil
}

// maxWait bounds what a provider may ask to wait.
const maxWait = time.Hour

// retryAfter reads how long to wait: seconds, milliseconds, or a time.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return Bound(ms / 1000)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(v, 64); err == nil && seconds > 0 {
		return Bound(seconds)
	}
	if at, err := http.ParseTime(v); err == nil {
		from := time.Now()
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			from = date // by the clock of the provider
		}
		return Bound(at.Sub(from).Seconds())
	}
	return 0
}

// Bound makes a wait of seconds that a provider asks for: none below 0, an hour at most.
func Bound(seconds float64) time.Duration {
	switch {
	case !(seconds > 0):
		return 0
	case seconds > maxWait.Seconds():
		return maxWait
	}
	return time.Duration(seconds * float64(time.Second))
}

func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Goog-Request-Id"} {
		if id := ai.Clean(h.Get(name)); id != "" {
			return id
		}
	}
	return ""
}

func isHTML(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && (kind == "text/html" || kind == "application/xhtml+xml")
}

// Page says whether an answer is a page of something between us and the provider.
func (a *Answer) Page() bool {
	return a.HTML || bytes.HasPrefix(bytes.TrimSpace(a.Body), []byte("<"))
}

// Error is the error of the answer with a fault and the provider's code.
func (a *Answer) Error(fault ai.Fault, code string) *ai.Error {
	return &ai.Error{Fault: fault, Status: a.Status, Code: ai.Clean(code), RequestID: a.RequestID, RetryAfter: a.RetryAfter, Reached: true}
}
