package org

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
)

// Hours are the times of day at which campaigns may send, by the clocks of a campaign's
// time zone. Hours whose end is not after their start end on the next day.
type Hours struct {
	Weekdays []string `json:"weekdays" enum:"MO,TU,WE,TH,FR,SA,SU" doc:"The days on which they begin."`
	Start    string   `json:"start" example:"09:00" doc:"HH:MM."`
	End      string   `json:"end" example:"20:00" doc:"HH:MM; 24:00 is the end of the day."`
}

var week = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// usualHours hold where an organization chose none (contract 21.1, Night).
func usualHours() *Hours { return &Hours{Weekdays: slices.Clone(week), Start: "09:00", End: "20:00"} }

// SendingHours are what a new campaign gets that says nothing of its own; nil: nothing,
// because the organization chose so (contract 21.1, Night).
func (o *Organization) SendingHours() *Hours {
	switch {
	case o.AnyHour:
		return nil
	case o.DefaultHours == nil:
		return usualHours()
	}
	h := *o.DefaultHours
	h.Weekdays = slices.Clone(h.Weekdays)
	return &h
}

// hoursIn changes some of the default hours; what is absent stays.
type hoursIn struct {
	Weekdays api.Patch[[]string] `json:"weekdays" maxItems:"7" enum:"MO,TU,WE,TH,FR,SA,SU" doc:"At least one; every day when the organization had no hours before."`
	Start    api.Patch[string]   `json:"start" example:"09:00" doc:"HH:MM."`
	End      api.Patch[string]   `json:"end" example:"20:00" doc:"HH:MM; 24:00 is the end of the day."`
}

// apply writes the hours of a request to o; nil are none.
func (in *hoursIn) apply(o *Organization) error {
	if in == nil {
		o.DefaultHours, o.AnyHour = nil, true
		return nil
	}
	h := o.SendingHours()
	if h == nil {
		h = usualHours()
	}
	in.Weekdays.Apply(&h.Weekdays)
	in.Start.Apply(&h.Start)
	in.End.Apply(&h.End)
	if err := h.check("default_sending_window"); err != nil {
		return err
	}
	o.DefaultHours, o.AnyHour = h, false
	return nil
}

// check puts the days in order, or says what is wrong, as validation_failed below field.
func (h *Hours) check(field string) error {
	var days []string
	for _, d := range week {
		if slices.Contains(h.Weekdays, d) {
			days = append(days, d)
		}
	}
	for _, d := range h.Weekdays {
		if !slices.Contains(week, d) {
			return api.Wrong(field+".weekdays", "must be of %s", strings.Join(week, ", "))
		}
	}
	switch {
	case len(days) == 0:
		return api.Wrong(field+".weekdays", "must name a day at least; send null for %s to let campaigns send at any time", field)
	case !timeOfDay(h.Start):
		return api.Wrong(field+".start", "write a time of day as HH:MM, such as 09:00")
	case h.End != "24:00" && !timeOfDay(h.End):
		return api.Wrong(field+".end", "write a time of day as HH:MM, such as 20:00")
	case h.Start == h.End:
		return api.Wrong(field+".end", "must not be the start; send null for %s to let campaigns send at any time", field)
	}
	h.Weekdays = days
	return nil
}

func timeOfDay(s string) bool {
	_, err := time.Parse("15:04", s)
	return err == nil && len(s) == len("15:04")
}
