package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestIgnoredIsBounded: a client that sends many unknown names, or a long one, gets a
// header of at most 20 names of 64 bytes, always the same ones.
func TestIgnoredIsBounded(t *testing.T) {
	h, _ := serve(owner)
	query := "long" + strings.Repeat("g", 500) + "=1"
	for i := range 100 {
		query += fmt.Sprintf("&n%02d=1", i)
	}
	before := ""
	for range 5 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/things?"+query, strings.NewReader(`{"name":"a","other":1}`)))
		got := w.Header().Get("X-Svc-Ignored-Fields")
		names := strings.Split(got, ", ")
		if len(names) != 20 || len(names[0]) != 64 || names[1] != "n00" {
			t.Fatalf("%d names: %s", len(names), got)
		}
		if before != "" && got != before {
			t.Errorf("the same request: %s, then %s", before, got)
		}
		before = got
	}
}
