package calendar

import (
	"os"
	"testing"
	"time"

	"svc/messenger/platform"
)

func body(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/wire/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestWire: bodies as the calendar writes them are understood.
func TestWire(t *testing.T) {
	ctx := t.Context()
	from, to := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	e, err := asked(200, body(t, "event")).Get(ctx, "a", "me", "svc0190c0ffee")
	if err != nil || e.ID != "svc0190c0ffee" || e.Action != "cac_1" || e.Cancelled || e.ETag == "" || !e.Start.Equal(from.Add(11*time.Hour)) || e.End.Sub(e.Start) != 30*time.Minute || e.Created.IsZero() {
		t.Errorf("%+v %v", e, err)
	}
	list, err := asked(200, body(t, "events")).List(ctx, "a", "me", from, to)
	if err != nil || len(list) == 0 {
		t.Errorf("%+v %v", list, err)
	}
	for _, e := range list {
		if e.ID == "allday1" && (!e.Free || e.End.Sub(e.Start) != 24*time.Hour) || e.ID == "b" && (e.Free || e.End.Sub(e.Start) != time.Hour) {
			t.Errorf("%+v", e)
		}
	}
	busy, err := asked(200, body(t, "free_busy")).Busy(ctx, "a", "me", from, to)
	if err != nil || len(busy) != 1 || !busy[0].Start.Equal(from.Add(5*time.Hour)) {
		t.Errorf("%v %v", busy, err)
	}
	calendars, err := asked(200, body(t, "calendar_list")).Calendars(ctx, "a")
	if err != nil || len(calendars) != 1 || !calendars[0].Primary {
		t.Errorf("%v %v", calendars, err)
	}
	access, expires, err := asked(200, body(t, "token")).Refresh(ctx, "r")
	if err != nil || access != "ya29.x" || expires.IsZero() {
		t.Errorf("%v %v %v", access, expires, err)
	}
}

// TestWireFaults: what refuses says what to do.
func TestWireFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		fault  platform.Fault
	}{
		{"invalid_grant", 400, platform.TokenInvalid}, {"quota", 403, platform.Limited}, {"duplicate", 409, platform.Refused}, {"condition_not_met", 412, platform.Refused},
		{"free_busy_error", 200, platform.Gone},
	} {
		_, err := asked(c.status, body(t, c.name)).Busy(t.Context(), "a", "me", time.Unix(1, 0), time.Unix(2, 0))
		e := platform.As(err)
		if e == nil || e.Fault != c.fault {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.name == "quota" && e.Wait < time.Hour || c.name == "duplicate" && !Taken(err) || c.name == "condition_not_met" && !Changed(err) {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}
