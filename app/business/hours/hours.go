// Package hours is when a business is open: the times of each weekday, and dates with times
// of their own.
//
// It promises that hours which contradict themselves are refused field by field, and that
// the next opening is found over nights, holidays and changes of clocks. It knows no
// records and no transaction.
package hours

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/app/api"
)

// Span is a time of a day at which a business is open. One whose close is not after its
// open ends on the next day; 24:00 is the end of the day.
type Span struct {
	Open  string `json:"open" example:"09:00" doc:"HH:MM."`
	Close string `json:"close" example:"18:00" doc:"HH:MM; 24:00 is the end of the day."`
}

// Exception is a date with hours of its own; none: closed.
type Exception struct {
	Date  string `json:"date" example:"2026-03-21" doc:"YYYY-MM-DD."`
	Hours []Span `json:"hours" nullable:"false" maxItems:"6"`
}

// Week are the hours of a business, by its own clocks.
type Week struct {
	Monday     []Span      `json:"mon" nullable:"false" maxItems:"6"`
	Tuesday    []Span      `json:"tue" nullable:"false" maxItems:"6"`
	Wednesday  []Span      `json:"wed" nullable:"false" maxItems:"6"`
	Thursday   []Span      `json:"thu" nullable:"false" maxItems:"6"`
	Friday     []Span      `json:"fri" nullable:"false" maxItems:"6"`
	Saturday   []Span      `json:"sat" nullable:"false" maxItems:"6"`
	Sunday     []Span      `json:"sun" nullable:"false" maxItems:"6"`
	Exceptions []Exception `json:"exceptions" nullable:"false" maxItems:"200"`
}

// days are the hours of each weekday, with the names of their fields, Sunday first as
// [time.Weekday] counts.
func (h *Week) days() [7]struct {
	name  string
	spans *[]Span
} {
	type day = struct {
		name  string
		spans *[]Span
	}
	return [7]day{
		{"sun", &h.Sunday}, {"mon", &h.Monday}, {"tue", &h.Tuesday}, {"wed", &h.Wednesday}, {"thu", &h.Thursday}, {"fri", &h.Friday}, {"sat", &h.Saturday},
	}
}

// Check brings hours into form, or says what is wrong with them below business_hours.
func (h *Week) Check() error {
	wrong := map[string]string{}
	for _, d := range h.days() {
		checkSpans("business_hours."+d.name, d.spans, wrong)
	}
	if h.Exceptions == nil {
		h.Exceptions = []Exception{}
	}
	seen := map[string]bool{}
	for i := range h.Exceptions {
		e := &h.Exceptions[i]
		at := fmt.Sprintf("business_hours.exceptions[%d]", i)
		switch _, err := time.Parse(time.DateOnly, e.Date); {
		case err != nil:
			wrong[at+".date"] = "must be a date such as 2026-03-21"
		case seen[e.Date]:
			wrong[at+".date"] = "is named twice"
		}
		seen[e.Date] = true
		checkSpans(at+".hours", &e.Hours, wrong)
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	slices.SortFunc(h.Exceptions, func(a, b Exception) int { return strings.Compare(a.Date, b.Date) })
	return nil
}

// checkSpans puts the spans of a day in order and notes what is wrong with them.
func checkSpans(field string, spans *[]Span, wrong map[string]string) {
	if *spans == nil {
		*spans = []Span{}
	}
	for i, s := range *spans {
		from, ok := Minutes(s.Open)
		if to, also := Minutes(s.Close); !ok || !also || from == minutesOfDay {
			wrong[fmt.Sprintf("%s[%d]", field, i)] = "must have open and close as HH:MM, such as 09:00 and 18:00"
			return
		} else if from == to {
			wrong[fmt.Sprintf("%s[%d]", field, i)] = "closes when it opens; for a whole day send 00:00 and 24:00"
			return
		}
	}
	slices.SortFunc(*spans, func(a, b Span) int { return strings.Compare(a.Open, b.Open) })
	for i := 1; i < len(*spans); i++ {
		if before, _ := (*spans)[i-1].minutes(); before.to > mustMinutes((*spans)[i].Open) {
			wrong[field] = "has times that overlap"
		}
	}
}

const minutesOfDay = 24 * 60

// Minutes reads HH:MM, up to 24:00, as minutes after the beginning of the day.
func Minutes(s string) (int, bool) {
	if s == "24:00" {
		return minutesOfDay, true
	}
	t, err := time.Parse("15:04", s)
	return t.Hour()*60 + t.Minute(), err == nil && len(s) == len("15:04")
}

func mustMinutes(s string) int {
	n, _ := Minutes(s)
	return n
}

// openFor is a span in minutes after the beginning of its day; to is beyond the day when
// it ends on the next.
type openFor struct{ from, to int }

func (s Span) minutes() (openFor, bool) {
	from, ok := Minutes(s.Open)
	to, also := Minutes(s.Close)
	if to <= from {
		to += minutesOfDay
	}
	return openFor{from, to}, ok && also
}

// none says whether there are no hours at all.
func (h *Week) none() bool {
	for _, d := range h.days() {
		if len(*d.spans) > 0 {
			return false
		}
	}
	return true
}

// on are the spans of a date: those of an exception, else of the weekday.
func (h *Week) on(day time.Time) []Span {
	date := day.Format(time.DateOnly)
	for _, e := range h.Exceptions {
		if e.Date == date {
			return e.Hours
		}
	}
	return *h.days()[day.Weekday()].spans
}

// maxAhead is how far the next opening is looked for: over the longest holidays.
const maxAhead = 60

// span is the first time that the business is open which is not over at a time, by the clocks of
// a zone; false when none begins in the next 60 days. Without any weekly hours it is always open,
// but for its exceptions.
func (h *Week) span(at time.Time, zone *time.Location) (from, to time.Time, ok bool) {
	always := h.none()
	local := at.In(zone)
	for d := -1; d <= maxAhead; d++ {
		day := time.Date(local.Year(), local.Month(), local.Day()+d, 0, 0, 0, 0, zone)
		spans := h.on(day)
		if always && !h.excepted(day) {
			spans = []Span{{"00:00", "24:00"}}
		}
		for _, s := range spans {
			m, _ := s.minutes()
			if from, to = clock(day, m.from), clock(day, m.to); at.Before(from) || at.Before(to) {
				return from, to, true
			}
		}
	}
	return from, to, false
}

// Open says whether a business with these hours is open at a time, by the clocks of a zone,
// and when it opens next if it is not; zero: not in the next 60 days. Without any weekly
// hours it is always open, but for its exceptions.
func (h *Week) Open(at time.Time, zone *time.Location) (open bool, next time.Time) {
	from, _, ok := h.span(at, zone)
	switch {
	case !ok:
		return false, time.Time{}
	case at.Before(from):
		return false, from
	}
	return true, time.Time{}
}

// Passed is when a business with these hours has been open for a while since a time, by the
// clocks of a zone; false when it is closed for 60 days before that.
func (h *Week) Passed(since time.Time, long time.Duration, zone *time.Location) (at time.Time, ok bool) {
	for range maxAhead * 24 {
		from, to, ok := h.span(since, zone)
		if !ok {
			return at, false
		}
		if since.Before(from) {
			since = from
		}
		if to.Sub(since) >= long {
			return since.Add(long), true
		}
		long, since = long-to.Sub(since), to
	}
	return at, false
}

// Always says whether no hours are set, so that the business is open but for its exceptions.
func (h *Week) Always() bool { return h.none() }

func (h *Week) excepted(day time.Time) bool {
	date := day.Format(time.DateOnly)
	return slices.ContainsFunc(h.Exceptions, func(e Exception) bool { return e.Date == date })
}

// clock is the time at which a clock shows that many minutes after the midnight that a day
// begins with.
func clock(day time.Time, minutes int) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, minutes, 0, 0, day.Location())
}

// CheckZone is validation_failed on a field unless its text is an IANA time zone.
func CheckZone(field, name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return api.Wrong(field, "must be an IANA time zone such as Asia/Tashkent")
	}
	return nil
}

// Opening is a time at which a business is open.
type Opening struct{ From, To time.Time }

// Openings are the times between two at which a business with these hours is open, by the
// clocks of a zone, those that touch as one. Without any weekly hours it is always open, but for
// its exceptions.
func (h *Week) Openings(from, to time.Time, zone *time.Location) (out []Opening) {
	always := h.none()
	local := from.In(zone)
	for d := -1; ; d++ {
		day := time.Date(local.Year(), local.Month(), local.Day()+d, 0, 0, 0, 0, zone)
		if !day.Before(to) {
			return out
		}
		spans := h.on(day)
		if always && !h.excepted(day) {
			spans = []Span{{"00:00", "24:00"}}
		}
		for _, s := range spans {
			m, _ := s.minutes()
			o := Opening{later(clock(day, m.from), from), earlier(clock(day, m.to), to)}
			switch n := len(out) - 1; {
			case !o.From.Before(o.To):
			case n >= 0 && !o.From.After(out[n].To):
				out[n].To = later(out[n].To, o.To)
			default:
				out = append(out, o)
			}
		}
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
