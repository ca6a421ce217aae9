package route

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Error is why the engine gave no answer, one sentence for the caller of the
// API (map contract 55.2). It names no address.
type Error struct {
	Message string
	// Unavailable tells an engine that did not answer from one that refused.
	Unavailable bool
	// Code is the engine's own number of a refusal, 0 when it gave none.
	Code int
}

func (e *Error) Error() string { return e.Message }

func unavailable(format string, args ...any) *Error {
	return &Error{Message: "routing engine unavailable: " + fmt.Sprintf(format, args...), Unavailable: true}
}

// post sends one request and returns the body of a good answer. call is the
// product's word for it ("route"), path the engine's. Identical calls at the
// same time are one; read makes of the body what all of them share.
func (c *Client) post(ctx context.Context, call, path string, request any, read func([]byte) (any, error)) (any, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, unavailable("the request could not be written: %v", err) // a NaN that somebody let through
	}
	// A hash, since a question can be 100 kB and has many callers.
	key := sha256.Sum256(append([]byte(path), body...))
	value, err := c.flights.do(ctx, string(key[:]), c.budget(), func(ctx context.Context) (any, error) {
		release, err := c.place(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		start := c.now()
		answer, err := c.exchange(ctx, call, path, body)
		var value any
		if err == nil {
			value, err = c.decode(ctx, answer, read)
		}
		// A refusal is an answer: the engine is well.
		var own *Error
		c.observe(call, err == nil || errors.As(err, &own) && !own.Unavailable, c.now().Sub(start))
		return value, err
	})
	var own *Error
	if err != nil && !errors.As(err, &own) { // the caller's own end
		err = c.broken(err)
	}
	return value, err
}

// place waits for one of the places.
func (c *Client) place(ctx context.Context) (release func(), err error) {
	places := c.enter()
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, unavailable("%d requests are being worked on and none ended within %v", cap(places), c.budget())
	}
}

// decode reads an answer when there is a core for it, unless its time is over.
func (c *Client) decode(ctx context.Context, answer []byte, read func([]byte) (any, error)) (any, error) {
	select { // place has made the channel
	case c.readers <- struct{}{}:
		defer func() { <-c.readers }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, c.broken(err)
	}
	return read(answer)
}

// maxAnswers bound what is read of an answer, by call, in bytes: 2,500 pairs are
// 100 kB, and six contours of the widest reach 3 MB. A refusal is one sentence.
var maxAnswers = map[string]int64{"route": MaxAnswer, "matrix": 4 << 20, "isochrone": 8 << 20, "trip": MaxAnswer, "match": 8 << 20, "elevation": 1 << 20}

const maxRefusal = 64 << 10

// prefixes begin the refusals of the engine, by call.
var prefixes = map[string]string{"route": "routing: ", "matrix": "matrix: ", "isochrone": "isochrone: ", "trip": "trip: ", "match": "match: ", "elevation": "elevation: "}

func (c *Client) exchange(ctx context.Context, call, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url(path), bytes.NewReader(body))
	if err != nil {
		return nil, unavailable("its address is not a web address")
	}
	req.Header.Set("Content-Type", "application/json")
	// A question changes nothing at the engine. Said so (and not sent), net/http
	// asks again when a kept connection turns out to be dead: an engine that was
	// restarted costs nobody an error.
	req.Header["Idempotency-Key"] = []string{}
	resp, err := c.client().Do(req)
	if err != nil {
		return nil, c.broken(err)
	}
	defer resp.Body.Close()
	most := maxAnswers[call]
	if resp.StatusCode != http.StatusOK {
		most = maxRefusal
	}
	answer, err := readAll(resp, most)
	switch {
	case err != nil:
		return nil, c.broken(err)
	case int64(len(answer)) > most && resp.StatusCode == http.StatusOK:
		return nil, unavailable("its answer is larger than %d MB", most>>20)
	case resp.StatusCode != http.StatusOK:
		return nil, refusal(prefixes[call], resp.StatusCode, answer)
	}
	return answer, nil
}

// readAll reads at most one byte more than an answer may have, in one piece
// when the engine says how long it is.
func readAll(resp *http.Response, most int64) ([]byte, error) {
	var b bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= most {
		b.Grow(int(n) + bytes.MinRead)
	}
	_, err := b.ReadFrom(io.LimitReader(resp.Body, most+1))
	return b.Bytes(), err
}

// broken says why there was no answer, without the address that the words of
// net/http contain.
func (c *Client) broken(err error) *Error {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return unavailable("no answer within %v", c.budget())
	case errors.Is(err, context.Canceled):
		return unavailable("the request was given up")
	case errors.Is(err, syscall.ECONNREFUSED):
		return unavailable("nobody listens at its address")
	case errors.As(err, &timeout) && timeout.Timeout():
		return unavailable("its address does not answer")
	}
	return unavailable("the connection broke off")
}

// refusal is what the engine said with a status other than 200: its message, or
// the status when it has none.
func refusal(prefix string, code int, body []byte) *Error {
	var in struct {
		Code    int    `json:"error_code"`
		Message string `json:"error"`
	}
	_ = json.Unmarshal(body, &in)
	text := oneLine(in.Message)
	if text == "" {
		text = fmt.Sprintf("HTTP %d", code)
	}
	return &Error{Message: prefix + text, Code: in.Code}
}

// maxMessage bounds the engine's words in an error, in bytes.
const maxMessage = 400

// oneLine makes foreign text fit for an error: one line, valid, bounded.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "")
	if len(s) > maxMessage {
		cut := maxMessage
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// unreadable is a 200 that is no answer of the engine.
func unreadable() *Error {
	return unavailable("its answer could not be read; is it a Valhalla of version 3.8 or later?")
}
