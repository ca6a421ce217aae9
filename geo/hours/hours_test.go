package hours

import (
	"encoding/json"
	"testing"
	"time"
)

// at is a moment of the week that starts on Monday, 3 November 2025, in
// Tashkent: the day (0 is Monday) and HH:MM:SS.
func at(t testing.TB, d int, clock string) time.Time {
	t.Helper()
	c, err := time.Parse(time.TimeOnly, clock)
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2025, 11, 3+d, c.Hour(), c.Minute(), c.Second(), 0, Tashkent)
}

func TestAt(t *testing.T) {
	const work = "Mo-Fr 09:00-18:00"
	for _, c := range []struct {
		raw   string
		day   int
		clock string
		want  string
	}{
		{work, 0, "08:59:59", `{"open":false,"known":true,"next_change":"09:00","opens_soon":true}`},
		{work, 0, "08:00:00", `{"open":false,"known":true,"next_change":"09:00","opens_soon":true}`},
		{work, 0, "07:59:59", `{"open":false,"known":true,"next_change":"09:00"}`},
		{work, 0, "09:00:00", `{"open":true,"known":true,"next_change":"18:00"}`},
		{work, 0, "16:59:59", `{"open":true,"known":true,"next_change":"18:00"}`},
		{work, 0, "17:00:00", `{"open":true,"known":true,"next_change":"18:00","closes_soon":true}`},
		{work, 0, "17:59:59", `{"open":true,"known":true,"next_change":"18:00","closes_soon":true}`},
		{work, 0, "18:00:00", `{"open":false,"known":true,"next_change":"09:00","next_day":1}`},
		{work, 0, "03:00:00", `{"open":false,"known":true,"next_change":"09:00"}`},
		{work, 4, "18:00:00", `{"open":false,"known":true,"next_change":"09:00","next_day":3}`},
		{work, 5, "12:00:00", `{"open":false,"known":true,"next_change":"09:00","next_day":2}`},
		{work, 6, "23:59:59", `{"open":false,"known":true,"next_change":"09:00","next_day":1}`},
		{"Mo-Fr 00:30-18:00", 6, "23:45:00", `{"open":false,"known":true,"next_change":"00:30","opens_soon":true,"next_day":1}`},

		// past midnight: yesterday's span is still open
		{"20:00-02:00", 0, "01:30:00", `{"open":true,"known":true,"next_change":"02:00","closes_soon":true}`},
		{"20:00-02:00", 0, "02:00:00", `{"open":false,"known":true,"next_change":"20:00"}`},
		{"20:00-02:00", 0, "23:00:00", `{"open":true,"known":true,"next_change":"02:00"}`},
		{"Su 20:00-02:00", 0, "01:00:00", `{"open":true,"known":true,"next_change":"02:00","closes_soon":true}`},
		{"Su 20:00-02:00", 0, "02:00:00", `{"open":false,"known":true,"next_change":"20:00","next_day":6}`},
		{"Mo 20:00-02:00", 0, "01:00:00", `{"open":false,"known":true,"next_change":"20:00"}`},

		// two spans a day
		{"09:00-13:00,14:00-18:00", 2, "12:30:00", `{"open":true,"known":true,"next_change":"13:00","closes_soon":true}`},
		{"09:00-13:00,14:00-18:00", 2, "13:00:00", `{"open":false,"known":true,"next_change":"14:00","opens_soon":true}`},

		// days that follow each other without a gap are no change
		{"Mo-Fr 00:00-24:00", 1, "23:30:00", `{"open":true,"known":true,"next_change":"00:00"}`},
		{"Mo-Fr 00:00-24:00", 4, "23:30:00", `{"open":true,"known":true,"next_change":"00:00","closes_soon":true}`},
		{"Mo 10:00-24:00; Tu 00:00-12:00", 0, "23:30:00", `{"open":true,"known":true,"next_change":"12:00"}`},
		{"Su 10:00-24:00; Mo 00:00-12:00", 6, "23:30:00", `{"open":true,"known":true,"next_change":"12:00"}`},
		{"24/7; We off", 1, "23:30:00", `{"open":true,"known":true,"next_change":"00:00","closes_soon":true}`},
		{"24/7; We off", 2, "12:00:00", `{"open":false,"known":true,"next_change":"00:00","next_day":1}`},
		{"24/7; We off", 3, "12:00:00", `{"open":true,"known":true,"next_change":"00:00"}`},

		// the whole week, none of it, and nothing known
		{"24/7", 3, "23:59:59", `{"open":true,"known":true,"all_day":true}`},
		{"09:00-09:00", 3, "09:00:00", `{"open":true,"known":true,"all_day":true}`},
		{"off", 3, "12:00:00", `{"open":false,"known":true}`},
		{"sunrise-sunset", 3, "12:00:00", `{"open":false,"known":false}`},

		// one opening a week: the next one is up to seven days ahead
		{"Mo 09:00-10:00", 0, "10:00:00", `{"open":false,"known":true,"next_change":"09:00","next_day":7}`},
		{"Mo 09:00-10:00", 1, "10:00:00", `{"open":false,"known":true,"next_change":"09:00","next_day":6}`},
	} {
		s := Parse(c.raw)
		got, err := json.Marshal(s.At(at(t, c.day, c.clock), Where{}))
		if err != nil || string(got) != c.want {
			t.Errorf("%s on day %d at %s: %s, %v, want %s", c.raw, c.day, c.clock, got, err, c.want)
		}
	}
}

// The zone of the caller's clock does not matter: 13:00 in Tashkent is 08:00 in
// London and still 13:00.
func TestAtIgnoresTheZoneOfTheClock(t *testing.T) {
	s := Parse("Mo 13:00-14:00; Tu off")
	moment := at(t, 0, "13:30:00")
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("west", -11*3600), time.FixedZone("east", 14*3600), time.Local} {
		if st := s.At(moment.In(zone), Where{}); !st.Open || st.NextChange != "14:00" {
			t.Errorf("in %v: %+v", zone, st)
		}
	}
	if _, offset := moment.Zone(); offset != 5*3600 {
		t.Errorf("Tashkent is %d seconds from UTC", offset)
	}
}

func FuzzHours(f *testing.F) {
	for _, s := range []string{"24/7", "Mo-Fr 09:00-18:00; Sa,Su 10-14", "20:00-02:00", "Пн–Пт с 9 до 18, обед 13-14", "PH off",
		"closed Sa, Su", "выходные 10-15", "18:00+", "9am-6pm", "\"x\" || 9-18", "без", "перерыв", "Mo-", "24 h",
		"Jan-Jun Mo-Fr 9-18; Jul-Dec off", "Mar 21-Sep 20 08:00-20:00", "week 10-20/2 Sa 10:00-12:00", "2026-2028 Dec 24-Jan 6 off", "Mo[1,-1] 9:00-12:00",
		"(sunrise+01:00)-(sunset-00:30)", "dawn-dusk; PH +1 day off", "SH Mo-Fr 10:00-12:00 \"maybe\" || unknown", "easter -2 days off", "Mar Su[-1]-Oct Su[-1] 10:00-26:00+"} {
		f.Add(s, int64(1762140000))
	}
	f.Fuzz(func(t *testing.T, raw string, unix int64) {
		h := Parse(raw)
		now := time.Unix(unix%(1<<33), 0)
		for _, w := range []Where{{}, {41.31, 69.24, "UZ"}, {71, -25, "RU"}, {35.9, 14.5, "MT"}} {
			checkWeek(t, raw, h.Week(now, w))
			checkStatus(t, h, now, w)
		}
	})
}

// checkWeek holds for every schedule.
func checkWeek(t *testing.T, raw string, s Schedule) {
	t.Helper()
	total := 0
	for d, spans := range s.Days {
		if spans == nil {
			t.Fatalf("%q: day %d is nil", raw, d)
		}
		for i, span := range spans {
			if span.Open < 0 || span.Open >= day || span.Close <= span.Open || span.Close > 3*day {
				t.Fatalf("%q: day %d has %+v", raw, d, span)
			}
			if i > 0 && span.Open <= spans[i-1].Close {
				t.Fatalf("%q: day %d is not sorted or overlaps: %v", raw, d, spans)
			}
			total++
		}
	}
	if s.Unparsed && (total > 0 || s.AllDay) {
		t.Fatalf("%q: unparsed with %d spans, all day %v", raw, total, s.AllDay)
	}
}

// checkStatus looks at the status one minute before the change that it announces and
// at the change.
func checkStatus(t *testing.T, h *Hours, now time.Time, w Where) {
	t.Helper()
	st := h.At(now, w)
	if !st.Known || st.NextChange == "" {
		if st.ClosesSoon || st.OpensSoon || !st.Known && (st.Open || st.AllDay || st.NextChange != "") {
			t.Fatalf("%q at %v: %+v", h.raw, now.In(Tashkent), st)
		}
		return
	}
	clock, err := time.Parse("15:04", st.NextChange)
	if err != nil {
		t.Fatal(err)
	}
	local := now.In(Tashkent)
	change := time.Date(local.Year(), local.Month(), local.Day()+st.NextDay, clock.Hour(), clock.Minute(), 0, 0, Tashkent)
	for n := 0; !change.After(now) || n == 0 && st.Open && h.At(change.Add(-time.Minute), w).Open != st.Open; n++ {
		change = change.AddDate(0, 0, 1)
	}
	for st.Open && h.At(change, w).Open && change.Before(now.AddDate(0, 0, 8)) { // a closing on a later day
		change = change.AddDate(0, 0, 1)
	}
	if before := h.At(change.Add(-time.Minute), w); change.Add(-time.Minute).After(now) && (before.Open != st.Open || !before.Known) {
		t.Fatalf("%q at %v: %+v, but a minute before %v it is %+v", h.raw, local, st, change, before)
	}
	if then := h.At(change, w); then.Known && then.Open == st.Open {
		t.Fatalf("%q at %v: %+v, but at %v it is %+v", h.raw, local, st, change, then)
	}
	if soonNow := change.Sub(now) <= time.Hour; soonNow != (st.ClosesSoon || st.OpensSoon) || st.OpensSoon && st.Open || st.ClosesSoon && !st.Open {
		t.Fatalf("%q at %v: %+v", h.raw, local, st)
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse("Mo-Fr 09:00-13:00,14:00-18:00; Sa 10:00-14:00; Su,PH off")
	}
}

func BenchmarkAt(b *testing.B) {
	s := Parse("Mo-Fr 09:00-13:00,14:00-18:00; Sa 10:00-14:00; Su,PH off")
	now := at(b, 2, "12:30:00")
	b.ReportAllocs()
	for b.Loop() {
		s.At(now, Where{41.31, 69.24, "UZ"})
	}
}
