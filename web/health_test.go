package web_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"svc/web"
)

func TestHealthy(t *testing.T) {
	status := http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/health" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(status)
	}))
	defer srv.Close()
	_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	// A server that listens on every address is asked on this machine.
	for _, listen := range []string{"127.0.0.1:" + port, "0.0.0.0:" + port, ":" + port, "[::]:" + port} {
		if err := web.Healthy(t.Context(), listen); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
	status = http.StatusServiceUnavailable
	if err := web.Healthy(t.Context(), "127.0.0.1:"+port); err == nil || !strings.Contains(err.Error(), "answers 503") {
		t.Errorf("of a server that stops: %v", err)
	}
	srv.Close()
	if err := web.Healthy(t.Context(), "127.0.0.1:"+port); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("of no server: %v", err)
	}
	if err := web.Healthy(t.Context(), "nowhere"); err == nil {
		t.Error("an address without a port passes")
	}
}
