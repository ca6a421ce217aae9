package send

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"svc/app/send/sendtest"
	"svc/messenger"
)

// TestStop: the message under way ends and is stored; one that takes longer than ten
// seconds is cut off, does not count, and is sent with the same number later.
func TestStop(t *testing.T) {
	for _, takes := range []time.Duration{9 * time.Second, time.Hour} {
		bubble(t, Options{}, func(w *harness) {
			a := w.account("")
			people := w.people(1, 2)
			var ids []int64
			w.p.Accept(func(ctx context.Context, m sendtest.Accepted) (bool, error) {
				ids = append(ids, m.RandomIDs...)
				select {
				case <-time.After(takes):
					return true, nil
				case <-ctx.Done():
					return false, ctx.Err()
				}
			})
			b := w.campaign([]string{a}, people, nil)
			w.run()
			w.after(time.Second)
			began := time.Now()
			w.stop()
			if took := time.Since(began); took > grace {
				t.Errorf("the stop took %v", took)
			}
			j := w.job(b, people[0])
			if want := takes < grace; (j.Status == Delivered) != want || j.Attempts > 1 || !want && j.Attempts != 0 {
				t.Errorf("a message of %v: %+v", takes, j)
			}
			w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
				ids = append(ids, m.RandomIDs...)
				return true, nil
			})
			w.restart()
			w.after(time.Minute)
			if got := w.totals(b); got[Delivered] != 2 {
				t.Errorf("after the start: %v", got)
			}
			if takes > grace && ids[0] != ids[1] {
				t.Errorf("the numbers were %v", ids)
			}
		})
	}
}

// TestStopWithoutConnections: a message whose connection ends because the service
// stops does not count as a fault of the platform.
func TestStopWithoutConnections(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 1)
		gone := make(chan struct{})
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			<-gone
			return true, fails(messenger.Unreachable, "CLOSED", 0)
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(time.Second)
		time.AfterFunc(time.Second, func() { close(gone) })
		w.stop()
		if j := w.job(b, people[0]); j.Status != Waiting || j.Attempts != 0 || j.ErrorCode != "" || !j.RunAt.IsZero() {
			t.Errorf("the job is %+v", j)
		}
		w.p.Accept(nil)
		w.restart()
		w.after(time.Second)
		if got := w.totals(b); got[Delivered] != 1 || len(w.p.Took()) != 1 {
			t.Errorf("after the start: %v", got)
		}
	})
}

// TestOurFaults: a job that cannot be prepared ends after three claims and holds
// nobody up for longer; neighbours in the same transaction do not notice.
func TestOurFaults(t *testing.T) {
	for _, panics := range []bool{false, true} {
		bubble(t, Options{NoPacing: true}, func(w *harness) {
			accounts := []string{w.account(""), w.account("")}
			people := w.people(1, 6)
			w.words = func(j *Job) (Draft, error) {
				switch {
				case j.Username != "person_3":
					return Draft{Text: "Hello"}, nil
				case panics:
					panic("our mistake")
				}
				return Draft{}, errors.New("our mistake")
			}
			b := w.campaign(accounts, people, nil)
			w.run()
			w.after(100 * time.Millisecond)
			if got := w.totals(b); got[Delivered] != 4 {
				t.Errorf("the others: %v", got)
			}
			w.after(time.Minute)
			j := w.job(b, people[2])
			if j.Status != Failed || j.ErrorCode != internalError || !slices.Equal(w.outcomes(j.ID), []Status{Failed}) {
				t.Errorf("panics %v: %+v", panics, j)
			}
			if got := w.totals(b); got[Delivered] != 5 {
				t.Errorf("in the end: %v", got)
			}
		})
	}
}
