package queue

import (
	"errors"
	"fmt"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// ErrActive is the answer to a change of a job that is running.
var ErrActive = errors.New("the job is running")

// PauseTopic is told when a queue is paused or goes on, for those who work on one
// without this package's workers.
const PauseTopic = dispatch.PauseTopic

// Pause keeps a queue from starting jobs, or lets it go on. Jobs that run end.
func Pause(tx *store.Tx, q Name, on bool) error {
	if !q.Valid() {
		return fmt.Errorf("queue %q: %w", q, store.ErrNotFound)
	}
	tx.Notify(topic)
	return dispatch.Pause(tx, string(q), on)
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

// Window is a part of a list of jobs: Limit of them behind a cursor, or behind the first
// Offset ones.
type Window struct {
	After         store.Cursor // nil: from the beginning
	Offset, Limit int
}

// Jobs are a part of a list.
type Jobs struct {
	List  []Job
	Next  store.Cursor // behind the last of them; nil when nothing is left
	Total int          // of the whole list, exactly
}

// List reads jobs of a queue in one state from an offset on. See Page.
func List(tx *store.Tx, q Name, s State, offset, limit int) (list []Job, total int, err error) {
	p, err := Page(tx, q, s, Window{Offset: offset, Limit: limit})
	return p.List, p.Total, err
}

// Page reads jobs of a queue in one state, in the order of At: what is due or ended first
// comes first.
func Page(tx *store.Tx, q Name, s State, w Window) (p Jobs, err error) {
	p.Total, err = counts.Count(tx, store.Platform, countName(q, s))
	if err != nil || w.Offset < 0 || w.Offset > maxOffset || w.Limit <= 0 {
		return p, err
	}
	r := store.Range{Span: stateSpan(q, s), After: w.After, Limit: w.Offset}
	if w.Offset > 0 {
		if _, r.After, err = byState.IDs(tx, store.Platform, r); err != nil || r.After == nil {
			return p, err
		}
	}
	r.Limit = w.Limit
	p.List, p.Next, err = byState.Walk(tx, store.Platform, r)
	return p, err
}

// Started reports whether a queue has received a job yet.
func Started(tx *store.Tx, q Name) (bool, error) {
	for _, state := range States() {
		if n, err := counts.Count(tx, store.Platform, countName(q, state)); n > 0 || err != nil {
			return n > 0, err
		}
	}
	// Jobs may be gone; of a queue that ever ran one, an hour is remembered.
	return dispatch.Started(tx, string(q))
}

// RetryArchived makes ready up to limit jobs of a queue that were given up before a
// time, from behind a cursor on, and says how many. Those whose place another job
// took meanwhile (Once) stay archived. next is nil when no others are left.
func RetryArchived(tx *store.Tx, q Name, before time.Time, after store.Cursor, limit int) (n int, next store.Cursor, err error) {
	list, next, err := byState.Walk(tx, store.Platform, store.Range{Span: archivedBefore(q, before), After: after, Limit: limit})
	for i := range list {
		if err != nil {
			return n, next, err
		}
		var taken bool
		if taken, err = placeTaken(tx, &list[i]); err == nil && !taken {
			err = RetryNow(tx, list[i].ID)
			n++
		}
	}
	return n, next, err
}

// DropArchived removes up to limit jobs of a queue that were given up before a time,
// and says how many there were.
func DropArchived(tx *store.Tx, q Name, before time.Time, limit int) (int, error) {
	ids, _, err := byState.IDs(tx, store.Platform, store.Range{Span: archivedBefore(q, before), Limit: limit})
	for _, id := range ids {
		if err == nil {
			err = Discard(tx, id)
		}
	}
	return len(ids), err
}

func archivedBefore(q Name, t time.Time) store.Span {
	of := func(rest ...store.Key) store.Key {
		return store.Tuple(append([]store.Key{store.Text(string(q)), store.Text(string(Archived))}, rest...)...)
	}
	return store.Between(of(), of(store.Time(t)))
}

// placeTaken reports whether another job waits or runs that this one may not stand
// beside.
func placeTaken(tx *store.Tx, j *Job) (bool, error) {
	if j.Unique == "" {
		return false, nil
	}
	_, err := unique.ID(tx, store.Platform, uniqueKey(j.Kind, j.Unique))
	if isNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// Load is how many jobs of a queue run in this process, and how many may.
func (w *Workers) Load(q Name) (busy, capacity int) { return w.dispatcher.Load(string(q)) }
