// Package calendar is a server that speaks the wire of the outside calendar and reaches nobody:
// consent with PKCE, tokens, calendars, busy times, events.
//
// It promises what the real one promises and enforces what it enforces: codes are used once and
// with their verifier, tokens end, scopes hold, an id that was used stays taken, a change names
// the version that it changes. It writes a line of its journal before each answer, so that a
// restart finds the same events. Scenes make it fail on purpose. What it does not model it
// counts (State.Unmodelled).
package calendar

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// The application that the simulator knows, and whose calendar it has.
const (
	ClientID = "sim-calendar-client"
	Secret   = "sim-calendar-secret"
	Email    = "demo@svc.example"
	Zone     = "Asia/Tashkent"
)

// Prefixes of the hosts.
const (
	Consent = "/calendar"
	Tokens  = "/calendar-token"
	API     = "/calendar-api"
)

// Options of New.
type Options struct {
	// Dir is where the journal is kept, "" for none.
	Dir string
	// Demo fills the days that come with meetings.
	Demo bool
	Now  func() time.Time
	Log  *slog.Logger
}

// World is one person with calendars.
type World struct {
	o Options

	mu      sync.Mutex
	events  map[string]*event // of the primary calendar, by id
	seq     int64
	gen     int // of the consent: a revoked one is of a lower
	codes   map[string]*code
	scopes  []string // granted last
	rules   []*rule
	counts  map[string]int
	calls   map[string]int
	missing map[string]int
	journal *os.File
	busyBad string // reason of an error inside the answer of busy times
	gone    bool   // the calendar was deleted
	silent  bool   // no refresh token is given
}

type code struct {
	redirect, challenge string
	scopes              []string
	offline, used       bool
	at                  time.Time
}

// event is one of the primary calendar, as the journal keeps it.
type event struct {
	ID      string            `json:"id"`
	Seq     int64             `json:"seq"` // of its version
	Status  string            `json:"status"`
	Title   string            `json:"title,omitempty"`
	Note    string            `json:"note,omitempty"`
	Start   time.Time         `json:"start"`
	End     time.Time         `json:"end"`
	Zone    string            `json:"zone,omitempty"`
	Free    bool              `json:"free,omitempty"`
	Private map[string]string `json:"private,omitempty"`
	Created time.Time         `json:"created"`
	ByAPI   bool              `json:"by_api,omitempty"`
	// Generation is set in lines of the journal that only tell of a revocation.
	Generation int `json:"generation,omitempty"`
}

func (e *event) etag() string { return fmt.Sprintf("%q", fmt.Sprint(e.Seq)) }

// New makes the world. Close it.
func New(o Options) (*World, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	w := &World{o: o, events: map[string]*event{}, codes: map[string]*code{}, counts: map[string]int{}, calls: map[string]int{}, missing: map[string]int{}, gen: 1}
	if err := w.open(); err != nil {
		return nil, err
	}
	if o.Demo && len(w.events) == 0 {
		w.demo()
	}
	return w, nil
}

// demo fills two weeks with meetings of the owner.
func (w *World) demo() {
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		zone = time.UTC
	}
	today := w.o.Now().In(zone)
	for d := range 14 {
		day := time.Date(today.Year(), today.Month(), today.Day()+d, 0, 0, 0, 0, zone)
		if day.Weekday() == time.Sunday {
			continue
		}
		w.put(&event{Title: "Planning", Start: day.Add(10 * time.Hour), End: day.Add(11 * time.Hour)})
		if d%3 == 1 {
			w.put(&event{Title: "Supplier", Start: day.Add(15 * time.Hour), End: day.Add(16*time.Hour + 30*time.Minute)})
		}
	}
}

// Close closes the journal.
func (w *World) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return nil
	}
	j := w.journal
	w.journal = nil
	return j.Close()
}

const journalName = "calendar.jsonl"

func (w *World) open() error {
	if w.o.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(w.o.Dir, 0o700); err != nil {
		return fmt.Errorf("calendar simulator: %w", err)
	}
	path := filepath.Join(w.o.Dir, journalName)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("calendar simulator: %w", err)
	}
	whole := 0
	for end := strings.IndexByte(string(data), '\n'); end >= 0; end = strings.IndexByte(string(data[whole:]), '\n') {
		var e event
		switch err := json.Unmarshal(data[whole:whole+end], &e); {
		case err != nil:
		case e.Generation > 0:
			w.gen = e.Generation
		default:
			w.events[e.ID] = &e
			w.seq = max(w.seq, e.Seq)
		}
		whole += end + 1
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("calendar simulator: %w", err)
	}
	_, seek := f.Seek(int64(whole), io.SeekStart)
	if err := errors.Join(f.Truncate(int64(whole)), seek); err != nil { // a line that was cut is none
		return errors.Join(err, f.Close())
	}
	w.journal = f
	return nil
}

func (w *World) record(e *event) {
	if w.journal == nil {
		return
	}
	data, err := json.Marshal(e)
	if err == nil {
		_, err = w.journal.Write(append(data, '\n'))
	}
	if err != nil {
		w.o.Log.Error("calendar simulator: the journal is not written", "error", err)
	}
}

// put keeps an event as a new version, with an id when it has none.
func (w *World) put(e *event) {
	w.seq++
	e.Seq = w.seq
	if e.ID == "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "event %d", w.seq))
		e.ID = "person" + hex.EncodeToString(sum[:8])
	}
	if e.Status == "" {
		e.Status = "confirmed"
	}
	if e.Zone == "" {
		e.Zone = Zone
	}
	if e.Created.IsZero() {
		e.Created = w.o.Now().UTC()
	}
	w.events[e.ID] = e
	w.record(e)
}

// revoke ends the consent.
func (w *World) revoke() {
	w.gen++
	w.record(&event{Generation: w.gen})
}

func sign(text string) string {
	h := hmac.New(sha256.New, []byte(Secret))
	_, _ = io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (w *World) refreshToken() string {
	text := fmt.Sprintf("refresh.%d", w.gen)
	return "sim." + text + "." + sign(text)
}

// accessLife is how long an access lives.
const accessLife = time.Hour

func (w *World) accessToken() string {
	text := fmt.Sprintf("access.%d.%d", w.gen, w.o.Now().Add(accessLife).Unix())
	return "sim." + text + "." + sign(text)
}

// goodAccess says whether an access is one, and of the consent that holds.
func (w *World) goodAccess(token string) bool {
	var gen int
	var until int64
	body, mac, ok := cutLast(strings.TrimPrefix(token, "sim."))
	if !ok || sign(body) != mac {
		return false
	}
	if _, err := fmt.Sscanf(body, "access.%d.%d", &gen, &until); err != nil {
		return false
	}
	return gen == w.gen && w.o.Now().Unix() < until
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// State is the world as pages and tests see it.
type State struct {
	Events     []EventState   `json:"events"`
	Calls      map[string]int `json:"calls"`
	Unmodelled map[string]int `json:"unmodelled"`
}

// EventState is an event of the world.
type EventState struct {
	ID     string    `json:"id"`
	Title  string    `json:"title"`
	Note   string    `json:"note,omitempty"`
	Status string    `json:"status"`
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"`
	// Action is what of the service wrote it last; Ours: the service made it.
	Action string `json:"action,omitempty"`
	Ours   bool   `json:"ours"`
}

// State is the world now: its events by their beginning.
func (w *World) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := State{Events: []EventState{}, Calls: map[string]int{}, Unmodelled: map[string]int{}}
	for k, v := range w.calls {
		out.Calls[k] = v
	}
	for k, v := range w.missing {
		out.Unmodelled[k] = v
	}
	for _, e := range w.events {
		out.Events = append(out.Events, EventState{e.ID, e.Title, e.Note, e.Status, e.Start, e.End, e.Private["svc_action"], e.ByAPI})
	}
	slices.SortFunc(out.Events, func(a, b EventState) int {
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// Ours are the events that the service made, a line each: status, beginning, end, title and note.
func (w *World) Ours() string {
	var b strings.Builder
	for _, e := range w.State().Events {
		if e.Ours {
			fmt.Fprintf(&b, "%s %s – %s %s\n", e.Status, e.Start.UTC().Format(time.RFC3339), e.End.UTC().Format(time.RFC3339), strings.TrimSpace(e.Title+" "+strings.ReplaceAll(e.Note, "\n", " / ")))
		}
	}
	return b.String()
}
