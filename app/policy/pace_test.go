package policy

import (
	"testing"
	"time"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestPace(t *testing.T) {
	now := at("2026-03-01T12:00:00Z")
	in := now.Add
	usual := Pace{Interval: 8 * time.Second, Limit: 150, SentOn: now}
	with := func(edit func(*Pace)) Pace {
		p := usual
		edit(&p)
		return p
	}
	midnight := at("2026-03-02T00:00:00Z")
	for _, tt := range []struct {
		name  string
		p     Pace
		paced bool
		until time.Time
		why   Wait
	}{
		{"nothing sent yet", usual, true, time.Time{}, ""},
		{"just sent", with(func(p *Pace) { p.Last = now }), true, in(8 * time.Second), WaitPacing},
		{"just sent, a test", with(func(p *Pace) { p.Last = now }), true, in(8 * time.Second), WaitPacing},
		{"just sent, a reply", with(func(p *Pace) { p.Last = now }), false, time.Time{}, ""},
		{"just sent, a reply of the seller", with(func(p *Pace) { p.Last = now }), false, time.Time{}, ""},
		{"the interval is over", with(func(p *Pace) { p.Last = in(-8 * time.Second) }), true, time.Time{}, ""},
		{"a moment is left", with(func(p *Pace) { p.Last = in(-8*time.Second + time.Millisecond) }), true, in(time.Millisecond), WaitPacing},
		{"the limit is reached", with(func(p *Pace) { p.Sent = 150 }), true, midnight, WaitDailyLimit},
		{"one is left of the limit", with(func(p *Pace) { p.Sent = 149 }), true, time.Time{}, ""},
		{"the limit was lowered below", with(func(p *Pace) { p.Sent, p.Limit = 150, 10 }), true, midnight, WaitDailyLimit},
		{"the limit does not hold replies", with(func(p *Pace) { p.Sent = 150 }), false, time.Time{}, ""},
		{"cooling down", with(func(p *Pace) { p.Cooldown = in(time.Hour) }), true, in(time.Hour), WaitCooldown},
		{"cooling down holds replies", with(func(p *Pace) { p.Cooldown = in(time.Hour) }), false, in(time.Hour), WaitCooldown},
		{"a cooldown that is over", with(func(p *Pace) { p.Cooldown = now }), false, time.Time{}, ""},
		{"the longest counts", with(func(p *Pace) { p.Cooldown, p.Sent = in(time.Hour), 150 }), true, midnight, WaitDailyLimit},
		{"not reached", with(func(p *Pace) { p.Hold = in(time.Minute) }), true, in(time.Minute), WaitCooldown},
		{"not reached does not hold replies", with(func(p *Pace) { p.Hold = in(time.Minute) }), false, time.Time{}, ""},
		{"without pacing", with(func(p *Pace) { p.Off, p.Last, p.Sent = true, now, 150 }), true, time.Time{}, ""},
		{"without pacing the platform is obeyed", with(func(p *Pace) { p.Off, p.Cooldown = true, in(time.Hour) }), true, in(time.Hour), WaitCooldown},
	} {
		if until, why := tt.p.Next(tt.paced, now); !until.Equal(tt.until) || why != tt.why {
			t.Errorf("%s: %v %q, want %v %q", tt.name, until, why, tt.until, tt.why)
		}
	}
	for _, tt := range [][2]string{
		{"2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00Z"},
		{"2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"},
		{"2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"},
		{"2028-02-28T23:00:00+05:00", "2028-02-29T00:00:00Z"},
	} {
		if got := NextDay(at(tt[0])); !got.Equal(at(tt[1])) {
			t.Errorf("the UTC day after %s begins %v, want %s", tt[0], got, tt[1])
		}
	}
}
