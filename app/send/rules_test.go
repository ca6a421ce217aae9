package send

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/messenger"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestPacing(t *testing.T) {
	now := at("2026-03-01T12:00:00Z")
	in := now.Add
	usual := pacing{interval: 8 * time.Second, limit: 150}
	with := func(edit func(*pacing)) pacing {
		p := usual
		edit(&p)
		return p
	}
	midnight := at("2026-03-02T00:00:00Z")
	for _, tt := range []struct {
		name  string
		p     pacing
		kind  Kind
		until time.Time
		why   Reason
	}{
		{"nothing sent yet", usual, Campaign, time.Time{}, ""},
		{"just sent", with(func(p *pacing) { p.last = now }), Campaign, in(8 * time.Second), ForPacing},
		{"just sent, a test", with(func(p *pacing) { p.last = now }), Test, in(8 * time.Second), ForPacing},
		{"just sent, a reply", with(func(p *pacing) { p.last = now }), Reply, time.Time{}, ""},
		{"just sent, a reply of the seller", with(func(p *pacing) { p.last = now }), AIReply, time.Time{}, ""},
		{"the interval is over", with(func(p *pacing) { p.last = in(-8 * time.Second) }), Campaign, time.Time{}, ""},
		{"a moment is left", with(func(p *pacing) { p.last = in(-8*time.Second + time.Millisecond) }), Campaign, in(time.Millisecond), ForPacing},
		{"the limit is reached", with(func(p *pacing) { p.sent = 150 }), Campaign, midnight, ForDailyLimit},
		{"one is left of the limit", with(func(p *pacing) { p.sent = 149 }), Campaign, time.Time{}, ""},
		{"the limit was lowered below", with(func(p *pacing) { p.sent, p.limit = 150, 10 }), Test, midnight, ForDailyLimit},
		{"the limit does not hold replies", with(func(p *pacing) { p.sent = 150 }), Reply, time.Time{}, ""},
		{"cooling down", with(func(p *pacing) { p.cooldown = in(time.Hour) }), Campaign, in(time.Hour), ForCooldown},
		{"cooling down holds replies", with(func(p *pacing) { p.cooldown = in(time.Hour) }), Reply, in(time.Hour), ForCooldown},
		{"a cooldown that is over", with(func(p *pacing) { p.cooldown = now }), Reply, time.Time{}, ""},
		{"the longest counts", with(func(p *pacing) { p.cooldown, p.sent = in(time.Hour), 150 }), Campaign, midnight, ForDailyLimit},
		{"not reached", with(func(p *pacing) { p.hold = in(time.Minute) }), Campaign, in(time.Minute), ForCooldown},
		{"not reached does not hold replies", with(func(p *pacing) { p.hold = in(time.Minute) }), Reply, time.Time{}, ""},
		{"without pacing", with(func(p *pacing) { p.off, p.last, p.sent = true, now, 150 }), Campaign, time.Time{}, ""},
		{"without pacing the platform is obeyed", with(func(p *pacing) { p.off, p.cooldown = true, in(time.Hour) }), Campaign, in(time.Hour), ForCooldown},
	} {
		if until, why := tt.p.next(tt.kind, now); !until.Equal(tt.until) || why != tt.why {
			t.Errorf("%s: %v %q, want %v %q", tt.name, until, why, tt.until, tt.why)
		}
	}
	for _, tt := range [][2]string{
		{"2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00Z"},
		{"2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"},
		{"2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"},
		{"2028-02-28T23:00:00+05:00", "2028-02-29T00:00:00Z"},
	} {
		if got := nextDay(at(tt[0])); !got.Equal(at(tt[1])) {
			t.Errorf("the UTC day after %s begins %v, want %s", tt[0], got, tt[1])
		}
	}
}

func TestWindow(t *testing.T) {
	work := []string{"MO", "TU", "WE", "TH", "FR"}
	every := []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}
	day := Window{work, "09:00", "18:00", "Asia/Tashkent"} // UTC+5
	night := Window{[]string{"FR"}, "22:00", "02:00", "Asia/Tashkent"}
	berlin := Window{every, "02:30", "04:00", "Europe/Berlin"}
	for _, tt := range []struct {
		name string
		w    Window
		at   string
		open bool
		next string // "" for never
	}{
		{"in the middle", day, "2026-03-02T07:00:00Z", true, ""},
		{"it opens", day, "2026-03-02T04:00:00Z", true, ""},
		{"a moment before", day, "2026-03-02T03:59:59.999Z", false, "2026-03-02T04:00:00Z"},
		{"it closes", day, "2026-03-02T13:00:00Z", false, "2026-03-03T04:00:00Z"},
		{"a moment before it closes", day, "2026-03-02T12:59:59.999Z", true, ""},
		{"Friday evening", day, "2026-03-06T13:00:00Z", false, "2026-03-09T04:00:00Z"},
		{"Sunday", day, "2026-03-08T08:00:00Z", false, "2026-03-09T04:00:00Z"},
		{"over midnight, before it", night, "2026-03-06T18:00:00Z", true, ""},
		{"over midnight, behind it", night, "2026-03-06T20:30:00Z", true, ""},
		{"over midnight, over", night, "2026-03-06T21:00:00Z", false, "2026-03-13T17:00:00Z"},
		{"over midnight, the night of another day", night, "2026-03-05T20:30:00Z", false, "2026-03-06T17:00:00Z"},
		{"to the end of the day", Window{every, "20:00", "24:00", "UTC"}, "2026-03-06T23:59:59Z", true, ""},
		{"all day", Window{every, "00:00", "24:00", "UTC"}, "2026-03-06T00:00:00Z", true, ""},
		// On 2026-03-29 the clocks of Berlin jump from 02:00 to 03:00, on 2026-10-25 back.
		{"the clocks jump over the start", berlin, "2026-03-29T00:59:59Z", false, "2026-03-29T01:00:00Z"},
		{"and it is open at once", berlin, "2026-03-29T01:00:00Z", true, ""},
		{"until its end in summer time", berlin, "2026-03-29T02:00:00Z", false, "2026-03-30T00:30:00Z"},
		{"a start that comes twice is the first", berlin, "2026-10-25T00:30:00Z", true, ""},
		{"before it", berlin, "2026-10-25T00:29:59Z", false, "2026-10-25T00:30:00Z"},
		{"so it lasts an hour longer", berlin, "2026-10-25T02:59:59Z", true, ""},
		{"until its end in winter time", berlin, "2026-10-25T03:00:00Z", false, "2026-10-26T01:30:00Z"},
		{"one that the jump swallows", Window{[]string{"SU"}, "02:10", "02:50", "Europe/Berlin"}, "2026-03-28T12:00:00Z", false, "2026-04-05T00:10:00Z"},
		{"empty", Window{every, "09:00", "09:00", "UTC"}, "2026-03-06T09:00:00Z", false, ""},
		{"on no day", Window{nil, "09:00", "10:00", "UTC"}, "2026-03-06T09:00:00Z", false, ""},
		{"a zone with half hours", Window{every, "09:00", "10:00", "Asia/Kolkata"}, "2026-03-06T03:29:00Z", false, "2026-03-06T03:30:00Z"},
	} {
		open, next, err := tt.w.Open(at(tt.at))
		want := time.Time{}
		if tt.next != "" {
			want = at(tt.next)
		}
		if err != nil || open != tt.open || !next.Equal(want) {
			t.Errorf("%s: %v, next %v, %v; want %v, next %v", tt.name, open, next.UTC(), err, tt.open, want)
		}
	}
	for _, w := range []Window{{every, "9:00", "10:00", "UTC"}, {every, "09:00", "25:00", "UTC"}, {every, "09:00", "10:00", "Mars/Base"}, {every, "", "10:00", "UTC"}} {
		if _, _, err := w.Open(at("2026-03-06T09:30:00Z")); err == nil {
			t.Errorf("%v can be read", w)
		}
	}
}

// TestWindowByMinute holds the window against the clocks of its zone, minute by
// minute through the weekends on which they change.
func TestWindowByMinute(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tashkent"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		w := Window{[]string{"FR", "SA", "SU", "MO"}, "08:00", "20:30", zone}
		for _, from := range []string{"2026-03-06T00:00:00Z", "2026-03-27T00:00:00Z", "2026-04-03T00:00:00Z", "2026-10-02T00:00:00Z", "2026-10-23T00:00:00Z", "2026-10-30T00:00:00Z"} {
			var closedUntil time.Time
			for now := at(from); now.Before(at(from).Add(4 * 24 * time.Hour)); now = now.Add(time.Minute) {
				open, next, err := w.Open(now)
				l := now.In(loc)
				m := l.Hour()*60 + l.Minute()
				want := slices.Contains(w.Weekdays, weekdays[l.Weekday()]) && m >= 8*60 && m < 20*60+30
				if err != nil || open != want {
					t.Fatalf("%s at %v (%v): open %v, %v", zone, now, l, open, err)
				}
				if open && now.Before(closedUntil) {
					t.Fatalf("%s: open at %v, which said that it opens %v", zone, now, closedUntil)
				}
				if closedUntil = next; !open && !next.After(now) {
					t.Fatalf("%s: closed at %v until %v", zone, now, next)
				}
			}
		}
	}
}

// TestJudge draws what becomes of a job after a try (contract 4.8).
func TestJudge(t *testing.T) {
	faults := []struct {
		name string
		e    *messenger.Error
	}{
		{"taken", nil},
		{"Flood", &messenger.Error{Fault: messenger.Flood, Code: "FLOOD_WAIT", Wait: 30 * time.Second}},
		{"Wait", &messenger.Error{Fault: messenger.Wait, Code: "SLOWMODE_WAIT", Wait: 7 * time.Second}},
		{"Restricted", &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"}},
		{"SessionEnded", &messenger.Error{Fault: messenger.SessionEnded, Code: "AUTH_KEY_UNREGISTERED"}},
		{"PeerUnreachable", &messenger.Error{Fault: messenger.PeerUnreachable, Code: "PRIVACY_RESTRICTED"}},
		{"PeerUnreachable?", &messenger.Error{Fault: messenger.PeerUnreachable, Code: "SOMETHING_NEW"}},
		{"ContentRefused", &messenger.Error{Fault: messenger.ContentRefused, Code: "MESSAGE_TOO_LONG"}},
		{"Busy", &messenger.Error{Fault: messenger.Busy, Code: "RPC_CALL_FAIL"}},
		{"Unreachable", &messenger.Error{Fault: messenger.Unreachable, Code: "TIMEOUT"}},
		{"RouteFailed", &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_AUTH"}},
		{"SignInRefused", &messenger.Error{Fault: messenger.SignInRefused, Code: "phone_number_banned"}},
		{"Refused", &messenger.Error{Fault: messenger.Refused, Code: "INPUT_METHOD_INVALID"}},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %5s  %-11s %-22s %6s %6s %5s %5s %5s\n", "fault", "try", "status", "code", "wait", "counts", "hold", "flood", "tell")
	for _, x := range faults {
		for attempts := range maxAttempts {
			f := judge(x.e, attempts)
			if attempts > 0 && f == judge(x.e, attempts-1) {
				continue
			}
			fmt.Fprintf(&b, "%-16s %5d  %-11s %-22s %6v %6v %5v %5v %5v\n", x.name, attempts+1, f.status, f.code, f.wait, f.counts, f.hold, f.flood, f.tell)
		}
	}
	golden(t, "testdata/judge.txt", b.String())
}

// golden compares with a file, or writes it with SVC_UPDATE=1.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("SVC_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs:\n%s", file, got)
	}
}

func TestWaitsFor(t *testing.T) {
	now := at("2026-03-01T12:00:00Z")
	in := now.Add
	paced := view{pacing: pacing{last: now, interval: 8 * time.Second, limit: 10}}
	full := view{pacing: pacing{sent: 10, limit: 10}}
	cooling := view{pacing: pacing{cooldown: in(time.Minute), limit: 10}}
	idle := view{pacing: pacing{limit: 10}, dueAt: in(-time.Minute)}
	free := view{pacing: pacing{limit: 10}, dueAt: now}
	held := view{pacing: pacing{limit: 10, hold: in(time.Minute)}, retryAt: in(time.Minute)}
	shared := view{pacing: pacing{limit: 10}, other: true}
	flooded := view{pacing: pacing{limit: 10}, retryAt: in(time.Minute)}
	for _, tt := range []struct {
		name   string
		lanes  []view
		closed bool
		paused bool
		want   Reason
	}{
		{"nothing to send", nil, false, false, ""},
		{"one is sending", []view{cooling, {sending: true}}, true, true, ""},
		{"between two messages", []view{paced}, false, false, ForPacing},
		{"an administrator paused the queue", []view{paced}, true, true, ForWorker},
		{"the window is closed", []view{paced, full}, true, false, ForWindow},
		{"all cool down", []view{cooling, cooling}, false, false, ForCooldown},
		{"the first to go on counts", []view{full, cooling, paced}, false, false, ForPacing},
		{"the limits are reached", []view{full, full}, false, false, ForDailyLimit},
		{"cooling down before the next day", []view{full, cooling}, false, false, ForCooldown},
		{"nobody works", []view{idle}, false, false, ForWorker},
		{"it is about to be picked up", []view{free}, false, false, ""},
		{"another campaign has its turn", []view{shared}, false, false, ForPacing},
		{"the platform was not reached", []view{held}, false, false, ForWorker},
		{"what is left is tried again later", []view{flooded}, false, false, ForCooldown},
	} {
		if got := waitsFor(tt.lanes, !tt.closed, tt.paused, now); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCounters(t *testing.T) {
	for _, c := range []Counters{{}, {Delivered: 1}, {1, 2, 3, 4, 5, 6, 7, 8}, {OptedOut: 3}} {
		b, err := c.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Counters
		if err := back.UnmarshalText(b); err != nil || back != c {
			t.Errorf("%v is %q, and read %v, %v", c, b, back, err)
		}
	}
}
