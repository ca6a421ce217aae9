package admin

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/hook"
	"svc/app/send"
	"svc/store"
	"svc/store/queue"
)

func (s *Service) queueEndpoints() []api.Endpoint {
	named, begun := api.Errors(ErrQueueNotFound), api.Errors(ErrQueueNotFound, ErrQueueNotStarted)
	return []api.Endpoint{
		e("GET /admin/queues", "list_queues", "List the queues with what waits, runs and failed.", api.Read(s.db, s.listQueues)),
		e("POST /admin/queues/{name}/pause", "pause_queue", "Keep a queue from starting tasks; those that run end.", s.pause(true), begun),
		e("POST /admin/queues/{name}/resume", "resume_queue", "Let a paused queue go on.", s.pause(false), begun),
		e("GET /admin/queues/{name}/tasks", "list_tasks", "List the tasks of a queue, without what is in them; messages to people and deliveries to webhooks are among those of their queues.", api.Read(s.db, s.listTasks), named),
		e("POST /admin/queues/{name}/tasks/{task}/retry", "retry_task", "Make a task ready now.", s.retryTask, named,
			api.Errors(ErrTaskNotFound, ErrTaskNotRetryable, api.ErrConflict)),
		e("POST /admin/queues/{name}/tasks/{task}/drop", "drop_task", "Remove a task for good.", s.dropTask, named, api.Errors(ErrTaskNotFound, ErrTaskActive, api.ErrState)),
		e("POST /admin/queues/{name}/retry-archived", "retry_archived", "Make every task ready that was given up.", s.retryArchived, begun),
		e("POST /admin/queues/{name}/drop-archived", "drop_archived", "Remove every task for good that was given up.", s.dropArchived, begun),
	}
}

// Queue is a queue in the API (contract 17).
type Queue struct {
	Name          queue.Name `json:"name" enum:"send,inbound,ai,webhooks,imports,media,analysis,social,calendar,maintenance"`
	Paused        bool       `json:"paused"`
	Pending       int        `json:"pending"`
	Active        int        `json:"active"`
	Scheduled     int        `json:"scheduled"`
	Retry         int        `json:"retry"`
	Archived      int        `json:"archived"`
	Processed     int        `json:"processed_24h"`
	Failed        int        `json:"failed_24h" doc:"Tries that failed."`
	OldestPending int        `json:"oldest_pending_seconds" doc:"For how long the task that is due longest has waited."`
	LatencyP95    int        `json:"latency_p95_ms" doc:"From due to done, for 95 of 100 tasks."`
}

func showQueue(s queue.Stats) Queue {
	return Queue{
		s.Name, s.Paused, s.Counts[queue.Pending], s.Counts[queue.Active], s.Counts[queue.Scheduled], s.Counts[queue.Retry],
		s.Counts[queue.Archived], s.Processed, s.Failed, int(s.OldestPending / time.Second), int(s.LatencyP95 / time.Millisecond),
	}
}

// backlogs are what waits and runs outside of package queue, by the queue whose pause
// holds it.
var backlogs = map[queue.Name]func(*store.Tx) (queue.Stats, error){queue.Send: send.Backlog, queue.Webhooks: hook.Backlog}

// statsOf are the figures of a queue, with what a scheduler of its own holds for it.
func statsOf(tx *store.Tx, q queue.Name) (queue.Stats, error) {
	out, err := queue.StatsOf(tx, q)
	more := backlogs[q]
	if err != nil || more == nil {
		return out, err
	}
	own, err := more(tx)
	for state, n := range own.Counts {
		out.Counts[state] += n
	}
	out.OldestPending = max(out.OldestPending, own.OldestPending)
	return out, err
}

func (s *Service) listQueues(_ *api.Call, tx *store.Tx, _ struct{}) (out api.List[Queue], err error) {
	rows := []Queue{}
	for _, q := range queue.Names() {
		stats, err := statsOf(tx, q)
		if err != nil {
			return out, err
		}
		rows = append(rows, showQueue(stats))
	}
	return api.NewList(rows), nil
}

// QueueIn is the queue in the path.
type QueueIn struct {
	Name queue.Name `path:"name" maxLength:"32"`
}

// check is ErrQueueNotFound unless there is such a queue.
func (in QueueIn) check() error {
	if !in.Name.Valid() {
		return ErrQueueNotFound
	}
	return nil
}

// begun is ErrQueueNotStarted for a queue that has received nothing yet.
func begun(tx *store.Tx, q queue.Name) error {
	if yes, err := queue.Started(tx, q); err != nil || yes {
		return err
	}
	stats, err := statsOf(tx, q)
	if err != nil {
		return err
	}
	n := stats.Processed + stats.Failed
	for _, waits := range stats.Counts {
		n += waits
	}
	if n == 0 && !stats.Paused {
		return ErrQueueNotStarted
	}
	return nil
}

func onQueue(q queue.Name) audit.Resource { return audit.On("queue", string(q), "") }

// pause is the operation that pauses a queue, or lets it go on. What is so already
// stays so and is not noted again.
func (s *Service) pause(on bool) func(*api.Call, QueueIn) (Queue, error) {
	return func(c *api.Call, in QueueIn) (out Queue, err error) {
		if err := in.check(); err != nil {
			return out, err
		}
		err = s.db.Update(c, func(tx *store.Tx) error {
			if err := begun(tx, in.Name); err != nil {
				return err
			}
			stats, err := statsOf(tx, in.Name)
			if err != nil {
				return err
			}
			if stats.Paused != on {
				stats.Paused, err = on, setPaused(tx, c, in.Name, on)
			}
			out = showQueue(stats)
			return err
		})
		return out, err
	}
}

// setPaused keeps a queue from starting tasks, or lets it go on.
func setPaused(tx *store.Tx, c *api.Call, q queue.Name, on bool) error {
	if err := queue.Pause(tx, q, on); err != nil {
		return err
	}
	action := map[bool]string{true: "queue.paused", false: "queue.resumed"}[on]
	return audit.WriteTo(tx, store.Platform, c, action, onQueue(q), audit.Changed("paused", !on, on))
}

// archiveChunk bounds the tasks of one transaction.
const archiveChunk = 200

// Counted is how many tasks something was done to.
type Counted struct {
	Count int `json:"count"`
}

func (s *Service) retryArchived(c *api.Call, in QueueIn) (out Counted, err error) {
	var at store.Cursor
	return s.archived(c, in, "queue.archived_retried", func(tx *store.Tx, before time.Time) (n int, step func() (more bool), err error) {
		n, next, err := queue.RetryArchived(tx, in.Name, before, at, archiveChunk)
		return n, func() bool { at = next; return next != nil }, err
	})
}

func (s *Service) dropArchived(c *api.Call, in QueueIn) (out Counted, err error) {
	return s.archived(c, in, "queue.archived_dropped", func(tx *store.Tx, before time.Time) (int, func() bool, error) {
		n, err := queue.DropArchived(tx, in.Name, before, archiveChunk)
		return n, func() bool { return n == archiveChunk }, err
	})
}

// archived does something to the tasks that were given up before now, some of them a
// transaction. step is called when a transaction is durable and says whether there
// may be more.
func (s *Service) archived(c *api.Call, in QueueIn, action string, do func(*store.Tx, time.Time) (n int, step func() bool, err error)) (out Counted, err error) {
	if err := in.check(); err != nil {
		return out, err
	}
	before := s.db.Now().Add(time.Millisecond)
	for more := true; more; {
		var (
			n    int
			step func() bool
		)
		err := s.db.Update(c, func(tx *store.Tx) (err error) {
			if first := out.Count == 0; first {
				if err := begun(tx, in.Name); err != nil {
					return err
				}
			}
			if n, step, err = do(tx, before); err != nil || n == 0 {
				return err
			}
			return audit.WriteTo(tx, store.Platform, c, action, onQueue(in.Name), audit.Changed("tasks", 0, n))
		})
		if err != nil {
			return out, err
		}
		out.Count += n
		more = step()
	}
	return out, nil
}

// Task is one job of a queue in the API: what it is about, not what is in it.
type Task struct {
	ID             string      `json:"id"`
	Type           string      `json:"type" example:"recipient.import"`
	State          queue.State `json:"state" enum:"pending,active,scheduled,retry,archived"`
	OrganizationID *string     `json:"organization_id"`
	Organization   *api.Named  `json:"organization"`
	Resource       *string     `json:"resource" doc:"The id of what it is about."`
	Attempts       int         `json:"attempts"`
	MaxAttempts    int         `json:"max_attempts"`
	RunAt          *time.Time  `json:"run_at" doc:"When it is due; null for one that was given up."`
	LastError      *string     `json:"last_error"`
	LastFailedAt   *time.Time  `json:"last_failed_at"`
	CreatedAt      time.Time   `json:"created_at"`
}

func showTask(j *queue.Job) Task {
	t := Task{
		ID: j.ID, Type: j.Kind, State: j.State, OrganizationID: api.Optional(j.Org), Organization: api.Ref(j.Org, j.Org), Resource: api.Optional(j.Resource), Attempts: j.Attempts,
		MaxAttempts: j.MaxAttempts, LastError: api.Optional(j.LastError), CreatedAt: j.CreatedAt,
	}
	switch at := j.At; j.State {
	case queue.Archived:
	case queue.Active:
		due := j.Due
		t.RunAt = &due
	default:
		t.RunAt = &at
	}
	if at := j.LastFailedAt; !at.IsZero() {
		t.LastFailedAt = &at
	}
	return t
}

// listed are the states that a list of tasks shows, in its order.
var listed = []queue.State{queue.Active, queue.Pending, queue.Retry, queue.Scheduled, queue.Archived}

type listTasksIn struct {
	QueueIn
	api.PageIn
	State queue.State `query:"state" enum:"pending,active,scheduled,retry,archived" doc:"All of them when not given."`
}

func (s *Service) listTasks(_ *api.Call, tx *store.Tx, in listTasksIn) (out api.Page[Task], err error) {
	if err := in.check(); err != nil {
		return out, err
	}
	states := listed
	if in.State != "" {
		states = []queue.State{in.State}
	}
	rows, total, next, err := taskPage(tx, s.taskParts(in.Name, states), in.PageIn)
	out = api.NewPage(rows, total, in.PageIn, next)
	return out, err
}

type taskIn struct {
	Name queue.Name `path:"name" maxLength:"32"`
	Task string     `path:"task" maxLength:"64"`
}

func onTask(j *queue.Job) audit.Resource { return audit.On("task", j.ID, j.Kind) }

func (s *Service) retryTask(c *api.Call, in taskIn) (out Task, err error) {
	if err := (QueueIn{in.Name}).check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		t, err := s.task(tx, in)
		if err != nil {
			return err
		}
		if err := t.retryEnded(tx); err != nil {
			return err
		}
		now, err := s.task(tx, in)
		if err != nil {
			return err
		}
		out = showTask(&now.Job)
		return t.note(tx, c, "task.retried", audit.Changed("state", t.State, now.State))
	})
	return out, err
}

// retryEnded makes a task ready that waits for its time, or failed.
func (t *task) retryEnded(tx *store.Tx) error {
	if t.State != queue.Archived && t.State != queue.Retry && t.State != queue.Scheduled {
		return ErrTaskNotRetryable
	}
	err := t.retry(tx)
	if store.Duplicate(err) {
		return api.ErrConflict.WithMessage("Another task took the place of this one; drop it.")
	}
	return err
}

func (s *Service) dropTask(c *api.Call, in taskIn) (out api.NoContent, err error) {
	if err := (QueueIn{in.Name}).check(); err != nil {
		return out, err
	}
	return out, s.db.Update(c, func(tx *store.Tx) error {
		t, err := s.task(tx, in)
		if err != nil {
			return err
		}
		if err := t.drop(tx); errors.Is(err, queue.ErrActive) {
			return ErrTaskActive
		} else if err != nil {
			return err
		}
		if back, err := s.comesBack(tx, in.Name); err != nil {
			return err
		} else if back {
			return errForever
		}
		return t.note(tx, c, "task.dropped", audit.Changed("state", t.State, nil))
	})
}

// comesBack asks for the tasks that run for ever, which changes nothing for those that
// are there, and says whether one of a queue was missing.
func (s *Service) comesBack(tx *store.Tx, q queue.Name) (bool, error) {
	if s.o.SchedulePeriodicJobs == nil {
		return false, nil
	}
	before, err := jobsIn(tx, q)
	if err == nil {
		err = s.o.SchedulePeriodicJobs(tx)
	}
	if err != nil {
		return false, err
	}
	after, err := jobsIn(tx, q)
	return after > before, err
}

func jobsIn(tx *store.Tx, q queue.Name) (n int, err error) {
	stats, err := queue.StatsOf(tx, q)
	for _, k := range stats.Counts {
		n += k
	}
	return n, err
}
