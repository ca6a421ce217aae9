package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Bounds of what is read and dropped behind a refusal.
const (
	lingerTimeout = 10 * time.Second
	maxLingered   = 64 << 20 // bytes of one body
	maxLingering  = 256      // requests at once
	// small bodies net/http reads by itself before it answers, and keeps the
	// connection.
	small = 256 << 10
)

// drainBody lets a client hear a refusal while it still sends: the answer goes out whole
// with "Connection: close", and what comes after it is read and dropped. A connection
// that is closed on bytes that nobody read is reset, and the answer is lost with it
// (RFC 9112, 9.6). What is dropped is bounded in bytes, in time and in how many do it at
// once; beyond that the client is cut.
func (s *Server) drainBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &followed{ReadCloser: r.Body}
		held := &refusal{ResponseWriter: w, body: body, waits: r.ContentLength >= 0 && r.ContentLength < small && !r.Close, within: s.lingerTimeout}
		r.Body = body // identify made r ours
		next.ServeHTTP(held, r)
		if held.status != 0 && held.send() == nil && r.ContentLength <= maxLingered {
			s.drop(body)
		}
	})
}

// drop reads body to its end, within the bounds.
func (s *Server) drop(body io.Reader) {
	select {
	case s.lingering <- struct{}{}:
		defer func() { <-s.lingering }()
		_, _ = io.CopyN(io.Discard, body, maxLingered) // whoever sends on is cut
	default:
	}
}

// followed is a body that knows whether it was read to its end.
type followed struct {
	io.ReadCloser
	ended bool
}

// Close leaves the body open for what is dropped; net/http closes it in the end.
func (f *followed) Close() error { return nil }

// Read implements io.Reader.
func (f *followed) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	f.ended = f.ended || errors.Is(err, io.EOF)
	return n, err
}

// refusal holds a refusal back that comes before the end of the body, so that it can
// be sent whole while the request is still open. Refusals are short.
type refusal struct {
	http.ResponseWriter
	body   *followed
	waits  bool // net/http reads the body before it answers
	within time.Duration
	status int // that is held back; 0: none
	answer bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *refusal) WriteHeader(status int) {
	refused := status >= http.StatusBadRequest && !w.body.ended
	if refused {
		// An operation may have lifted the bound of the server.
		_ = http.NewResponseController(w.ResponseWriter).SetReadDeadline(time.Now().Add(w.within))
	}
	if !refused || w.waits {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.status = status
}

// Write implements http.ResponseWriter.
func (w *refusal) Write(p []byte) (int, error) {
	if w.status == 0 {
		return w.ResponseWriter.Write(p)
	}
	return w.answer.Write(p)
}

// FlushError keeps what is held back.
func (w *refusal) FlushError() error {
	if w.status != 0 {
		return nil
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the deadlines.
func (w *refusal) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// send sends what was held back.
func (w *refusal) send() error {
	h := w.Header()
	h.Set("Connection", "close")
	h.Set("Content-Length", strconv.Itoa(w.answer.Len()))
	w.ResponseWriter.WriteHeader(w.status)
	if _, err := w.ResponseWriter.Write(w.answer.Bytes()); err != nil {
		return err
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}
