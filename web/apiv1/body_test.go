package apiv1

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
			api.E("POST /things", "things.create", perm.Public, "Create.", look, api.Timeout(2*time.Minute)),
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
