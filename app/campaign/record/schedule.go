package record

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api"
	"svc/app/campaign/schedule"
	"svc/app/org"
	"svc/app/policy"
)

// Window is when messages may be sent, in the campaign's time zone. One whose end is
// not after its start ends on the next day (contract 4.4).
type Window struct {
	Weekdays []policy.Weekday `json:"weekdays" required:"true" maxItems:"7" enum:"MO,TU,WE,TH,FR,SA,SU" doc:"The days on which it begins."`
	Start    string           `json:"start" required:"true" example:"09:00" doc:"HH:MM."`
	End      string           `json:"end" required:"true" example:"18:00" doc:"HH:MM; 24:00 is the end of the day."`
}

// In is the window in a zone; nil for none.
func (w *Window) In(zone string) *policy.Window {
	if w == nil {
		return nil
	}
	out := policy.MakeWindow(w.Weekdays, w.Start, w.End, zone)
	return &out
}

// Check says what is wrong with a window of a request.
func (w *Window) Check() error {
	if w.Weekdays == nil { // a part of a window was sent where none is
		return api.Wrong("sending_window.weekdays", "is required")
	}
	for _, d := range w.Weekdays {
		if !d.Valid() {
			return api.Wrong("sending_window.weekdays", "must be of MO, TU, WE, TH, FR, SA, SU")
		}
	}
	for _, f := range []struct{ name, at string }{{"start", w.Start}, {"end", w.End}} {
		if _, err := policy.ParseClock(f.at); err != nil {
			return api.Wrong("sending_window."+f.name, "%v", err)
		}
	}
	if w.Start == "24:00" {
		return api.Wrong("sending_window.start", "a window begins at 23:59 at the latest")
	}
	return nil
}

// Location is a zone that was checked when it was saved.
func Location(zone string) *time.Location {
	l, err := time.LoadLocation(zone)
	if err != nil {
		return time.UTC
	}
	return l
}

// MonthDay is a day of the month, 1 to 31, or LAST.
type MonthDay int

const lastDay = "LAST"

// noDay is what was given in place of a day; check refuses it.
const noDay = 99

// MarshalJSON writes the number, or "LAST".
func (d MonthDay) MarshalJSON() ([]byte, error) {
	if d == schedule.LastDay {
		return []byte(`"` + lastDay + `"`), nil
	}
	return json.Marshal(int(d))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *MonthDay) UnmarshalJSON(b []byte) error {
	if string(b) == `"`+lastDay+`"` {
		*d = schedule.LastDay
		return nil
	}
	var n int
	if err := json.Unmarshal(b, &n); err != nil || n < 1 || n > 31 {
		n = noDay
	}
	*d = MonthDay(n)
	return nil
}

// Schema describes it. The library is not to check it: of a choice it can say only that
// nothing fits. Repeat.Check says what does.
func (MonthDay) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Examples: []any{lastDay}, Extensions: map[string]any{"oneOf": []map[string]any{
		{"type": huma.TypeInteger, "minimum": 1, "maximum": 31}, {"type": huma.TypeString, "enum": []string{lastDay}}, {"type": "null"},
	}}}
}

// Repeat says how a campaign repeats (contract 4.3).
type Repeat struct {
	Frequency  schedule.Frequency `json:"frequency" required:"true" enum:"DAILY,WEEKLY,MONTHLY"`
	Interval   int                `json:"interval" minimum:"1" maximum:"12" default:"1"`
	Weekdays   []policy.Weekday   `json:"weekdays" maxItems:"7" enum:"MO,TU,WE,TH,FR,SA,SU" doc:"Of WEEKLY; the day of the first run when left out."`
	DayOfMonth *MonthDay          `json:"day_of_month" doc:"Of MONTHLY; a month without the day uses its last."`
	Time       string             `json:"time" required:"true" example:"09:00" doc:"HH:MM in its time zone."`
	Timezone   string             `json:"timezone" example:"Asia/Tashkent" doc:"The campaign's when left out."`
	Until      *time.Time         `json:"until" doc:"No run begins after it."`
	MaxRuns    *int               `json:"max_runs" minimum:"1" maximum:"1000" doc:"The first run counts."`
	Audience   string             `json:"audience" enum:"ALL,NEW_ONLY" default:"ALL" doc:"NEW_ONLY leaves out everybody whom an earlier run was planned for."`
}

// Rule is the arithmetic of it.
func (r *Repeat) Rule() schedule.Rule {
	at, _ := policy.ParseClock(r.Time) // was checked
	out := schedule.Rule{Frequency: r.Frequency, Interval: r.Interval, Weekdays: r.Weekdays, Time: at, Zone: Location(r.Timezone)}
	if r.DayOfMonth != nil {
		out.Day = int(*r.DayOfMonth)
	}
	if r.Until != nil {
		out.Until = *r.Until
	}
	return out
}

// Check makes it whole.
func (r *Repeat) Check(zone string) (err error) {
	if at, err := policy.ParseClock(r.Time); err != nil || at == 24*60 {
		return api.Wrong("repeat.time", "write a time of day as HH:MM, such as 09:30")
	}
	if r.Frequency == "" { // a part of a rule was sent where none is
		return api.Wrong("repeat.frequency", "is required")
	}
	r.Fill(zone)
	if r.Timezone, err = org.CheckZone("repeat.timezone", r.Timezone); err != nil {
		return err
	}
	switch {
	case r.DayOfMonth != nil && *r.DayOfMonth == noDay:
		return api.Wrong("repeat.day_of_month", "must be a day from 1 to 31, or %q", lastDay)
	case len(r.Weekdays) > 0 && r.Frequency != schedule.Weekly:
		return api.Wrong("repeat.weekdays", "only WEEKLY has weekdays; send null for them with another frequency")
	case r.DayOfMonth != nil && r.Frequency != schedule.Monthly:
		return api.Wrong("repeat.day_of_month", "only MONTHLY has a day of the month; send null for it with another frequency")
	}
	return nil
}

// Fill says what was left out.
func (r *Repeat) Fill(zone string) {
	r.Timezone, r.Interval, r.Audience = cmp.Or(r.Timezone, zone), max(r.Interval, 1), cmp.Or(r.Audience, "ALL")
}
