package mapapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"svc/geo/route"
)

// waiting is an engine that answers nobody before it is told to.
type waiting struct {
	route.Engine
	asked   chan int // how many points
	release chan struct{}
}

func (w *waiting) Route(_ context.Context, r route.Request) (*route.Answer, error) {
	w.asked <- len(r.Points)
	<-w.release
	return nil, &route.Error{Message: "no route found"}
}

func askRoute(h http.Handler, points int) *httptest.ResponseRecorder {
	body := `{"points":[` + strings.TrimSuffix(strings.Repeat("[69.2,41.3],", points), ",") + "]}"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/route", strings.NewReader(body)))
	return w
}

// TestRoutePoints: what the engine would refuse never gets to it.
func TestRoutePoints(t *testing.T) {
	e := &waiting{asked: make(chan int, 10), release: make(chan struct{})}
	close(e.release)
	h := New(Config{Engine: e})
	if w := askRoute(h, maxPoints); w.Code != 502 || len(e.asked) != 1 {
		t.Errorf("%d points: %d %s", maxPoints, w.Code, w.Body)
	}
	<-e.asked
	for _, n := range []int{maxPoints + 1, 10_000} {
		w := askRoute(h, n)
		if want := fmt.Sprintf(`{"error":"too many points: %d, limit is 50"}`+"\n", n); w.Code != 400 || w.Body.String() != want || len(e.asked) != 0 {
			t.Errorf("%d points: %d %s, asked %d", n, w.Code, w.Body, len(e.asked))
		}
	}
}

// TestRoutingIsBounded: one request too many is answered at once, and nobody is
// refused when the others are done.
func TestRoutingIsBounded(t *testing.T) {
	e := &waiting{asked: make(chan int, 2*maxRouting), release: make(chan struct{})}
	h := New(Config{Engine: e})
	var all sync.WaitGroup
	for range maxRouting {
		all.Go(func() { askRoute(h, 2) })
		<-e.asked
	}
	refused := make(chan *httptest.ResponseRecorder, 1)
	all.Go(func() { refused <- askRoute(h, 2) })
	select {
	case w := <-refused:
		if w.Code != 502 || !strings.HasPrefix(w.Body.String(), `{"error":"routing engine unavailable: 512 requests `) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	case <-e.asked:
		t.Error("it waits with the others")
	}
	close(e.release)
	all.Wait()
	if w := askRoute(h, 2); w.Code != 502 || !strings.Contains(w.Body.String(), "no route found") {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}
