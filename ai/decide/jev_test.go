package decide_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/ai/decide"
)

func TestJEVAnswersAreReadStrictly(t *testing.T) {
	var mu sync.Mutex // the server answers in goroutines of its own
	var status int
	var body string
	var got decide.JEVRequest
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/decide" || r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("asked %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		mu.Lock()
		code, text := status, body
		err := json.NewDecoder(r.Body).Decode(&got)
		mu.Unlock()
		if err != nil {
			t.Error(err)
		}
		if code == 0 {
			<-r.Context().Done()
			return
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	j := decide.JEV{HTTP: server.Client(), BaseURL: server.URL, Key: "key"}
	ask := func(s int, b string) (decide.JEVAnswer, error) {
		mu.Lock()
		status, body = s, b
		mu.Unlock()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		return j.Ask(ctx, &decide.JEVRequest{RequestID: "r1", Messages: []decide.JEVMessage{{Author: "CUSTOMER", Text: "Narxi?"}}})
	}
	a, err := ask(200, `{"request_id":"r1","model_version":"v7","fields":{"intent":{"value":"PRICE","probability":0.9},"stop":{"value":false,"probability":0.99},
		"interest":{"value":7,"probability":1},"handoff":{"value":"no","probability":1.5},"booking":"x"}}`)
	if err != nil || a.ModelVersion != "v7" || len(a.Fields) != 2 || a.Fields[decide.Stop] != (decide.Answer{Value: decide.No, Confidence: 0.99}) {
		t.Fatalf("%+v, %v", a, err)
	}
	if len(got.Messages) != 1 || got.Messages[0].Text != "Narxi?" {
		t.Errorf("the service was asked %+v", got)
	}
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"an error":         {500, "{}"},
		"a redirect":       {302, ""},
		"no JSON":          {200, "<html>"},
		"another request":  {200, `{"request_id":"r2","fields":{}}`},
		"an endless one":   {200, `{"request_id":"` + strings.Repeat("x", 70_000)},
		"nothing in time":  {0, ""},
		"fields of a list": {200, `{"request_id":"r1","fields":[]}`},
	} {
		if a, err := ask(c.status, c.body); err == nil {
			t.Errorf("%s was read as %+v", name, a)
		} else if !errors.Is(err, decide.ErrJEV) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
