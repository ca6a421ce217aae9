package queue_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
)

// TestClockSetBack: jobs that are ready, that wait for another try and that come back
// after a while run although the clock was set back by an hour; one that was asked for at
// a time runs when the clock says so.
func TestClockSetBack(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		failed := false
		queue.Register(h.w, func(_ context.Context, _ queue.Job, m mail) error {
			h.note(m.To)
			switch {
			case m.To == "retry" && !failed:
				failed = true
				return queue.RetryIn(20*time.Second, errors.New("not yet"))
			case m.To == "again":
				return queue.Snooze(10 * time.Minute)
			}
			return nil
		})
		h.add(mail{To: "retry"}, 0)
		h.add(mail{To: "again"}, 0)
		h.add(mail{To: "later"}, 30*time.Minute)
		h.run()
		h.after(time.Second)
		h.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Send, true) })
		h.add(mail{To: "ready"}, 0)
		h.shift.Store(-int64(time.Hour))
		h.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Send, false) })
		h.after(time.Second)
		if ran := h.ran(); !slices.Equal(ran, []string{"again@0", "again@1", "ready@1", "retry@0", "retry@1"}) {
			t.Errorf("ran %v", ran)
		}
		h.after(80 * time.Minute)
		if ran := h.ran(); slices.ContainsFunc(ran, func(s string) bool { return s[:5] == "later" }) {
			t.Errorf("ran %v", ran)
		}
		h.after(10 * time.Minute)
		if ran := h.ran(); !slices.Contains(ran, "later@5400") {
			t.Errorf("ran %v", ran)
		}
	})
}
