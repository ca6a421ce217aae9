// Package fakes has the outside world of a server under test: a routing engine, the hosts of photos, a
// receiver of webhooks, models, and a line to the messenger that can be cut.
//
// Each answers over a real connection and can be told to fail; none knows the server that it is asked by.
package fakes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/geo/route/routetest"
)

// EngineBudget is how long a story's server waits for its engine.
const EngineBudget = time.Second

// Engine stands for the routing engine. How it behaves can be changed while
// it runs:
//
//	up        answers what the real engine once answered (geo/route/testdata)
//	echo      refuses, and its message is the request with its points counted
//	refuse    refuses as the real one does when there is no way
//	unwell    a gateway in front of it answers 503 with a page
//	nothing   answers without a route or a contour
//	rubbish   answers 200 with a page
//	huge      answers more than anybody wants to read
//	hangup    closes the connection without an answer
//	cut       closes it in the middle of one
//	redirect  sends the caller somewhere else
//	slow      answers when the caller has left
//	down      does not listen
type Engine struct {
	URL string

	tb     testing.TB
	server *httptest.Server
	dir    string
	mu     sync.Mutex
	now    string
}

var behaviours = []string{"up", "echo", "refuse", "unwell", "nothing", "rubbish", "huge", "hangup", "cut", "redirect", "slow", "down"}

// NewEngine starts one that ends with the test.
func NewEngine(tb testing.TB, behaviour string) *Engine {
	tb.Helper()
	e := &Engine{tb: tb, dir: routetest.Recordings(tb)}
	e.server = httptest.NewServer(http.HandlerFunc(e.serve))
	e.URL = e.server.URL
	tb.Cleanup(e.server.Close)
	if err := e.Behave(behaviour); err != nil {
		tb.Fatal(err)
	}
	return e
}

// Behave changes the behaviour. Down is for ever.
func (e *Engine) Behave(behaviour string) error {
	if e == nil {
		return fmt.Errorf("the story has no engine: begin it with @routing")
	}
	if !slices.Contains(behaviours, behaviour) {
		return fmt.Errorf("no such behaviour of the engine: %q", behaviour)
	}
	e.mu.Lock()
	e.now = behaviour
	e.mu.Unlock()
	if behaviour == "down" {
		e.server.Close()
	}
	return nil
}

func (e *Engine) serve(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	behaviour := e.now
	e.mu.Unlock()
	if behaviour != "slow" && behaviour != "rubbish" && r.URL.Path == "/status" {
		_, _ = fmt.Fprintf(w, `{"version":"3.9.1","tileset_last_modified":%d}`, time.Date(2026, time.November, 20, 1, 0, 0, 0, time.UTC).Unix())
		return
	}
	body, _ := io.ReadAll(r.Body)
	if r.URL.Path != "/status" && (r.Method != http.MethodPost || r.URL.RawQuery != "" || r.Header.Get("Content-Type") != "application/json") {
		e.tb.Errorf("the engine was asked with %s %s, %s", r.Method, r.URL, r.Header.Get("Content-Type"))
	}
	switch behaviour {
	case "up":
		e.replay(w, r.URL.Path, body)
	case "echo":
		engineError(w, http.StatusBadRequest, 199, counted(body))
	case "refuse":
		engineError(w, http.StatusBadRequest, 442, "No path could be found for input")
	case "unwell":
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "<html><h1>503 Service Unavailable</h1></html>")
	case "nothing":
		_, _ = io.WriteString(w, `{"trip":{"legs":[]},"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[]}}]}`)
	case "rubbish":
		_, _ = io.WriteString(w, "<html><h1>It works!</h1></html>")
	default:
		misbehave(w, r, behaviour)
	}
}

// misbehave breaks the protocol in one way.
func misbehave(w http.ResponseWriter, r *http.Request, behaviour string) {
	switch behaviour {
	case "huge":
		piece := []byte(strings.Repeat(" ", 1<<20))
		for range 40 {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	case "hangup":
		panic(http.ErrAbortHandler)
	case "cut":
		_, _ = io.WriteString(w, `{"trip":{"legs":[`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case "redirect":
		http.Redirect(w, r, "http://elsewhere.invalid/", http.StatusFound)
	case "slow":
		<-r.Context().Done()
	}
}

func (e *Engine) replay(w http.ResponseWriter, path string, body []byte) {
	recorded, err := routetest.Recorded(e.dir, path, body)
	if err != nil {
		engineError(w, http.StatusBadRequest, 199, "never recorded: "+counted(body))
		return
	}
	w.WriteHeader(recorded.Status)
	_, _ = w.Write(recorded.Answer)
}

// engineError writes an error as the engine does.
func engineError(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error_code": code, "error": message, "status_code": status, "status": http.StatusText(status)})
}

// counted is a request with the number of its points instead of them; of a
// point with a heading or a type that remains. Quotes are left out so that a
// story can be read.
func counted(body []byte) string {
	var in map[string]any
	if json.Unmarshal(body, &in) != nil {
		return "no JSON"
	}
	for _, list := range []string{"locations", "sources", "targets"} {
		points, ok := in[list].([]any)
		if !ok {
			continue
		}
		said := fmt.Sprint(len(points))
		for _, p := range points {
			point, _ := p.(map[string]any)
			for _, more := range []string{"type", "heading", "heading_tolerance"} {
				if v, ok := point[more]; ok {
					said += fmt.Sprintf(" %s %v", more, v)
				}
			}
		}
		in[list] = said
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(in)
	return strings.TrimSpace(strings.ReplaceAll(b.String(), `"`, ""))
}
