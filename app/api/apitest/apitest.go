// Package apitest runs operations for tests of one slice: through huma, so that
// decoding, bounds and the envelope count, and with a caller of the test's choice.
// Stories over the whole server are in web/webtest.
package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Server answers requests for one caller in one organization.
type Server struct {
	T testing.TB
	// As edits the call of every request before it is authorized. It begins as the
	// owner of Org.
	As  func(*api.Call)
	Org string

	db  *store.DB
	mux *http.ServeMux
	doc huma.API
}

// Slice is a part of the service with operations.
type Slice interface{ Endpoints() []api.Endpoint }

// New serves slices to the owner of a new organization.
func New(t testing.TB, db *store.DB, slices ...Slice) *Server {
	s := &Server{T: t, db: db, mux: http.NewServeMux(), Org: db.NewID("org")}
	s.doc = humago.New(s.mux, api.Config())
	for _, slice := range slices {
		api.Mount(s.doc, s.guard, slice.Endpoints())
	}
	return s
}

// ServeHTTP answers a request that came over a connection.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Call is a call as the requests make it, for functions below the operations.
func (s *Server) Call() *api.Call { return s.call(s.T.Context(), nil) }

func (s *Server) call(ctx context.Context, o api.ResponseWriter) *api.Call {
	c := api.NewCall(ctx, o)
	c.Org, c.Now, c.RequestID, c.Base, c.IP = s.Org, s.db.Now(), "req-1", "https://svc.example", "192.0.2.1"
	c.Caller = api.Caller{Kind: api.Person, ID: "usr_00000000000000000000000001", Name: "Olga", Role: perm.Owner, Perms: perm.Owner.Permissions()}
	if s.As != nil {
		s.As(c)
	}
	return c
}

func (s *Server) guard(e *api.Endpoint) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		c := s.call(ctx.Context(), response{ctx})
		c.Endpoint = e
		if err := c.Authorize(e); err != nil {
			api.Refuse(ctx, err)
			return
		}
		next(huma.WithContext(ctx, c.Context))
	}
}

// response sends what is no JSON body.
type response struct{ huma.Context }

// SetHeader sets a header; cookies add up, as they do in the server.
func (o response) SetHeader(name, value string) {
	if http.CanonicalHeaderKey(name) == "Set-Cookie" {
		o.AppendHeader(name, value)
		return
	}
	o.Context.SetHeader(name, value)
}

func (o response) Blob(b api.Blob) {
	defer b.Content.Close()
	r, w := humago.Unwrap(o.Context)
	w.Header().Set("Content-Type", b.Type)
	http.ServeContent(w, r, "", b.Modified, b.Content)
}

func (o response) Stream(st api.Stream) {
	o.SetHeader("Content-Type", "text/event-stream")
	o.SetStatus(http.StatusOK)
	st.Run(o.Context.Context(), func(frame []byte) error {
		_, err := o.BodyWriter().Write(frame)
		return err
	})
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	t      testing.TB
}

// Do makes a request: "POST /lists" and a body, which is JSON text, a value that
// becomes JSON, or nil for none. A context given through Request may end it.
func (s *Server) Do(route string, body any, headers ...string) Answer {
	s.T.Helper()
	return s.DoContext(s.T.Context(), route, body, headers...)
}

// DoContext is Do with a context; headers are names and values in turn.
func (s *Server) DoContext(ctx context.Context, route string, body any, headers ...string) Answer {
	s.T.Helper()
	method, path, _ := strings.Cut(route, " ")
	r := httptest.NewRequestWithContext(ctx, method, path, s.reader(body))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, r)
	return Answer{w.Code, w.Header(), strings.TrimSpace(w.Body.String()), s.T}
}

func (s *Server) reader(body any) io.Reader {
	switch b := body.(type) {
	case nil:
		return http.NoBody
	case string:
		return strings.NewReader(b)
	case []byte:
		return api.NewBody(b) // not copied, as in the server
	}
	data, err := json.Marshal(body)
	if err != nil {
		s.T.Fatal(err)
	}
	return bytes.NewReader(data)
}

// Want fails the test unless the answer has that status.
func (a Answer) Want(status int) Answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("status %d, want %d: %s", a.Status, status, a.Body)
	}
	return a
}

// Refused fails the test unless the answer is that error.
func (a Answer) Refused(e *api.Error) Answer {
	a.t.Helper()
	if got := a.String("error.code"); a.Status != int(e.Kind) || got != e.Code {
		a.t.Fatalf("got %d %s, want %d %s: %s", a.Status, got, e.Kind, e.Code, a.Body)
	}
	return a
}

// Into decodes the body.
func (a Answer) Into(to any) Answer {
	a.t.Helper()
	if err := json.Unmarshal([]byte(a.Body), to); err != nil {
		a.t.Fatalf("%v: %s", err, a.Body)
	}
	return a
}

// At is the value at a path such as "data.0.name", nil when there is none.
func (a Answer) At(path string) any {
	a.t.Helper()
	var v any
	a.Into(&v)
	for _, part := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[part]
		case []any:
			v = element(at, part)
		default:
			return nil
		}
	}
	return v
}

func element(list []any, index string) any {
	var i int
	if err := json.Unmarshal([]byte(index), &i); err != nil || i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// String is the text at a path, "" when there is none.
func (a Answer) String(path string) string {
	a.t.Helper()
	s, _ := a.At(path).(string)
	return s
}

// Int is the number at a path, 0 when there is none.
func (a Answer) Int(path string) int {
	a.t.Helper()
	f, _ := a.At(path).(float64)
	return int(f)
}
