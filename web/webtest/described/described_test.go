package described

import (
	"net/http"
	"strings"
	"testing"
)

// TestUndeclared: an answer must have a status, a media type and a code that the
// description gives its operation.
func TestUndeclared(t *testing.T) {
	d, err := Parse([]byte(`{"paths":{"/things/{id}":{"get":{"x-svc-errors":["not_found","busy"],"responses":{
		"200":{"content":{"application/json":{}}},"204":{},"404":{"content":{"application/json":{},"text/html":{}}},"429":{"content":{"application/json":{}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	refusal := func(code string) string { return `{"error":{"code":"` + code + `","message":"No."}}` }
	for _, tt := range []struct {
		path       string
		status     int
		kind, body string
		says       string
	}{
		{"/things/1", 200, "application/json; charset=utf-8", `{"id":"1"}`, ""},
		{"/things/1", 204, "", "", ""},
		{"/things/1", 404, "application/json; charset=utf-8", refusal("not_found"), ""},
		{"/things/1", 404, "text/html; charset=utf-8", "<p>No.</p>", ""},
		{"/nothing", 404, "application/json", refusal("route_not_found"), ""},
		{"/openapi/openapi.json", 200, "application/json", "{}", ""},
		{"/things/1", 201, "application/json", `{"id":"1"}`, "status 201"},
		{"/things/1", 409, "application/json", refusal("busy"), "status 409 busy"},
		{"/things/1", 404, "application/json", refusal("lost"), `the code "lost"`},
		{"/things/1", 404, "application/json", `{"error":"lost"}`, `the code ""`},
		{"/things/1", 200, "text/csv", "id\n1\n", "as text/csv"},
		{"/things/1", 429, "text/html", "<p>No.</p>", "as text/html"},
		{"/nothing", 200, "application/json", "{}", "what is not described"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/api/v1"+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp := &http.Response{StatusCode: tt.status, Header: http.Header{"Content-Type": {tt.kind}}}
		got := d.Undeclared(req, resp, []byte(tt.body))
		if got == "" != (tt.says == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
