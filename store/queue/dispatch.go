package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// outcome is what came of a try, at a time.
type outcome struct {
	err error
	at  time.Time
}

// handler is what the dispatcher asks about the jobs of a queue.
func (w *Workers) handler() dispatch.Handler[Job, Job, outcome] {
	return dispatch.Handler[Job, Job, outcome]{
		Claim:   w.claim,
		Work:    w.run,
		Crashed: func(_ Job, err error) outcome { return outcome{err, w.db.Now()} },
		Settle:  w.settle,
		Release: w.release,
		Poison:  poison,
	}
}

// claim makes a job active.
func (w *Workers) claim(tx *store.Tx, e *dispatch.Entry[Job]) (o dispatch.Offer[Job], err error) {
	j := e.Record
	if !j.State.waits() || j.Lane != "" && !j.Front {
		return o, nil
	}
	e.About(j.ID)
	if k := w.kinds[j.Kind]; k.elsewhere != nil {
		if o.Elsewhere, err = k.elsewhere(tx, *j); err != nil || o.Elsewhere {
			return o, err
		}
	}
	if j.At.After(e.Now) {
		j.At = e.Now // the clock was set back: what it waited for from now on
	}
	j.State, j.Due, j.At, j.Since, j.Front, j.Next = Active, j.At, e.Now, time.Time{}, false, nil
	j.Attempts++
	return dispatch.Offer[Job]{OK: true, Work: *j}, nil
}

// run does one try. done is false for one that the stop of this node cut off.
func (w *Workers) run(ctx context.Context, j Job) (out outcome, done bool) {
	result := w.try(ctx, j)
	if ctx.Err() != nil && result != nil && !errors.As(result, new(drop)) {
		return out, false
	}
	if result != nil && !errors.As(result, new(snooze)) {
		w.log.Warn("a job failed", "queue", j.Queue, "kind", j.Kind, "job", j.ID, "attempt", j.Attempts, "error", cut(result.Error()))
	}
	return outcome{result, w.db.Now()}, true
}

// settle writes what came of a try. A job that its worker finished is left alone.
func (w *Workers) settle(tx *store.Tx, e *dispatch.Entry[Job], was Job, out outcome) error {
	j := e.Record
	if !j.same(was) {
		j.plan()
		return nil
	}
	var (
		later snooze
		never drop
	)
	switch {
	case out.err == nil:
		e.Took(out.at.Sub(j.Due))
		j.State, j.At = Done, out.at
		return j.leave(tx)
	case errors.As(out.err, &later):
		j.again(Scheduled, out.at.Add(later.wait), out.at)
		return j.leave(tx)
	}
	e.Failed()
	j.LastError, j.LastFailedAt = cut(out.err.Error()), out.at
	if errors.As(out.err, &never) || j.Attempts >= j.MaxAttempts {
		j.State, j.At = Archived, out.at
		return j.leave(tx)
	}
	wait := w.backoff(j.Kind)(j.Attempts)
	var known retryIn
	if errors.As(out.err, &known) {
		wait = known.wait
	}
	j.State, j.At, j.Since = Retry, out.at.Add(wait), out.at
	return j.leave(tx)
}

// same says whether a job is still in the try that a worker was given.
func (j *Job) same(was Job) bool {
	return j.State == Active && j.At.Equal(was.At) && j.Attempts == was.Attempts
}

// leave ends the try of a job that the dispatcher is about to save: its lane goes on, and
// a history that is full forgets its oldest.
func (j *Job) leave(tx *store.Tx) error {
	j.Front = false
	j.plan()
	changed(tx, j)
	if j.State == Done || j.State == Archived {
		if err := errors.Join(prune(tx, j.Queue, j.State, 1), j.follow(tx)); err != nil {
			return err
		}
	}
	if j.Lane == "" {
		return nil
	}
	// The lane is looked at as it will be; its front may be this job again.
	if err := jobs.Put(tx, store.Platform, j); err != nil {
		return err
	}
	if err := settleLane(tx, j.Queue, j.Lane); err != nil {
		return err
	}
	now, err := jobs.Get(tx, store.Platform, j.ID)
	if err == nil {
		*j = now
	}
	return err
}

// release makes a job ready whose try nobody will hear of. One that was running too often
// when a node ended may be the cause: it is archived, or waits, where it is [Needed].
func (w *Workers) release(tx *store.Tx, e *dispatch.Entry[Job], _ dispatch.Claim, why dispatch.Why) error {
	j := e.Record
	if j.State != Active { // its worker finished it
		j.plan()
		return nil
	}
	if why == dispatch.NodeEnded {
		j.Interrupted++
	}
	if j.Interrupted <= maxInterrupted {
		j.again(Pending, j.Due, e.Now)
		return j.leave(tx)
	}
	j.LastError, j.LastFailedAt = fmt.Sprintf("svc ended %d times while this job was running", j.Interrupted), e.Now
	if w.kinds[j.Kind].needed {
		j.again(Scheduled, e.Now.Add(w.backoff(j.Kind)(j.Interrupted-maxInterrupted)), e.Now)
	} else {
		j.State, j.At = Archived, e.Now
	}
	return j.leave(tx)
}

// poison archives a job that cannot be started.
func poison(tx *store.Tx, e *dispatch.Entry[Job], _ string, err error) error {
	j := e.Record
	j.LastError, j.LastFailedAt = cut(err.Error()), e.Now
	j.State, j.At = Archived, e.Now
	return j.leave(tx)
}
