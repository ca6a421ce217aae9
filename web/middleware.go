package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	pathpkg "path"
	"runtime/debug"
	"strconv"
	"strings"
)

const requestIDHeader = "X-Request-Id"

// maxRequestID bounds an id that a client or a proxy chose.
const maxRequestID = 128

type requestIDKey struct{}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// identify gives the request an id and answers it in X-Request-Id.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if !saneRequestID(id) {
			id = newRequestID()
		}
		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

// forwarded drops what a request says of the address under which it came, unless a trusted
// proxy says it: links would lead to wherever a stranger wants (contract 21.3,
// Hosts).
func (s *Server) forwarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.trusted(r.RemoteAddr) {
			r.Header.Del("X-Forwarded-Host")
			r.Header.Del("X-Forwarded-Proto")
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) trusted(remote string) bool {
	at, err := netip.ParseAddrPort(remote)
	return err == nil && s.c.Trusted != nil && s.c.Trusted(at.Addr().Unmap().WithZone(""))
}

// saneRequestID accepts 1 to 128 characters of printable ASCII without the space, 0x21
// to 0x7e (contract 1.2). Whoever writes
// one into something else than a header quotes it.
func saneRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		if id[i] < '!' || id[i] > '~' {
			return false
		}
	}
	return true
}

func newRequestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24: it ends the process instead
	return hex.EncodeToString(b[:])
}

// maxLoggedPath bounds the path in a log line; real ones are under 60 bytes.
const maxLoggedPath = 200

// observe writes the access line and the figures of a request. The query
// string is left out: it may hold a key, and what people search for is theirs.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.drain.enter()()
		// Kept from before the gate, which may rewrite the request.
		method, path, start := r.Method, r.URL.Path, s.c.Clock()
		rec := &recorder{ResponseWriter: w}
		defer func() {
			took := max(s.c.Clock().Sub(start), 0)
			s.c.Metrics.request(productLabel(path), rec.code(), took)
			s.c.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("method", clip(method, 16)),
				slog.String("path", loggedPath(path)),
				slog.Int("status", rec.code()),
				slog.Int64("bytes", rec.bytes),
				slog.Float64("ms", float64(took.Microseconds())/1000),
				slog.String("remote", remoteHost(r.RemoteAddr)),
			)
		}()
		next.ServeHTTP(rec, r)
	})
}

// loggedPath is a path as the log shows it. A client that escapes the "?" puts
// its whole query, key and all, into the path; no path of this service holds any
// of the characters that a query is made of, so the rest is left out from there.
// A segment that has the shape of a generated key is hidden, and so is one that is
// a token: the link of a person's opt-out works without any other secret.
func loggedPath(path string) string {
	if i := strings.IndexAny(path, "?&=;"); i >= 0 {
		path = path[:i] + "..."
	}
	path = withoutPathKey(path)
	for segment := range strings.SplitSeq(path, "/") {
		if keyShaped(segment) || tokenShaped(segment) {
			path = strings.ReplaceAll(path, segment, "(hidden)")
		}
	}
	return clip(path, maxLoggedPath)
}

// withoutPathKey hides the key of a path that holds one (map contract 59.1), however
// the path is written: what the gate would read as the key is what stands behind
// "k" in the clean path.
func withoutPathKey(path string) string {
	clean := pathpkg.Clean("/" + path)
	after, ok := strings.CutPrefix(clean, "/k/")
	if !ok {
		if strings.Contains(path, "/k/") { // a key may stand where cleaning removed it
			return clean
		}
		return path
	}
	if i := strings.IndexByte(after, '/'); i >= 0 {
		return "/k/(hidden)" + after[i:]
	}
	return "/k/(hidden)"
}

// keyLength is the length of a generated key in hexadecimal digits (map contract 54.6).
const keyLength = 32

// keyShaped reports whether s begins with as many hexadecimal digits as a key has.
func keyShaped(s string) bool {
	if len(s) < keyLength {
		return false
	}
	for i := range keyLength {
		c := s[i] | 0x20 // lower case; digits stay
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// tokenLength is the length of the shortest token in a path; ids have 30 characters.
const tokenLength = 36

// tokenShaped reports whether s looks like a token: long, and of the letters that
// tokens are written in.
func tokenShaped(s string) bool {
	if len(s) < tokenLength {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; !letter && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// panicText says what a panic means. A page fault presents itself as a nil
// pointer, which sends the reader of the log the wrong way.
func panicText(p any) string {
	if _, ok := p.(interface{ Addr() uintptr }); ok {
		return "page fault: a mapped file is shorter than it was, or its disk fails"
	}
	return fmt.Sprint(p)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "..."
}

// remoteHost is the peer's address without its port. X-Forwarded-For is not
// read: anybody can send it.
func remoteHost(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return addr
}

// recover turns a panic of a handler into one 500. Page faults count too: a
// memory-mapped file that is truncated under the server faults on access, and
// SetPanicOnFault makes that a panic of this goroutine instead of the end of
// the process. (Goroutines that a handler starts must set it themselves.)
func (s *Server) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p) // the agreed way to hang up
			}
			s.c.Metrics.panics.Inc()
			s.c.Log.ErrorContext(r.Context(), "a request failed inside the server",
				"path", loggedPath(r.URL.Path), "panic", clip(panicText(p), 500), "stack", string(debug.Stack()))
			answerPanic(w)
		}()
		next.ServeHTTP(w, r)
	})
}

// answerPanic sends the 500, or hangs up when part of an answer is out: a
// client must not take that part for the whole.
func answerPanic(w http.ResponseWriter) {
	const body = `{"error":"internal error"}` + "\n"
	if rec, ok := w.(*recorder); ok && rec.status != 0 {
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	for _, name := range []string{"Content-Encoding", "ETag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = io.WriteString(w, body)
}

// recorder remembers the status and counts the bytes of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	// 1xx answers are not the answer.
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach flushing and deadlines.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// code is the status that the client sees: a handler that writes nothing
// answers 200.
func (r *recorder) code() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}
