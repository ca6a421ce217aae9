package decide

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// answered is a service that answers every request alike.
type answered struct {
	status int
	body   string
}

// RoundTrip implements http.RoundTripper.
func (a answered) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// FuzzJEV: whatever the decision service answers, the result is an answer to this request
// within its bounds, or an error of ours that repeats none of it.
func FuzzJEV(f *testing.F) {
	for _, body := range []string{
		`{"request_id":"r1","model_version":"v7","fields":{"intent":{"value":"PRICE","probability":0.9},"stop":{"value":false,"probability":0.99},"satisfaction":{"value":4,"probability":1}}}`,
		`{"request_id":"r1","model_version":"` + strings.Repeat("я", 60) + `","fields":{}}`, `{"request_id":"r2"}`, `{"request_id":"r1","fields":{"intent":{"value":[],"probability":1e999},"a":null,"b":{"value":"x","probability":-1}}}`,
		`{"request_id":"r1","fields":[]}`, `null`, `[]`, ``, "<html>secret</html>", `{"request_id":"r1","fields":{"x":{"value":-0.0,"probability":0},"y":{"value":1e308,"probability":1}}}`,
	} {
		f.Add(200, body, true)
		f.Add(200, body, false)
		f.Add(500, body, false)
	}
	f.Fuzz(func(t *testing.T, status int, body string, analyse bool) {
		j := JEV{HTTP: &http.Client{Transport: answered{status, body}}, BaseURL: "https://jev.example", Key: "sk-secret"}
		q := JEVRequest{RequestID: "r1", Messages: []JEVMessage{{Author: "CUSTOMER", Text: "words of a customer"}}}
		if analyse {
			q.Task = Analyse
		}
		out, err := j.Ask(context.Background(), &q)
		if err != nil {
			if !errors.Is(err, ErrJEV) || len(err.Error()) > 200 || strings.Contains(err.Error(), "jev.example") || strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("not ours, or it says too much: %v", err)
			}
			return
		}
		if status != http.StatusOK || out.RequestID != q.RequestID || len(out.ModelVersion) > maxJEVVersion || !utf8.ValidString(out.ModelVersion) {
			t.Errorf("%d was answered with %q of %q", status, out.RequestID, out.ModelVersion)
		}
		for name, a := range out.Fields {
			if !(a.Confidence >= 0 && a.Confidence <= 1) || a.Value != strings.TrimSpace(a.Value) {
				t.Errorf("%s: %+v", name, a)
			}
		}
	})
}
