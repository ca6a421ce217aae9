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
	Tasks(tx *store.Tx, state queue.State, w queue.Window) (queue.Jobs, error)
	// Task finds one: store.ErrNotFound for one that ended.
	Task(tx *store.Tx, id string) (queue.Job, error)
	// RetryTask lets one be tried now that waits for another try.
	RetryTask(tx *store.Tx, t queue.Job) error
	// DropTask ends one that is not running.
	DropTask(tx *store.Tx, t queue.Job) error
}

// taskPart is a part of the list of the tasks of a queue.
type taskPart func(*store.Tx, queue.Window) (queue.Jobs, error)

// taskParts are the parts of that list, one behind the other: for each state the jobs of
// the queue, then what a scheduler of its own holds for it.
func (s *Service) taskParts(q queue.Name, states []queue.State) (parts []taskPart) {
	more := s.o.Tasks[q]
	for _, state := range states {
		parts = append(parts, func(tx *store.Tx, w queue.Window) (queue.Jobs, error) { return queue.Page(tx, q, state, w) })
		if more != nil {
			parts = append(parts, func(tx *store.Tx, w queue.Window) (queue.Jobs, error) { return more.Tasks(tx, state, w) })
		}
	}
	return parts
}

// taskPage reads a page of such a list. Its cursor is the number of a part, and where to
// go on in it: tasks move from state to state by themselves, and those that stay are seen
// once.
func taskPage(tx *store.Tx, parts []taskPart, in api.PageIn) (rows []Task, total int, next store.Cursor, err error) {
	begin, after := 0, store.Cursor(nil)
	if at := in.Behind(); at != nil {
		if begin = int(at[0]); begin >= len(parts) {
			return nil, 0, nil, store.ErrCursor
		}
		if len(at) > 1 {
			after = at[1:]
		}
	}
	for n, part := range parts {
		room := in.Limit - len(rows)
		w := queue.Window{Offset: max(0, in.Offset-total), Limit: max(1, room)}
		if n == begin {
			w.After = after
		}
		page, err := part(tx, w)
		if err != nil {
			return nil, 0, nil, err
		}
		switch total += page.Total; {
		case n < begin:
		case room > 0:
			for i := range page.List {
				rows = append(rows, showTask(&page.List[i]))
			}
			if page.Next != nil {
				next = append(store.Cursor{byte(n)}, page.Next...)
			}
		case next == nil && len(page.List) > 0:
			next = store.Cursor{byte(n)} // its beginning
		}
	}
	return rows, total, next, nil
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
