package webtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Visits remembers what stories saw: endpoint, status and the message of an error.
type Visits struct {
	mu    sync.Mutex
	seen  map[Visit]bool
	calls map[Call]bool
}

// Call is an answer of the messaging service: Code is that of a refusal, else "".
type Call struct {
	Method, Path string
	Status       int
	Code         string
}

// Calls lists what stories asked of the messaging service, in no order.
func (v *Visits) Calls() []Call {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Collect(maps.Keys(v.calls))
}

// Visit is one kind of answer. Text is the message of a refusal, "null" of an
// answer that is nothing but {"result":null} or {"photo":null}, "plain" of a
// plain text, else "".
type Visit struct {
	Endpoint string
	Status   int
	Text     string
}

// String is the visit as a test failure names it.
func (v Visit) String() string { return fmt.Sprintf("%s %d %q", v.Endpoint, v.Status, v.Text) }

func newVisits() *Visits { return &Visits{seen: map[Visit]bool{}, calls: map[Call]bool{}} }

func (v *Visits) add(req *http.Request, status int, body []byte) {
	visit := Visit{Endpoint: endpoint(req.URL.Path), Status: status}
	var answer map[string]json.RawMessage
	if json.Unmarshal(body, &answer) != nil {
		visit.Text = "plain"
	} else if len(answer) == 1 {
		for _, value := range answer {
			if string(value) == "null" {
				visit.Text = "null"
			}
		}
	}
	for _, member := range []string{"error", "message"} { // a gate refusal has both: its message counts
		var text string
		if json.Unmarshal(answer[member], &text) == nil && text != "" {
			visit.Text = text
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seen[visit] = true
	if path, ok := strings.CutPrefix(req.URL.Path, "/api/v1"); ok {
		var refusal struct{ Code string }
		_ = json.Unmarshal(answer["error"], &refusal) // most answers are none
		v.calls[Call{req.Method, path, status, refusal.Code}] = true
	}
}

var segments = regexp.MustCompile(`^/api/(place/mapsrc|place|geometry|photo/img)/.*`)

// endpoint is the path with what a caller chooses replaced by a star.
func endpoint(path string) string { return segments.ReplaceAllString(path, "/api/$1/*") }

// Missing lists the wanted visits that no story made. A wanted text may end in
// a star, which stands for any ending.
func (v *Visits) Missing(wanted []Visit) (missing []Visit) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range wanted {
		if !v.has(w) {
			missing = append(missing, w)
		}
	}
	return missing
}

func (v *Visits) has(w Visit) bool {
	start, open := strings.CutSuffix(w.Text, "*")
	for seen := range v.seen {
		if seen.Endpoint == w.Endpoint && seen.Status == w.Status && (seen.Text == w.Text || open && strings.HasPrefix(seen.Text, start)) {
			return true
		}
	}
	return false
}

// ServerErrors lists visits with a status from 500 that are not among the allowed ones.
func (v *Visits) ServerErrors(allowed ...int) (bad []Visit) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for seen := range v.seen {
		if seen.Status >= http.StatusInternalServerError && !slices.Contains(allowed, seen.Status) {
			bad = append(bad, seen)
		}
	}
	return bad
}
