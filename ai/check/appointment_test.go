package check_test

import (
	"testing"
	"time"

	"svc/ai/check"
)

// TestAppointment: a reply asks for exactly the time that a yes confirms, and offers none that
// is not free.
func TestAppointment(t *testing.T) {
	zone := time.FixedZone("", 5*3600)
	at := func(day, hour int) time.Time { return time.Date(2026, 12, day, hour, 0, 0, 0, zone) }
	asks := func(known ...time.Time) *check.Appointment {
		return &check.Appointment{Start: at(10, 15), Asks: true, Known: append(known, at(10, 16))}
	}
	taken := &check.Appointment{Start: at(10, 15), Taken: true}
	for _, tt := range []struct {
		name, reply string
		of          *check.Appointment
		passes      bool
	}{
		{"the exact time", "10.12.2026 soat 15:00 ga yozaymi?", asks(), true},
		{"from and to", "Подтверждаете 10.12.2026, 15:00–16:00?", asks(), true},
		{"in words", "Shall I book 10 December at 3 pm?", asks(), true},
		{"the hour alone", "Soat 15:00 boʻladimi?", asks(), true},
		{"another time", "10.12.2026 soat 17:00 boʻladimi?", asks(), false},
		{"a choice", "15:00 yoki 17:00 boʻladimi?", asks(), false},
		{"another day", "11.12.2026 soat 15:00 ga yozaymi?", asks(), false},
		{"no time", "Gullarimiz juda chiroyli.", asks(), false},
		{"with the one that stands", "11.12.2026 11:00 dagi uchrashuvni 10.12.2026 15:00 ga koʻchiraymi?", asks(at(11, 11)), true},
		{"a taken time refused", "Afsuski, 10.12.2026 soat 15:00 band.", taken, true},
		{"in Russian", "К сожалению, в 15:00 занято.", taken, true},
		{"in English", "Unfortunately 15:00 is not free.", taken, true},
		{"a taken time offered", "10.12.2026 soat 15:00 vaqtida sizni kutamiz!", taken, false},
		{"a taken time asked for", "Подтверждаете 15:00?", taken, false},
		{"other times offered", "Bu vaqt boʻsh emas. 17:00 boʻladimi?", taken, true},
		{"the same hour of another day offered", "Afsuski, bu vaqt boʻsh emas. Boʻsh vaqtlar: 12.12.2026 14:00, 15:00. Qaysi biri qulay?", taken, true},
		{"the same in English", "Unfortunately that time is not free. Would 15:00 on 12 December suit you?", taken, true},
		{"that day offered", "Boʻsh vaqtlar: 10.12.2026 14:00, 15:00. Qaysi biri qulay?", taken, false},
		{"nothing is said of a time", "Qaysi vaqt sizga qulay?", &check.Appointment{}, true},
	} {
		in := check.Input{
			Reply: tt.reply, Appointment: tt.of, CalendarConnected: true, ChannelLimit: 4096, ChannelUnit: check.UTF16, Now: at(1, 9), Zone: zone,
		}
		passes := true
		for _, r := range check.Run(in) {
			if r.Code == check.InvalidAction {
				passes = r.Passed
			}
		}
		if passes != tt.passes {
			t.Errorf("%s: %q passes: %v", tt.name, tt.reply, passes)
		}
	}
}

// TestSameWordsAboutAppointments: what becomes of a second appointment may be told in the words
// of the first.
func TestSameWordsAboutAppointments(t *testing.T) {
	const reply = "Rahmat! Shu vaqt boʻyicha hozir xabar beramiz."
	for _, about := range []*check.Appointment{nil, {}} {
		for _, r := range check.Run(check.Input{Reply: reply, Own: []string{reply}, Appointment: about, ChannelLimit: 4096, ChannelUnit: check.UTF16}) {
			if r.Code == check.Repetition && r.Passed != (about != nil) {
				t.Errorf("about an appointment: %v, passes: %v", about != nil, r.Passed)
			}
		}
	}
}
