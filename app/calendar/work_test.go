package calendar

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/app/calendar/slot"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/storetest"
)

// TestOnce: whatever of the calls of a booking is lost, and wherever its process ends, there is
// one event (contract 14.4).
func TestOnce(t *testing.T) {
	for _, scene := range []string{
		"", "at 1 inserts drop answer", "at 1 inserts drop request", "at 1 queries drop answer", "at 1 lists drop answer", "at 1 gets drop answer",
		"at 1 inserts error 403", "at 1 inserts error 500",
	} {
		for _, kill := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s kill=%v", scene, kill), func(t *testing.T) {
				w := newWorld(t, storetest.NewClock())
				if scene != "" {
					w.script(scene)
				}
				a := w.propose(Create, "cnv_1", w.on(10, 0), "")
				if kill {
					_ = w.try(a, true) // what came of it is lost
				}
				for n := 0; w.get(a.ID).Status == Executing; n++ {
					if n == mostTries {
						t.Fatal("it never ended")
					}
					if err := w.try(a, false); err != nil && platform.As(err) == nil {
						t.Fatal(err)
					}
				}
				got := w.want(a, Completed, "")
				if got.EventID != EventID(a.ID) || !got.StartsAt.Equal(w.on(10, 0).Start) || got.EventURL == "" {
					t.Errorf("%+v", got)
				}
				if list := w.events(); len(list) != 1 {
					t.Errorf("events %v", list)
				}
			})
		}
	}
}

// TestRefused: what keeps a booking from being made.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, scene string
		hour, min   int
		code        Code
	}{
		{"busy", "now calendar busy %s 30m", 10, 0, SlotTaken},
		{"within the buffer", "now calendar busy %s 30m", 10, 30, SlotTaken},
		{"taken in the moment of booking", "at 1 inserts taken", 10, 0, SlotTaken},
		{"no multiple of the step", "", 10, 10, OutsideHours},
		{"the calendar is gone", "now calendar gone", 10, 0, NotConnected},
		{"an error inside the answer", "now calendar unreadable notFound", 10, 0, NotConnected},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, storetest.NewClock())
			if c.scene != "" {
				if c.hour == 10 && c.scene[:4] == "now " && c.scene[len(c.scene)-3:] == "30m" {
					c.scene = fmt.Sprintf(c.scene, w.on(10, 0).Start.Format(time.RFC3339))
				}
				w.script(c.scene)
			}
			a := w.propose(Create, "cnv_1", w.on(c.hour, c.min), "")
			w.run(a)
			w.want(a, Failed, c.code)
			if list := w.events(); len(list) != 0 {
				t.Errorf("events %v", list)
			}
			if n := len(w.ended); n == 0 || w.ended[n-1].Action.Code != c.code {
				t.Errorf("nobody heard of it: %+v", w.ended)
			}
		})
	}
}

// run does what the job does with the last try.
func (w *world) run(a Action) {
	w.t.Helper()
	err := w.try(a, false)
	if e := platform.As(err); e != nil && e.Fault == platform.Gone {
		var t *task
		storetest.View(w.t, w.db, func(tx *store.Tx) (err error) {
			t, err = w.s.load(tx, w.Org, a.ID)
			return err
		})
		err = w.db.Update(w.t.Context(), func(tx *store.Tx) error { return w.s.settle(tx, t, &done{code: NotConnected}) })
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestTwoCustomersOneSlot: the first has it.
func TestTwoCustomersOneSlot(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	a, b := w.propose(Create, "cnv_1", w.on(10, 0), ""), w.propose(Create, "cnv_2", w.on(10, 0), "")
	w.run(a)
	w.run(b)
	w.want(a, Completed, "")
	w.want(b, Failed, SlotTaken)
	if list := w.events(); len(list) != 1 {
		t.Errorf("events %v", list)
	}
}

// TestDeletedByPerson: an id that was used stays taken; a new action asks again.
func TestDeletedByPerson(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	w.script("at 1 inserts drop answer")
	a := w.propose(Create, "cnv_1", w.on(10, 0), "")
	if platform.As(w.try(a, false)) == nil {
		t.Fatal("the answer was not lost")
	}
	w.script("now calendar delete last")
	w.run(a)
	w.want(a, Failed, CalendarError)
	b := w.propose(Create, "cnv_1", w.on(10, 0), "")
	w.run(b)
	w.want(b, Completed, "")
}

// TestMove: an appointment moves once; one that a person moved or deleted stays as it is.
func TestMove(t *testing.T) {
	for _, c := range []struct {
		name, scene string
		status      ActionStatus
		code        Code
		hour        int // where the event is afterwards, 0: nowhere
	}{
		{"moved", "", Completed, "", 14},
		{"lost answer", "at 1 patches drop answer", Completed, "", 14},
		{"moved by a person", "now calendar move last %s", Failed, CalendarError, 17},
		{"deleted by a person", "now calendar delete last", Failed, CalendarError, 0},
		{"the new time is taken", "now calendar busy %s 15m", Failed, SlotTaken, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, storetest.NewClock())
			a := w.propose(Create, "cnv_1", w.on(10, 0), "")
			w.run(a)
			made := w.want(a, Completed, "")
			switch {
			case c.name == "moved by a person":
				w.script(fmt.Sprintf(c.scene, w.on(17, 0).Start.Format(time.RFC3339)))
			case c.name == "the new time is taken":
				w.script(fmt.Sprintf(c.scene, w.on(14, 0).Start.Format(time.RFC3339)))
			case c.scene != "":
				w.script(c.scene)
			}
			b := w.propose(Update, "cnv_1", w.on(14, 0), made.EventID)
			for w.get(b.ID).Status == Executing {
				if err := w.try(b, false); err != nil && platform.As(err) == nil {
					t.Fatal(err)
				}
			}
			w.want(b, c.status, c.code)
			want := []string{"Visit " + w.on(c.hour, 0).Start.Format(time.RFC3339)}
			if c.hour == 0 {
				want = nil
			}
			if got := w.events(); !slices.Equal(got, want) {
				t.Errorf("events %v, want %v", got, want)
			}
		})
	}
}

// TestCancel: an appointment is deleted; one that is gone already is no error.
func TestCancel(t *testing.T) {
	for _, scene := range []string{"", "at 1 deletes drop answer", "now calendar delete last", "now calendar move last 2030-01-01T10:00Z"} {
		t.Run(scene, func(t *testing.T) {
			w := newWorld(t, storetest.NewClock())
			a := w.propose(Create, "cnv_1", w.on(10, 0), "")
			w.run(a)
			if scene != "" {
				w.script(scene)
			}
			b := w.propose(Cancel, "cnv_1", w.on(10, 0), EventID(a.ID))
			for w.get(b.ID).Status == Executing {
				if err := w.try(b, false); err != nil && platform.As(err) == nil {
					t.Fatal(err)
				}
			}
			w.want(b, Completed, "")
			if got := w.events(); len(got) != 0 {
				t.Errorf("events %v", got)
			}
			storetest.View(t, w.db, func(tx *store.Tx) error {
				list, err := BookingsIn(tx, w.Org, "cnv_1")
				if len(list) != 0 {
					t.Errorf("bookings %v", list)
				}
				return err
			})
		})
	}
}

// TestConsentEnds: it is noted once, and what waits for a person is kept (contract 14.1).
func TestConsentEnds(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	var a Action
	storetest.Update(t, w.db, func(tx *store.Tx) (err error) {
		at := w.on(10, 0)
		a, err = w.s.Propose(tx, w.Call(), w.Org, w.origin("cnv_1"), Proposal{Type: Create, Extracted: Extracted{Title: "Visit", Start: at.Start, End: at.End}})
		return err
	})
	w.clock.Add(2 * time.Hour)
	w.script("now calendar revoke")
	ended := make(chan error)
	for range 8 {
		go func() {
			_, err := w.s.access(t.Context(), w.Org, "")
			ended <- err
		}()
	}
	for range 8 {
		if err := <-ended; err == nil {
			t.Error("the consent is over, and yet there is an access")
		}
	}
	if n := w.sim.Calendar.State().Calls["refreshes"]; n != 1 {
		t.Errorf("%d asked for a new access", n)
	}
	w.want(a, Pending, "")
	if got := w.Do("GET /ai/calendar", nil).Want(200); got.String("status") != "NEEDS_REAUTH" || got.String("account_email") != simEmail {
		t.Error(got.Body)
	}
	w.connect()
	w.Do("POST /ai/calendar/actions/"+a.ID+"/confirm", nil).Want(200)
	w.run(a)
	w.want(a, Completed, "")
}

const simEmail = "demo@svc.example"

// TestOneRefresh: of many who need a new access one asks for it.
func TestOneRefresh(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	w.clock.Add(2 * time.Hour)
	ended := make(chan error)
	for range 16 {
		go func() {
			_, err := w.s.access(t.Context(), w.Org, "")
			ended <- err
		}()
	}
	for range 16 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if n := w.sim.Calendar.State().Calls["refreshes"]; n != 1 {
		t.Errorf("%d asked for a new access", n)
	}
}

// TestFind: what is found can be booked, and an action says that somebody looked.
func TestFind(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	w.script("now calendar busy " + w.on(10, 0).Start.Format(time.RFC3339) + " 1h")
	found, err := w.s.Find(t.Context(), w.Org, w.origin("cnv_1"))
	if err != nil {
		t.Fatal(err)
	}
	w.want(Action{ID: found.Action}, Completed, "")
	has := func(s slot.Span) bool { return slices.Contains(found.Free, s) }
	if !has(w.on(9, 0)) || has(w.on(9, 30)) || has(w.on(10, 30)) || has(w.on(11, 0)) || !has(w.on(11, 30)) {
		t.Errorf("free %v", found.Free)
	}
	looked, err := w.s.Check(t.Context(), w.Org, w.origin("cnv_1"), w.on(11, 30))
	if err != nil || !slices.Contains(looked.Free, w.on(11, 30)) {
		t.Errorf("%v %v", looked.Free, err)
	}
}

// TestList: actions are listed by what they are and where they come from.
func TestList(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	a := w.propose(Create, "cnv_1", w.on(10, 0), "")
	for _, q := range []string{"", "?type=CREATE", "?status=EXECUTING", "?conversation_id=cnv_1", "?business_id=" + w.shop} {
		if got := w.Do("GET /ai/calendar/actions"+q, nil).Want(200); got.String("data.0.id") != a.ID || got.Int("total") != 1 {
			t.Errorf("%s: %s", q, got.Body)
		}
	}
	if got := w.Do("GET /ai/calendar/actions?type=FIND", nil).Want(200); got.Int("total") != 0 {
		t.Error(got.Body)
	}
}
