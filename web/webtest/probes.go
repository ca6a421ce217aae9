package webtest

import (
	"context"
	"errors"
	"time"

	"svc/store"
	"svc/store/queue"
)

const (
	mostProbes   = 40
	betweenTries = 31 * time.Minute // more than the longest wait between two probes
	tryWithin    = 20 * time.Second
)

// probes lets half an hour pass again and again, each time until a webhook was tried that
// fails, until one is given up.
func (h *service) probes(advance func(time.Duration)) error {
	failed, jobs, err := h.failures()
	for range mostProbes {
		if err != nil {
			return err
		}
		advance(betweenTries)
		// Timers do not notice that the clock of a story moved; who is told looks at it.
		err = h.app.DB.Update(context.Background(), func(tx *store.Tx) error { return queue.Pause(tx, queue.Webhooks, false) })
		before := failed
		for end := time.After(tryWithin); err == nil && failed == before; {
			select {
			case <-end:
				return errors.New("no webhook was tried")
			case <-time.After(5 * time.Millisecond):
			}
			var now int
			if failed, now, err = h.failures(); now > jobs {
				return err // what waited for it is being cancelled
			}
		}
	}
	return errors.New("no webhook was given up")
}

// failures are the tries of webhooks that failed, and the jobs of their queue.
func (h *service) failures() (failed, jobs int, err error) {
	err = h.app.DB.View(context.Background(), func(tx *store.Tx) error {
		s, err := queue.StatsOf(tx, queue.Webhooks)
		failed, jobs = s.Failed, 0
		for _, n := range s.Counts {
			jobs += n
		}
		return err
	})
	return failed, jobs, err
}
