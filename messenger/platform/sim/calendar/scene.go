package calendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The language of scenes, one a line, already cut into words:
//
//	now calendar busy 2026-12-01T10:00+05:00 1h ["Dentist"]
//	now calendar move last 2026-12-01T12:00+05:00     now calendar delete last
//	now calendar revoke | gone | back | unreadable notFound | readable | no-refresh-token
//	at 1 inserts drop answer | drop request | taken | error 403[/quotaExceeded]
//	every 2 patches drop answer      at 1 refreshes error invalid_grant
//
// What rules count: inserts, patches, deletes, gets, lists, queries (of busy times), refreshes,
// exchanges. last is the event that the service made last.

// rule is a scene that waits for its moment.
type rule struct {
	when, what string
	n          int
	do         []string
}

var counted = map[string]bool{
	"inserts": true, "patches": true, "deletes": true, "gets": true, "lists": true, "queries": true, "refreshes": true, "exchanges": true,
}

var errScene = errors.New("there is no such scene")

// Mine says whether a scene is of the calendar.
func Mine(w []string) bool {
	return len(w) > 2 && w[0] == "now" && w[1] == "calendar" || len(w) > 3 && counted[w[2]] && !(w[2] == "refreshes" && w[len(w)-1] != "invalid_grant")
}

// Scene plays one.
func (w *World) Scene(words []string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if words[0] == "now" {
		return w.now(words[2:])
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 || words[0] != "at" && words[0] != "every" && words[0] != "after" {
		return errScene
	}
	w.rules = append(w.rules, &rule{when: words[0], n: n, what: words[2], do: words[3:]})
	w.counts[words[2]] = 0 // counting begins anew with each rule
	return nil
}

func (w *World) now(words []string) error {
	switch {
	case words[0] == "busy" && len(words) >= 3:
		start, err := clock(words[1])
		if err != nil {
			return err
		}
		d, err := time.ParseDuration(words[2])
		if err != nil {
			return err
		}
		e := &event{Title: "Busy", Start: start, End: start.Add(d)}
		if len(words) > 3 {
			e.Title = words[3]
		}
		w.put(e)
	case words[0] == "revoke":
		w.revoke()
	case words[0] == "gone", words[0] == "back":
		w.gone = words[0] == "gone"
	case words[0] == "no-refresh-token":
		w.silent = true
	case words[0] == "readable":
		w.busyBad = ""
	case words[0] == "unreadable" && len(words) == 2:
		w.busyBad = words[1]
	case words[0] == "delete" && len(words) == 2:
		return w.change(func(e *event) { e.Status = "cancelled" })
	case words[0] == "move" && len(words) == 3:
		start, err := clock(words[2])
		if err != nil {
			return err
		}
		return w.change(func(e *event) { e.Start, e.End = start, start.Add(e.End.Sub(e.Start)) })
	default:
		return errScene
	}
	return nil
}

func clock(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04Z07:00", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time", text)
}

// change is what the owner does with the event that the service made last.
func (w *World) change(do func(*event)) error {
	var last *event
	for _, e := range w.events {
		if e.ByAPI && (last == nil || e.Created.After(last.Created) || e.Created.Equal(last.Created) && e.Seq > last.Seq) {
			last = e
		}
	}
	if last == nil {
		return errors.New("the service made no event")
	}
	x := *last
	do(&x)
	w.put(&x)
	return nil
}

// fires counts a call and says what a rule makes of it. The lock is held.
func (w *World) fires(what string) (do []string) {
	w.counts[what]++
	n := w.counts[what]
	for _, r := range w.rules {
		if r.what == what && (r.when == "at" && n == r.n || r.when == "every" && n%r.n == 0 || r.when == "after" && n > r.n) {
			do = r.do
		}
	}
	return do
}

func does(do []string, what string) bool { return strings.Join(do, " ") == what }

// Words cuts the line of a scene into words; quoted ones may have blanks.
func Words(line string) (out []string, err error) {
	var word strings.Builder
	quoted, any := false, false
	for _, r := range line {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == '#' && !quoted && !any:
			return out, nil
		case (r == ' ' || r == '\t') && !quoted:
			if any {
				out = append(out, word.String())
			}
			word.Reset()
			any = false
		default:
			word.WriteRune(r)
			any = true
		}
	}
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	if any {
		out = append(out, word.String())
	}
	return out, nil
}
