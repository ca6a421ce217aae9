package webtest

import (
	"net/http"
	"strings"
	"testing"

	"svc/web/webtest/town"
)

const example = `# What it is about.
@map none
@key-rate 5

> POST /api/search?q=чой
> X-API-Key: k
>
> {"a": 1}
| query results.id
< 200
< Cache-Control: …
< -Retry-After
{
  "query": "чой"
}

! advance 1h
> GET /x
< 404
404 not found
`

func TestAStoryIsWrittenAsItWasRead(t *testing.T) {
	s, err := parseStory(example)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.String(); got != example {
		t.Errorf("written as\n%s", got)
	}
	o, err := s.options()
	if err != nil || o.Map != town.None || o.KeyRate != 5 || !o.Now.Equal(defaultNow) {
		t.Errorf("options %+v, %v", o, err)
	}
}

func TestBadStories(t *testing.T) {
	for text, says := range map[string]string{
		"> GET /x\n":                    "has no answer",
		"> GET /x\n< ok\n":              "is no status",
		"> GET /x\n< 200\n< Thing\n":    "< Name: value",
		"hello\n":                       "a line must begin with",
		"@nothing\n> GET /x\n< 200\n":   "no such directive",
		"@clock noon\n> GET /\n< 200":   "@clock",
		"\n\n@key-rate x\n> GET /\n< 1": "3: @key-rate",
	} {
		s, err := parseStory(text)
		if err == nil {
			_, err = s.options()
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// TestAlways: the rules that hold for every answer are found broken when they are.
func TestAlways(t *testing.T) {
	good := func() http.Header {
		return http.Header{
			"X-Request-Id": {"1"}, "Access-Control-Allow-Origin": {"*"}, "Access-Control-Allow-Methods": {"GET, POST, OPTIONS"},
			"Access-Control-Allow-Headers": {"Content-Type, Range"}, "Content-Type": {"application/json; charset=utf-8"},
		}
	}
	tests := []struct {
		name, method, body string
		change             func(http.Header)
		broken             string
	}{
		{"good", "GET", `{"took_ms":0.25,"a":"<&>"}`, nil, ""},
		{"no id", "GET", `{}`, func(h http.Header) { h.Del("X-Request-Id") }, "X-Request-Id"},
		{"no CORS", "GET", `{}`, func(h http.Header) { h.Del("Access-Control-Allow-Origin") }, "Access-Control-Allow-Origin"},
		{"the key header is allowed", "GET", `{}`, func(h http.Header) { h.Set("Access-Control-Allow-Headers", "*") }, "Access-Control-Allow-Headers"},
		{"redirect", "GET", `{}`, func(h http.Header) { h.Set("Location", "/x") }, "redirect"},
		{"HEAD with body", "HEAD", `{}`, nil, "HEAD has a body"},
		{"no charset", "GET", `{}`, func(h http.Header) { h.Set("Content-Type", "application/json") }, "Content-Type"},
		{"escaped", "GET", `{"a":"\u003c"}`, nil, "escaped"},
		{"three decimals", "GET", `{"took_ms":0.123}`, nil, "took_ms"},
		{"took_ms as text", "GET", `{"took_ms":"1"}`, nil, "took_ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequest(tt.method, "http://x/api/search", nil)
			if err != nil {
				t.Fatal(err)
			}
			h := good()
			if tt.change != nil {
				tt.change(h)
			}
			got := strings.Join(always(req, &http.Response{Header: h}, []byte(tt.body)), "; ")
			if (got == "") != (tt.broken == "") || !strings.Contains(got, tt.broken) {
				t.Errorf("broken: %q, want %q", got, tt.broken)
			}
		})
	}
}

func TestMissingNamesWhatNoStoryVisits(t *testing.T) {
	v := newVisits()
	req, err := http.NewRequest(http.MethodGet, "http://x/api/place/7", nil)
	if err != nil {
		t.Fatal(err)
	}
	v.add(req, 404, []byte(`{"error":"not found"}`))
	v.add(req, 500, []byte(`boom`))
	missing := v.Missing([]Visit{
		{"/api/place/*", 404, "not found"}, {"/api/place/*", 404, "not *"}, {"/api/place/*", 200, ""}, {"/api/place/*", 404, "no polygon"},
	})
	if len(missing) != 2 || missing[0].Status != 200 || missing[1].Text != "no polygon" {
		t.Errorf("missing %v", missing)
	}
	if bad := v.ServerErrors(502, 503); len(bad) != 1 || bad[0].Status != 500 {
		t.Errorf("server errors %v", bad)
	}
}
