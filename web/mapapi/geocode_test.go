package mapapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"svc/app/mapkey"
	"svc/geo/live"
)

// TestQuestionsAreCounted: the number of questions decides before anything is asked
// or charged.
func TestQuestionsAreCounted(t *testing.T) {
	for n, want := range map[int]string{
		0: "questions required", 101: "too many questions: 101, limit is 100", 5000: "too many questions: 5000",
	} {
		a := &api{Config: Config{Charge: func(*http.Request, mapkey.Product, int) (int, string) {
			t.Errorf("%d questions were charged", n)
			return 0, ""
		}}}
		body := `{"questions":[` + strings.TrimSuffix(strings.Repeat(`"a",`, n), ",") + "]}"
		w := httptest.NewRecorder()
		a.geocode(w, httptest.NewRequest(http.MethodPost, "/api/geocode", strings.NewReader(body)), nil)
		if w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d questions: %d %s", n, w.Code, w.Body)
		}
	}
	w := httptest.NewRecorder()
	long := `{"questions":["` + strings.Repeat("x", maxBatchBody) + `"]}`
	(&api{}).geocode(w, httptest.NewRequest(http.MethodPost, "/api/geocode", strings.NewReader(long)), nil)
	if w.Code != 400 {
		t.Errorf("a body of %d bytes: %d %s", len(long), w.Code, w.Body)
	}
}

// TestGetOfGeocodeIsNotServed, with a map or without.
func TestGetOfGeocodeIsNotServed(t *testing.T) {
	h := New(Config{Map: live.New("", 0, false, nil, nil)})
	for method, want := range map[string]int{"GET": 404, "HEAD": 404, "POST": 503} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/api/geocode", strings.NewReader(`{"questions":["a"]}`)))
		if w.Code != want || want == 404 && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Error(fmt.Sprint(method, " ", w.Code, " ", w.Header()))
		}
	}
}
