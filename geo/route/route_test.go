package route

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// engine is a fake that speaks the engine's status call.
func engine(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestStatusReadsTheAnswer(t *testing.T) {
	tests := []struct {
		name, body string
		code       int
		version    string
		data       time.Time
		ok         bool
	}{
		{"recorded shape", `{"version":"3.9.1","tileset_last_modified":1795568400,"available_actions":["route"]}`, 200, "3.9.1", time.Unix(1795568400, 0).UTC(), true},
		{"no data time", `{"version":"3.9.1","tileset_last_modified":0}`, 200, "3.9.1", time.Time{}, true},
		{"empty object", `{}`, 200, "", time.Time{}, true},
		{"odd types", `{"version":7,"tileset_last_modified":"x"}`, 200, "", time.Time{}, true},
		{"a time beyond the calendar", `{"tileset_last_modified":1e300}`, 200, "", time.Time{}, true},
		{"not the engine", `<html>hello</html>`, 200, "", time.Time{}, false},
		{"null", `null`, 200, "", time.Time{}, false},
		{"error status", `{"version":"3.9.1"}`, 500, "", time.Time{}, false},
		{"a redirect", `{}`, 302, "", time.Time{}, false},
		{"too large", `{"version":"` + strings.Repeat("x", maxStatus) + `"}`, 200, "", time.Time{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := engine(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != "/status" {
					t.Errorf("asked %s %s, want GET /status", r.Method, r.URL.Path)
				}
				if tt.code == 302 {
					w.Header().Set("Location", "/elsewhere")
				}
				w.WriteHeader(tt.code)
				_, _ = w.Write([]byte(tt.body))
			})
			c := &Client{BaseURL: s.URL + "/"}
			version, data, ok := c.Status(t.Context())
			if version != tt.version || !data.Equal(tt.data) || ok != tt.ok {
				t.Errorf("got %q, %v, %v; want %q, %v, %v", version, data, ok, tt.version, tt.data, tt.ok)
			}
		})
	}
}

func TestStatusIsCachedTenSecondsGoodOrBad(t *testing.T) {
	var calls atomic.Int64
	var up atomic.Bool
	s := engine(t, func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		if !up.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = w.Write([]byte(`{"version":"1"}`))
	})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var seen []bool
	c := &Client{
		BaseURL: s.URL, Clock: func() time.Time { return now },
		Observe: func(_ string, ok bool, _ time.Duration) { seen = append(seen, ok) },
	}
	for step, want := range []struct {
		after time.Duration
		up    bool
		ok    bool
		calls int64
	}{
		{0, false, false, 1},
		{9 * time.Second, true, false, 1}, // believed although it is up again
		{time.Second, true, true, 2},
		{9 * time.Second, false, true, 2},
		{time.Second, false, false, 3},
		{-time.Hour, true, true, 4}, // a clock set back does not freeze the answer
	} {
		now = now.Add(want.after)
		up.Store(want.up)
		if _, _, ok := c.Status(t.Context()); ok != want.ok || calls.Load() != want.calls {
			t.Errorf("step %d: ok %v after %d calls, want %v after %d", step, ok, calls.Load(), want.ok, want.calls)
		}
	}
	if len(seen) != 4 || seen[0] || !seen[1] {
		t.Errorf("observed %v", seen)
	}
}

func TestStatusJoinsQuestions(t *testing.T) {
	var calls atomic.Int64
	release := make(chan struct{})
	s := engine(t, func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		<-release
		_, _ = w.Write([]byte(`{"version":"1"}`))
	})
	c := &Client{BaseURL: s.URL}
	var group sync.WaitGroup
	var good atomic.Int64
	for range 20 {
		group.Go(func() {
			if _, _, ok := c.Status(context.Background()); ok {
				good.Add(1)
			}
		})
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, ok := c.Status(gone); ok {
		t.Error("a caller that left got an answer")
	}
	close(release)
	group.Wait()
	if good.Load() != 20 || calls.Load() > 2 {
		t.Errorf("%d good answers from %d calls, want 20 from one or two", good.Load(), calls.Load())
	}
}

func TestStatusGivesUpAfterItsBudget(t *testing.T) {
	hang := make(chan struct{})
	s := engine(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	defer close(hang)
	c := &Client{BaseURL: s.URL}
	start := time.Now()
	if _, _, ok := c.Status(t.Context()); ok {
		t.Error("an engine that hangs is reported as there")
	}
	if took := time.Since(start); took < StatusBudget || took > StatusBudget+2*time.Second {
		t.Errorf("took %v, want about %v", took, StatusBudget)
	}
}

func FuzzStatus(f *testing.F) {
	f.Add([]byte(`{"version":"3.9.1","tileset_last_modified":1795568400}`))
	f.Add([]byte(`{"tileset_last_modified":-1e400}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		s := parseStatus(body)
		if len(s.version) > maxVersion {
			t.Errorf("version of %d bytes", len(s.version))
		}
		if _, err := s.dataTime.MarshalJSON(); err != nil {
			t.Errorf("time that JSON cannot carry: %v", err)
		}
	})
}
