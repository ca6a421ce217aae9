package queue

import (
	"errors"
	"fmt"

	"svc/store"
)

// ErrActive is the answer to a change of a job that is running.
var ErrActive = errors.New("the job is running")

// PauseTopic is told when a queue is paused or goes on, for those who work on one
// without this package's workers.
const PauseTopic = "queue pauses"

// Pause keeps a queue from starting jobs, or lets it go on. Jobs that run end.
func Pause(tx *store.Tx, q Name, on bool) error {
	if !q.Valid() {
		return fmt.Errorf("queue %q: %w", q, store.ErrNotFound)
	}
	tx.Notify(topic)
	tx.Notify(PauseTopic)
	return settings.Put(tx, store.Platform, &setting{q, on})
}

// RetryNow makes a job ready that waits, or was given up; that one has all its
// tries again. A running job is ErrActive, a done one store.ErrNotFound; one that was
// added with Once is a store.DuplicateError while another takes its place.
func RetryNow(tx *store.Tx, id string) error {
	j, err := jobs.Get(tx, store.Platform, id)
	switch {
	case err != nil:
		return err
	case j.State == Active:
		return ErrActive
	case j.State == Done:
		return store.ErrNotFound
	case j.State == Archived:
		j.Attempts, j.Interrupted = 0, 0
	}
	j.State, j.At = Pending, tx.DB().Now()
	return put(tx, j)
}

// Discard removes a job for good. A running job is ErrActive.
func Discard(tx *store.Tx, id string) error {
	j, err := jobs.Get(tx, store.Platform, id)
	if err != nil {
		return err
	}
	if j.State == Active {
		return ErrActive
	}
	if err := jobs.Delete(tx, store.Platform, id); err != nil {
		return err
	}
	return settleLane(tx, j.Queue, j.Lane)
}

// maxOffset bounds how deep a list of jobs can be paged into.
const maxOffset = 100_000

// List reads jobs of a queue in one state, in the order of At: what is due or
// ended first comes first. total is exact.
func List(tx *store.Tx, q Name, s State, offset, limit int) (list []Job, total int, err error) {
	total, err = counts.Count(tx, store.Platform, countName(q, s))
	if err != nil || offset < 0 || offset > maxOffset || limit <= 0 {
		return nil, total, err
	}
	r := store.Range{Span: stateSpan(q, s), Limit: offset}
	if offset > 0 {
		if _, r.After, err = byState.IDs(tx, store.Platform, r); err != nil || r.After == nil {
			return nil, total, err
		}
	}
	r.Limit = limit
	list, _, err = byState.Walk(tx, store.Platform, r)
	return list, total, err
}
