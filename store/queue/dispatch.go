package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/store"
)

const (
	// maxClaim is how many jobs one transaction claims; each writes some ten keys.
	maxClaim = 500
	// longestWait is after how long the dispatcher looks at the clock again: a
	// timer does not notice when somebody sets it.
	longestWait = time.Minute
	// afterError is how long it waits when the store fails.
	afterError = time.Second
)

// Run makes ready what was running when the last process died, and runs jobs as
// they become due until the context ends; then it waits for those that run. It
// answers an error only when the store cannot be used.
func (w *Workers) Run(ctx context.Context) error {
	defer w.busy.Wait()
	wake, stop := w.db.Listen(topic)
	defer stop()
	if err := w.recover(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // the service stops before it began
		}
		return fmt.Errorf("make interrupted jobs ready: %w", err)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-w.freed:
		case <-timer.C:
		}
		next, err := w.dispatch(ctx)
		switch {
		case errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged):
			return fmt.Errorf("claim jobs: %w", err)
		case err != nil && ctx.Err() == nil:
			w.log.Error("jobs cannot be claimed", "error", err)
		}
		timer.Reset(next)
	}
}

// dispatch claims what is due and starts it. It answers when to look again.
func (w *Workers) dispatch(ctx context.Context) (next time.Duration, err error) {
	room := w.room()
	now := w.db.Now()
	var c claims
	err = w.db.Update(ctx, func(tx *store.Tx) (err error) {
		c, err = claim(tx, room, now)
		return err
	})
	if err != nil {
		return afterError, err
	}
	w.start(ctx, c.jobs)
	if c.next.IsZero() {
		return longestWait, nil
	}
	return min(max(c.next.Sub(w.db.Now()), 0), longestWait), nil
}

// room is how many jobs of each queue may start.
func (w *Workers) room() map[Name]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make(map[Name]int, len(w.free))
	for q, n := range w.free {
		out[q] = n
	}
	return out
}

func (w *Workers) start(ctx context.Context, list []Job) {
	w.mu.Lock()
	for _, j := range list {
		w.free[j.Queue]--
	}
	w.mu.Unlock()
	for _, j := range list {
		w.busy.Add(1)
		go w.run(ctx, j)
	}
}

// claims are jobs that were made active, and when the next one is due; zero when a
// queue that could run more has none. A queue without room is looked at again when
// a job of it ends.
type claims struct {
	jobs []Job
	next time.Time
}

func claim(tx *store.Tx, room map[Name]int, now time.Time) (c claims, err error) {
	for _, q := range Names() {
		n := min(room[q], maxClaim-len(c.jobs))
		if n <= 0 {
			continue
		}
		off, err := paused(tx, q)
		if err != nil {
			return c, err
		}
		if off {
			continue
		}
		early, err := claimEarly(tx, q, n, now)
		if err != nil {
			return c, err
		}
		c.jobs = append(c.jobs, early...)
		if n -= len(early); n == 0 {
			continue
		}
		// One more than fits tells when the next is due.
		found, _, err := due.Walk(tx, store.Platform, store.Range{Span: store.Is(queueKey(q)), Limit: n + 1})
		if err != nil {
			return c, err
		}
		for i, j := range found {
			if i == n {
				break
			}
			if j.At.After(now) {
				c.sooner(j.At)
				break
			}
			if j, err = activate(tx, j, now); err != nil {
				return c, err
			}
			c.jobs = append(c.jobs, j)
		}
	}
	if len(c.jobs) == maxClaim {
		c.next = now // there may be more
	}
	return c, nil
}

// clockStep is how far ahead of the clock a time may lie that was now a moment ago: a
// transaction may wait for the disk. A clock that was set back by less delays by less.
const clockStep = time.Minute

// claimEarly claims what waits although the time at which that was decided has not come:
// the clock was set back since.
func claimEarly(tx *store.Tx, q Name, n int, now time.Time) (out []Job, err error) {
	future := store.Between(store.Tuple(store.Text(string(q)), store.Time(now.Add(clockStep))), store.Tuple(store.Text(string(q)), store.Time(endOfTime)))
	found, _, err := since.Walk(tx, store.Platform, store.Range{Span: future, Limit: n})
	if err != nil {
		return nil, err
	}
	for _, j := range found {
		if j.At.After(now) {
			j.At = now // what it waited for from then on
		}
		if j, err = activate(tx, j, now); err != nil {
			return nil, err
		}
		out = append(out, j)
	}
	return out, nil
}

// endOfTime lies behind every time of a job.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *claims) sooner(at time.Time) {
	if c.next.IsZero() || at.Before(c.next) {
		c.next = at
	}
}

func activate(tx *store.Tx, j Job, now time.Time) (Job, error) {
	j.State, j.Due, j.At, j.Since, j.Front = Active, j.At, now, time.Time{}, false
	j.Attempts++
	return j, jobs.Put(tx, store.Platform, &j)
}

// recover makes ready what is active on the disk: one process has the file, and it
// has just started. A job that was running too often when a process died is
// archived, because it may be the cause.
func (w *Workers) recover(ctx context.Context) error {
	for _, q := range Names() {
		for more := true; more; {
			err := w.db.Update(ctx, func(tx *store.Tx) error {
				list, next, err := byState.Walk(tx, store.Platform, store.Range{Span: stateSpan(q, Active), Limit: maxClaim})
				if err != nil {
					return err
				}
				more = next != nil
				return interrupt(tx, list)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func interrupt(tx *store.Tx, list []Job) error {
	now := tx.DB().Now()
	for _, j := range list {
		j.Interrupted++
		var err error
		if j.Interrupted > maxInterrupted {
			j.LastError = fmt.Sprintf("svc ended %d times while this job was running", j.Interrupted)
			j.LastFailedAt = now
			err = end(tx, j, Archived, now)
		} else {
			err = again(tx, j, Pending, j.Due, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
