package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// maxError is how much of an error is kept, in bytes.
const maxError = 1000

// maxInterrupted is how often a node may end under a job before the job is suspected of
// ending it.
const maxInterrupted = 5

// snooze, drop and retryIn are what a worker may answer besides nil and an error.
type (
	snooze  struct{ wait time.Duration }
	drop    struct{ err error }
	retryIn struct {
		wait time.Duration
		err  error
	}
)

func (s snooze) Error() string  { return fmt.Sprintf("not now, in %s", s.wait) }
func (d drop) Error() string    { return d.err.Error() }
func (d drop) Unwrap() error    { return d.err }
func (r retryIn) Error() string { return r.err.Error() }
func (r retryIn) Unwrap() error { return r.err }

// Snooze is a worker's answer "later": the try does not count.
func Snooze(d time.Duration) error { return snooze{d} }

// Later says whether an error is such an answer.
func Later(err error) bool {
	var s snooze
	return errors.As(err, &s)
}

// Drop is a worker's answer "never": the job is archived with the error.
func Drop(err error) error { return drop{err} }

// RetryIn is a failure after which the next try comes after a time that the worker
// knows, such as that of a Retry-After header.
func RetryIn(d time.Duration, err error) error { return retryIn{d, err} }

// Backoff is how long to wait after a number of failures, at least 1, with jitter:
// about 10 s, 20 s, 40 s, ... up to an hour.
func Backoff(failures int) time.Duration {
	d := min(10*time.Second<<min(max(failures, 1)-1, 20), time.Hour)
	return d - d/5 + rand.N(2*d/5)
}

// Finish ends a job in a worker's own transaction, so that the work and its result
// are one change. The worker then returns nil. Its node has the job in hand until then,
// done as it is.
func Finish(tx *store.Tx, j Job) error {
	now, err := mine(tx, j)
	if err != nil {
		return err
	}
	at := tx.DB().Now()
	if err := dispatch.Counted(tx, string(now.Queue), []time.Duration{at.Sub(now.Due)}, 0); err != nil {
		return err
	}
	return end(tx, now, Done, at)
}

// Progress saves changed arguments of a running job, in the transaction that makes
// the progress: the next try begins there.
func Progress(tx *store.Tx, j Job, args Args) error {
	now, err := mine(tx, j)
	if err != nil {
		return err
	}
	if now.Args, err = json.Marshal(args); err != nil {
		return fmt.Errorf("progress of a job of kind %s: %w", j.Kind, err)
	}
	return jobs.Put(tx, store.Platform, &now)
}

// errLost is the answer to a worker whose job is no longer its own.
var errLost = errors.New("queue: the job ended or began again meanwhile")

// mine reads a job that a worker runs, as it is now.
func mine(tx *store.Tx, j Job) (Job, error) {
	now, err := jobs.Get(tx, store.Platform, j.ID)
	if isNotFound(err) || err == nil && (now.State != Active || !now.At.Equal(j.At) || now.Attempts != j.Attempts) {
		return now, errLost
	}
	return now, err
}

// again lets a job run once more, without counting the try that ended.
func (j *Job) again(s State, when, at time.Time) {
	if j.Next != nil && j.Next.At.Before(when) {
		when = j.Next.At
	}
	j.State, j.At, j.Attempts, j.Since = s, when, j.Attempts-1, time.Time{}
	if s == Scheduled {
		j.Since = at
	}
	if s == Scheduled && !when.After(at) {
		j.State = Pending
	}
}

// put saves a job that no longer runs, and lets its lane go on.
func put(tx *store.Tx, j Job) error {
	j.Front = false
	j.plan()
	if err := jobs.Put(tx, store.Platform, &j); err != nil {
		return err
	}
	changed(tx, &j)
	return settleLane(tx, j.Queue, j.Lane)
}

// end makes a job history.
func end(tx *store.Tx, j Job, s State, at time.Time) error {
	j.State, j.At = s, at
	j.plan()
	if err := j.follow(tx); err != nil {
		return err
	}
	return errors.Join(put(tx, j), prune(tx, j.Queue, s, 0))
}

// prune forgets the oldest of a history that is full; more are about to be added.
func prune(tx *store.Tx, q Name, s State, more int) error {
	n, err := counts.Count(tx, store.Platform, countName(q, s))
	if err != nil || n+more <= kept[s] {
		return err
	}
	oldest, err := byState.First(tx, store.Platform, stateSpan(q, s))
	if err != nil {
		return err
	}
	return jobs.Delete(tx, store.Platform, oldest.ID)
}

// kept is how many ended jobs a queue remembers.
var kept = map[State]int{Done: 100, Archived: 10_000}

func stateSpan(q Name, s State) store.Span {
	return store.Is(store.Tuple(store.Text(string(q)), store.Text(string(s))))
}

// cut bounds an error, at the end of a character.
func cut(s string) string {
	if len(s) <= maxError {
		return s
	}
	n := maxError
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
