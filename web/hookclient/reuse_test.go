package hookclient

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"svc/app/hook"
)

// TestConnectionsAreReused: many endpoints of one host share connections. Of as many
// attempts at a time as there may be each needs one, and the next attempts take the same.
func TestConnectionsAreReused(t *testing.T) {
	const endpoints, rounds = 10, 20
	var opened atomic.Int64
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	srv.Start()
	defer srv.Close()
	c := client(t, Options{AllowPrivate: true})
	for range rounds {
		var all sync.WaitGroup
		for i := range hook.AtATime {
			all.Go(func() {
				if a := send(t, c, fmt.Sprint(srv.URL, "/", i%endpoints)); a.Status != http.StatusOK {
					t.Errorf("answer %+v", a)
				}
			})
		}
		all.Wait()
	}
	if n := opened.Load(); n > hook.AtATime*3/2 {
		t.Errorf("%d connections for %d attempts, %d at a time", n, rounds*hook.AtATime, hook.AtATime)
	}
}
