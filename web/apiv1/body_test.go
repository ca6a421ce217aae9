package apiv1

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
)

// deadlines is an answer that remembers the bounds of its connection.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error  { d.read = t; return nil }
func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// TestOperationsHaveTheirTime: when its body is read, no bound of the connection ends
// an operation before its own time.
func TestOperationsHaveTheirTime(t *testing.T) {
	var w *deadlines
	var read, write time.Time
	look := func(*api.Call, createIn) (thing, error) {
		read, write = w.read, w.write
		return thing{}, nil
	}
	h := New(Config{
		Log: slog.New(slog.DiscardHandler), Clock: time.Now, Identify: func(*api.Call, session.Credential) error { return nil },
		Endpoints: []api.Endpoint{
			api.E("POST /things", "things.create", perm.Public, "Create.", look, api.Timeout(2*time.Minute), api.MaxBody(1<<20)),
		},
	})
	for _, body := range []string{`{"name":"a"}`, `{"name":"` + strings.Repeat("a", 100_000) + `"}`} {
		begin := time.Now()
		w = &deadlines{ResponseRecorder: httptest.NewRecorder(), read: begin.Add(time.Second), write: begin.Add(time.Second)}
		r := httptest.NewRequest(http.MethodPost, Prefix+"/things", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		read, write = time.Now(), time.Time{}
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK || !read.IsZero() || write.Before(begin.Add(2*time.Minute)) {
			t.Errorf("%d bytes: %d %s; reading ends %v, writing %v", len(body), w.Code, w.Body, read, write)
		}
	}
}

// slowly serves operations on a real connection and answers the raw reply to what is sent.
func slowly(t *testing.T, h http.Handler) func(parts ...string) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return func(parts ...string) string {
		t.Helper()
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		for _, p := range parts {
			if _, err := io.WriteString(conn, p); err != nil {
				t.Fatal(err)
			}
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return fmt.Sprint(resp.StatusCode, " ", code(t, read(t, resp)))
	}
}

const chunked = "POST " + Prefix + "/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"

// TestMalformedChunks are the client's mistake, not a timeout.
func TestMalformedChunks(t *testing.T) {
	ask := slowly(t, setup(t))
	for _, body := range []string{"xyz\r\n", "5\r\n{\"na\r\nQ\r\n", "2\r\n{}xx0\r\n\r\n"} {
		if got := ask(chunked, body); got != "400 invalid_json" {
			t.Errorf("%q: %s", body, got)
		}
	}
}

// stalled is a body of which a part never comes: reading waits for the deadline.
type stalled struct{ io.Reader }

func (s *stalled) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		return n, os.ErrDeadlineExceeded
	}
	return n, err
}

func (s *stalled) Close() error { return nil }

// TestSlowBodies: until a body is whole its connection has a bound, also for operations
// without one, which follows from its length: what was announced, or what arrived
// (contract 21.3, Slow bodies).
func TestSlowBodies(t *testing.T) {
	ran := false
	h := New(Config{
		Log: slog.New(slog.DiscardHandler), Clock: time.Now, Identify: func(*api.Call, session.Credential) error { return nil },
		Endpoints: []api.Endpoint{
			api.E("POST /things", "things.create", perm.Public, "Create.", func(*api.Call, createIn) (thing, error) {
				ran = true
				return thing{}, nil
			}, api.Timeout(0), api.MaxBody(20<<20)),
		},
	})
	for _, tt := range []struct {
		name               string
		announced, arrived int64
		want               time.Duration
	}{
		{"small", 100, 10, bodyTime},
		{"large", 10 << 20, 1 << 20, bodyTime + 40*time.Second},
		{"nobody knows how large", -1, 1 << 20, bodyTime + 4*time.Second},
	} {
		begin := time.Now()
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest(http.MethodPost, Prefix+"/things", &stalled{Reader: strings.NewReader(strings.Repeat(" ", int(tt.arrived)))})
		r.ContentLength = tt.announced
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(w, r)
		after := w.read.Sub(begin)
		if after < tt.want || after > tt.want+5*time.Second || w.write.Before(w.read) {
			t.Errorf("%s: reading ends after %v, want %v; writing at %v", tt.name, after, tt.want, w.write)
		}
		if got := code(t, w.Body.String()); w.Code != 503 || got != "timeout" || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", tt.name, w.Code, w.Body)
		}
	}
	if ran {
		t.Error("an operation ran whose body did not arrive")
	}
}

// TestUploadsAreWeighed: so many bytes at once, until their operations have ended; who
// finds no room is told when to come again; small bodies pass.
func TestUploadsAreWeighed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUploads()
		var leave []func()
		for range uploadsAtOnce / (64 << 20) {
			l, err := u.enter(t.Context(), 64<<20)
			if err != nil {
				t.Fatal(err)
			}
			leave = append(leave, l)
		}
		begin := time.Now()
		_, err := u.enter(t.Context(), light+1)
		if e := api.From(err); e.Kind != api.Unavailable || e.RetryAfter == 0 || time.Since(begin) != uploadWait {
			t.Errorf("no room: %v after %v", err, time.Since(begin))
		}
		if _, err := u.enter(t.Context(), light); err != nil {
			t.Errorf("a small body: %v", err)
		}
		go func() {
			<-time.After(uploadWait / 2)
			leave[0]()
		}()
		if _, err := u.enter(t.Context(), 64<<20); err != nil {
			t.Errorf("room came, and nobody saw: %v", err)
		}
	})
}

// TestPublicBodiesAreSmall (contract 21.3, Public bodies).
func TestPublicBodiesAreSmall(t *testing.T) {
	h := New(Config{
		Log: slog.New(slog.DiscardHandler), Clock: time.Now, Identify: func(*api.Call, session.Credential) error { return nil },
		Endpoints: []api.Endpoint{
			api.E("POST /auth/signup", "auth.signup", perm.Public, "Sign up.", func(*api.Call, createIn) (thing, error) { return thing{}, nil }),
		},
	})
	for size, want := range map[int]int{api.PublicMaxBody: 200, api.PublicMaxBody + 1: 413} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, Prefix+"/auth/signup", strings.NewReader(`{"name":"`+strings.Repeat("x", size-len(`{"name":""}`))+`"}`))
		r.Header.Set("Content-Type", "application/json")
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%d bytes: %d, want %d", size, w.Code, want)
		}
	}
}

// TestUnknownFieldsAreBounded: 200 are named in part, more are refused.
func TestUnknownFieldsAreBounded(t *testing.T) {
	f := setup(t)
	for n, want := range map[int]int{200: 201, 201: 422, 100_000: 422} {
		var b strings.Builder
		b.WriteString(`{"name":"a"`)
		for i := range n {
			fmt.Fprintf(&b, `,"x%d":{"y":[1]}`, i)
		}
		resp := f.do(t, "POST /things", b.String()+"}", "Authorization", "Bearer key")
		if resp.StatusCode != want {
			t.Errorf("%d fields: %d %s", n, resp.StatusCode, read(t, resp))
		}
	}
}
