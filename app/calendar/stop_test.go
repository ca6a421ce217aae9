package calendar

import (
	"context"
	"testing"

	"svc/store/queue"
	"svc/store/storetest"
)

// TestStopIsNoAnswer: svc that stops in the middle of the last try of an action has not heard from
// the calendar: the action goes on at the next start.
func TestStopIsNoAnswer(t *testing.T) {
	w := newWorld(t, storetest.NewClock())
	a := w.propose(Create, "cnv_1", w.on(10, 0), "")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := w.s.execute(ctx, queue.Job{Attempts: mostTries, MaxAttempts: mostTries}, executing{w.Org, a.ID}); err == nil {
		t.Error("the try has an end")
	}
	w.want(a, Executing, "")
}
