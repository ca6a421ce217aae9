package calendar

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// notSimulated are the fields of documented bodies that the simulator leaves out: the client
// reads none of them.
var notSimulated = []string{
	"updated", "creator", "iCalUID", "sequence", "reminders", "eventType", "summary", "timeZone", "items[].kind", "id_token", "error.errors[].locationType", "error.errors[].location",
	"items[].start.date", "items[].end.date", // days without hours
}

// TestDocumented: what the simulator answers has the form of the documented bodies that the
// client is tested with: no field that they do not have, and all that the client may read.
func TestDocumented(t *testing.T) {
	now := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	w, err := New(Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	w.Mount(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.Close()
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	access := ""
	ask := func(method, at, body, etag string) []byte {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+at, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if strings.HasPrefix(at, Tokens) {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		req.Header.Set("Authorization", "Bearer "+access)
		if etag != "" {
			req.Header.Set("If-Match", etag)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	scene := func(words string) {
		t.Helper()
		if err := w.Scene(strings.Fields(words)); err != nil {
			t.Fatal(err)
		}
	}
	token := func(refresh string) []byte {
		return ask("POST", Tokens+"/token", url.Values{"client_id": {ClientID}, "client_secret": {Secret}, "grant_type": {"refresh_token"}, "refresh_token": {refresh}}.Encode(), "")
	}
	const events = API + "/calendar/v3/calendars/primary/events"
	const event = `{"id":"svc0190c0ffee","summary":"Salon","description":"x","start":{"dateTime":"2026-11-23T16:00:00+05:00","timeZone":"Asia/Tashkent"},"end":{"dateTime":"2026-11-23T16:30:00+05:00","timeZone":"Asia/Tashkent"},"extendedProperties":{"private":{"svc_action":"cac_1"}}}`
	busy := func() []byte {
		return ask("POST", API+"/calendar/v3/freeBusy", `{"timeMin":"2026-11-23T00:00:00Z","timeMax":"2026-11-24T00:00:00Z","items":[{"id":"`+Email+`"}]}`, "")
	}
	steps := []struct {
		name string
		do   func() []byte
	}{
		{"invalid_grant", func() []byte { return token("nothing") }},
		{"token", func() []byte {
			b := token(w.refreshToken())
			access = w.accessToken()
			return b
		}},
		{"event", func() []byte { return ask("POST", events, event, "") }},
		{"duplicate", func() []byte { return ask("POST", events, event, "") }},
		{"condition_not_met", func() []byte { return ask("PATCH", events+"/svc0190c0ffee", event, `"0"`) }},
		{"events", func() []byte {
			return ask("GET", events+"?singleEvents=true&timeMin=2026-11-23T00:00:00Z&timeMax=2026-11-24T00:00:00Z", "", "")
		}},
		{"free_busy", busy},
		{"calendar_list", func() []byte { return ask("GET", API+"/calendar/v3/users/me/calendarList", "", "") }},
		{"quota", func() []byte { scene("at 1 queries error 403/quotaExceeded"); return busy() }},
		{"free_busy_error", func() []byte { scene("now calendar unreadable notFound"); return busy() }},
	}
	for _, s := range steps {
		data, err := os.ReadFile("../../calendar/testdata/wire/" + s.name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		got := s.do()
		documented, simulated := fields(t, data), fields(t, got)
		for f := range simulated {
			if !documented[f] && !(s.name == "events" && fields(t, eventOf(t))[strings.TrimPrefix(f, "items[].")]) {
				t.Errorf("%s: the documented body has no %s: %s", s.name, f, got)
			}
		}
		for f := range documented {
			if name, _, _ := strings.Cut(f, " "); !simulated[f] && !slices.ContainsFunc(notSimulated, func(x string) bool { return name == x || strings.HasPrefix(name, x+".") }) && !(s.name == "events" && strings.HasPrefix(name, "items[].transparency")) {
				t.Errorf("%s: the simulator has no %s: %s", s.name, f, got)
			}
		}
	}
	files, err := os.ReadDir("../../calendar/testdata/wire")
	if err != nil || len(files) != len(steps) {
		t.Errorf("%d documented bodies, %d steps (%v)", len(files), len(steps), err)
	}
}

func eventOf(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(path.Join("../../calendar/testdata/wire", "event.json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fields are the paths of the values of a JSON text, each with its type: "items[].id string".
// Names that are values, such as ids of calendars, are written as *.
func fields(t *testing.T, data []byte) map[string]bool {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	out := map[string]bool{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if last := path.Base(strings.ReplaceAll(at, ".", "/")); last == "calendars" || last == "private" {
					k = "*"
				}
				walk(strings.TrimPrefix(at+"."+k, "."), x)
			}
		case []any:
			for _, x := range v {
				walk(at+"[]", x)
			}
		default:
			out[fmt.Sprintf("%s %T", at, v)] = true
		}
	}
	walk("", v)
	return out
}
