package send

import (
	"strings"

	"svc/store"
	"svc/store/queue"
)

// waits are the messages of all organizations that wait or are on their way.
type waits struct {
	inFlight       []store.Of[accountQueue]
	pending, retry int
}

func waitsOf(tx *store.Tx) (w waits, err error) {
	if w.inFlight, _, err = inFlightIndex.Walk(tx, store.Range{Span: store.All(), Limit: maxCounted}); err != nil {
		return w, err
	}
	all, err := everywhere.Count(tx, string(Waiting))
	if err != nil {
		return w, err
	}
	if w.retry, err = everywhere.Count(tx, retried); err != nil {
		return w, err
	}
	w.pending = all - w.retry
	// A message on its way waits until what became of it is known.
	for i := range w.inFlight {
		j, err := jobs.Get(tx, w.inFlight[i].Org, w.inFlight[i].Record.InFlight.Job)
		switch {
		case store.IgnoreNotFound(err) != nil:
			return w, err
		case err != nil || j.Status.Ended():
		case j.Attempts > 0:
			w.retry--
		default:
			w.pending--
		}
	}
	return w, nil
}

// Tasks lists the messages of all organizations that are in a state, as tasks of the
// queue send: organization after organization, the oldest first. A page costs the
// organizations before it.
func (s *Service) Tasks(tx *store.Tx, state queue.State, w queue.Window) (out queue.Jobs, err error) {
	all, err := waitsOf(tx)
	if err != nil {
		return out, err
	}
	switch state {
	case queue.Active:
		out, err = activeTasks(tx, w)
		out.Total = len(all.inFlight)
	case queue.Pending:
		out, err = waitingTasks(tx, state, w)
		out.Total = all.pending
	case queue.Retry:
		out, err = waitingTasks(tx, state, w)
		out.Total = all.retry
	}
	return out, err
}

func activeTasks(tx *store.Tx, w queue.Window) (out queue.Jobs, err error) {
	r := store.Range{Span: store.All(), After: w.After, Limit: w.Offset}
	if w.Offset > 0 {
		if _, r.After, err = inFlightIndex.Walk(tx, r); err != nil || r.After == nil {
			return out, err
		}
	}
	r.Limit = w.Limit
	inFlight, next, err := inFlightIndex.Walk(tx, r)
	out.Next = next
	for _, l := range inFlight {
		if err != nil {
			return out, err
		}
		var j Job
		if j, err = jobs.Get(tx, l.Org, l.Record.InFlight.Job); store.IsNotFound(err) {
			err = nil
			continue
		}
		t := j.task(l.Org, queue.Active)
		t.Due = l.Record.InFlight.Since
		out.List = append(out.List, t)
	}
	return out, err
}

// waitingTasks goes through the organizations by their ids. A cursor is one of those ids,
// and behind a blank where to go on in that organization.
func waitingTasks(tx *store.Tx, state queue.State, w queue.Window) (out queue.Jobs, err error) {
	begin, after, _ := strings.Cut(string(w.After), " ")
	for org, err := range jobs.EachOwner(tx) {
		if err != nil {
			return out, err
		}
		if org < begin {
			continue
		}
		room := w.Limit - len(out.List)
		q := store.Query[Job]{Offset: w.Offset, Limit: max(1, room)}
		if org == begin && after != "" {
			q.After = store.Cursor(after)
		}
		page, err := waitingPage(tx, org, state, q)
		if err != nil {
			return out, err
		}
		if room == 0 {
			if len(page.Data) == 0 {
				continue
			}
			out.Next = store.Cursor(org + " ") // its beginning
			return out, nil
		}
		w.Offset = max(0, w.Offset-page.Total)
		for i := range page.Data {
			out.List = append(out.List, page.Data[i].task(org, state))
		}
		if page.Next != nil && len(out.List) == w.Limit {
			out.Next = append(store.Cursor(org+" "), page.Next...)
			return out, nil
		}
	}
	return out, nil
}

func waitingPage(tx *store.Tx, org string, state queue.State, q store.Query[Job]) (store.Page[Job], error) {
	u, err := underWayOf(tx, org)
	if err != nil {
		return store.Page[Job]{}, err
	}
	again := statusFacet.Any(retried)
	if state == queue.Pending {
		again = again.Not()
	}
	q.Where = []store.Cond[Job]{statusFacet.Any(string(Waiting)), again, jobs.Records(u.ids).Not()}
	return jobs.Page(tx, org, q)
}

// task is a job as administrators see it: nothing of what it says.
func (j *Job) task(org string, state queue.State) queue.Job {
	t := queue.Job{
		ID: j.ID, Queue: queue.Send, Kind: "send." + strings.ToLower(string(j.Kind)), State: state, At: j.RunAt, Attempts: j.Attempts,
		MaxAttempts: maxAttempts, Org: org, Resource: j.Batch, LastError: j.LastError,
		LastFailedAt: j.FailedAt, CreatedAt: j.QueuedAt,
	}
	if t.At.IsZero() {
		t.At = j.QueuedAt
	}
	if t.Resource == "" {
		t.Resource = j.AccountID
	}
	return t
}

// Task finds a message that waits or is on its way, in any organization:
// store.ErrNotFound when there is none of that id.
func (s *Service) Task(tx *store.Tx, id string) (queue.Job, error) {
	of, err := jobs.Anywhere(tx, id)
	if err != nil {
		return queue.Job{}, err
	}
	j := &of.Record
	if j.Status.Ended() {
		return queue.Job{}, store.ErrNotFound
	}
	state, err := stateOf(tx, of.Org, j)
	return j.task(of.Org, state), err
}

func stateOf(tx *store.Tx, org string, j *Job) (queue.State, error) {
	l, err := accountQueueOf(tx, org, j.AccountID)
	switch {
	case err != nil:
		return "", err
	case l.InFlight != nil && l.InFlight.Job == j.ID:
		return queue.Active, nil
	case j.Attempts > 0:
		return queue.Retry, nil
	}
	return queue.Pending, nil
}

// RetryTask lets a message be tried now that waits for another try. Its account still
// obeys the platform's waits, its pace and its limits.
func (s *Service) RetryTask(tx *store.Tx, t queue.Job) error {
	now := tx.DB().Now()
	j, err := jobs.Edit(tx, t.Org, t.ID, func(j *Job) error {
		j.RunAt = now
		return nil
	})
	if err != nil {
		return err
	}
	l, err := accountQueueOf(tx, t.Org, j.AccountID)
	if err != nil {
		return err
	}
	if !l.HoldUntil.IsZero() { // the platform was not reached, and is asked again
		l.HoldUntil = now
		if err := accountQueues.Put(tx, t.Org, &l); err != nil {
			return err
		}
	}
	return wake(tx, t.Org, j.AccountID)
}

// DropTask ends a message CANCELLED that is not on its way, and tells whoever it
// belongs to.
func (s *Service) DropTask(tx *store.Tx, t queue.Job) error {
	j, err := jobs.Get(tx, t.Org, t.ID)
	if err != nil {
		return err
	}
	return newDispatchTx(s, tx).finish(t.Org, &j, Cancelled)
}
