package admin

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/store"
	"svc/store/queue"
)

// Tasks are what waits and runs for a queue under a scheduler of its own, as
// administrators see it: messages to people, deliveries to webhooks.
type Tasks interface {
	// Tasks lists those of a state, and says how many there are.
	Tasks(tx *store.Tx, state queue.State, offset, limit int) (list []queue.Job, total int, err error)
	// Task finds one: store.ErrNotFound for one that ended.
	Task(tx *store.Tx, id string) (queue.Job, error)
	// RetryTask lets one be tried now that waits for another try.
	RetryTask(tx *store.Tx, t queue.Job) error
	// DropTask ends one that is not running.
	DropTask(tx *store.Tx, t queue.Job) error
}

// tasksIn lists the tasks of a queue that are in a state: its jobs, then what a
// scheduler of its own holds for it.
func (s *Service) tasksIn(tx *store.Tx, q queue.Name, state queue.State, offset, limit int) ([]queue.Job, int, error) {
	list, n, err := queue.List(tx, q, state, offset, limit)
	more := s.o.Tasks[q]
	if err != nil || more == nil {
		return list, n, err
	}
	rest, m, err := more.Tasks(tx, state, max(0, offset-n), limit-len(list))
	return append(list, rest...), n + m, err
}

// task is one task with whoever holds it: nil is package queue.
type task struct {
	queue.Job
	of Tasks
}

// task reads a task of a queue: one that ended well is not there any more.
func (s *Service) task(tx *store.Tx, in taskIn) (t task, err error) {
	t.Job, err = queue.Get(tx, in.Task)
	if of := s.o.Tasks[in.Name]; store.IsNotFound(err) && of != nil {
		t.of = of
		t.Job, err = of.Task(tx, in.Task)
	}
	if store.IsNotFound(err) || err == nil && (t.Queue != in.Name || t.State == queue.Done) {
		return t, ErrTaskNotFound
	}
	return t, err
}

func (t *task) retry(tx *store.Tx) error {
	if t.of != nil {
		return t.of.RetryTask(tx, t.Job)
	}
	return queue.RetryNow(tx, t.ID)
}

func (t *task) drop(tx *store.Tx) error {
	switch {
	case t.of == nil:
		return queue.Discard(tx, t.ID)
	case t.State == queue.Active:
		return queue.ErrActive
	}
	return t.of.DropTask(tx, t.Job)
}

// note writes what was done to a task into the log of the platform, and that of the
// organization whose message or delivery it is.
func (t *task) note(tx *store.Tx, c *api.Call, action string, d audit.Detail) error {
	if t.of != nil {
		if err := audit.WriteTo(tx, t.Org, in(c, t.Org), action, onTask(&t.Job), d); err != nil {
			return err
		}
	}
	return audit.WriteTo(tx, store.Platform, c, action, onTask(&t.Job), d)
}
