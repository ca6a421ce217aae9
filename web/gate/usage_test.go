package gate

import (
	"strings"
	"testing"

	"svc/app/mapkey"
)

// TestUsageAnswers: every status of GET /api/usage.
func TestUsageAnswers(t *testing.T) {
	noKeyFile := func(c *Config) { c.Keys = nil }
	noMeter := func(c *Config) { c.Meter = nil }
	lax := func(c *Config) { c.Require = false }
	neither := func(c *Config) { c.Keys, c.Meter = nil, nil }
	for _, c := range []struct {
		edit   func(*Config)
		target string
		status int
		want   string
	}{
		{neither, "/api/usage", 503, `{"error":"API keys are not configured on this server"}`},
		{noKeyFile, "/api/usage?key=open", 503, `{"error":"API keys are not configured on this server"}`},
		{noMeter, "/api/usage?key=open", 503, `{"error":"usage metering is not enabled on this server"}`},
		{nil, "/api/usage", 401, "missing API key"},
		{lax, "/api/usage", 401, `{"error":"a valid API key is required to read its usage"}`},
		{lax, "/api/usage?key=nobody", 401, `{"error":"a valid API key is required to read its usage"}`},
		{nil, "/api/usage?key=off", 403, "disabled"},
		{lax, "/api/usage?key=off", 200, `"key":"off"`},
		{nil, "/api/usage?key=open&days=0", 400, `{"error":"days must be a whole number between 1 and 366"}`},
		{nil, "/api/usage?key=open&days=367", 400, "days must be"},
		{nil, "/api/usage?key=open&days=-1", 400, "days must be"},
		{nil, "/api/usage?key=open&days=7.5", 400, "days must be"},
		{nil, "/api/usage?key=open&days=week", 400, "days must be"},
		{nil, "/api/usage?key=open&days=99999999999999999999", 400, "days must be"},
		{nil, "/api/usage?key=open&days=", 200, `"from":"2026-11-01T00:00:00Z","to":"2026-11-21T13:00:00Z"`},
		{nil, "/api/usage?key=open", 200, `{"key":"open","name":"Open","from":"2026-11-01T00:00:00Z","to":"2026-11-21T13:00:00Z","requests":0,"denied":0,"products":[]}`},
		{nil, "/api/usage?key=open&days=1", 200, `"from":"2026-11-20T13:00:00Z","to":"2026-11-21T13:00:00Z"`},
		{nil, "/api/usage?key=open&days=366", 200, `"from":"2025-11-20T13:00:00Z"`},
		{nil, "/api/usage?key=open&series=1", 200, `"series":[]`},
		{lax, "/api/usage?key=quota", 200, `"quota":{"limit":2,"used":0,"remaining":2,"resets":"2026-12-01T00:00:00Z"}`},
	} {
		w := newWorld(t, c.edit)
		rec := w.ask("GET", c.target)
		if rec.Code != c.status || !strings.Contains(rec.Body.String(), c.want) {
			t.Errorf("%s: %d %s", c.target, rec.Code, rec.Body)
		}
		h := rec.Header()
		if h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("%s: headers %v", c.target, h)
		}
	}
}

func TestUsageSeriesNeedsTheLiteralOne(t *testing.T) {
	w := newWorld(t, nil)
	w.ask("GET", "/api/search?key=open")
	for _, q := range []string{"", "&series=true", "&series=01", "&series=0"} {
		if rec := w.ask("GET", "/api/usage?key=open"+q); strings.Contains(rec.Body.String(), "series") {
			t.Errorf("%q: %s", q, rec.Body)
		}
	}
	rec := w.ask("POST", "/api/usage?key=open&series=1")
	if !strings.Contains(rec.Body.String(), `"series":[{"hour":"2026-11-21T12:00:00Z","product":"search","requests":1,"denied":0}]`) {
		t.Errorf("%s", rec.Body)
	}
	if got := w.counted("open"); len(got) != 1 {
		t.Errorf("reading the report was metered: %v", got)
	}
}

// TestUsageWithoutTheFile: the report is made of memory, without a quota.
func TestUsageWithoutTheFile(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Meter = mapkey.OpenMeter(t.TempDir(), mapkey.MeterOptions{}) })
	for range 3 {
		if rec := w.ask("GET", "/api/search?key=quota"); rec.Code != 200 {
			t.Errorf("%d: a quota that cannot be read refuses", rec.Code)
		}
	}
	rec := w.ask("GET", "/api/usage?key=quota")
	if body := rec.Body.String(); rec.Code != 200 || !strings.Contains(body, `"requests":3`) || strings.Contains(body, `"quota":`) {
		t.Errorf("%d %s", rec.Code, body)
	}
}
