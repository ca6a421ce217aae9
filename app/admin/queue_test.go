package admin_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"svc/app/admin"
	"svc/app/api"
	"svc/store"
	"svc/store/dispatch"
	"svc/store/queue"
)

// deed is a job that fails when it is told to.
type deed struct {
	N int `json:"n"`
}

func (deed) Kind() string      { return "test.deed" }
func (deed) Queue() queue.Name { return queue.Imports }

// add asks for a job.
func (h *harness) add(n int, at time.Time, o ...queue.Option) (id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		id, err = queue.Add(tx, deed{n}, at, o...)
		return err
	})
	return id
}

// work runs jobs until f has what it wants.
func (h *harness) work(do func(context.Context, queue.Job, deed) error, until func(queue.Stats) bool) {
	h.t.Helper()
	w := queue.New(h.db, queue.Options{})
	queue.Register(w, do)
	ctx, cancel := context.WithTimeout(h.t.Context(), 10*time.Second)
	defer cancel()
	wake, stop := h.db.Listen("queue")
	defer stop()
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(running) }()
	for done := false; !done; {
		err := h.db.View(ctx, func(tx *store.Tx) error {
			s, err := queue.StatsOf(tx, queue.Imports)
			done = until(s)
			return err
		})
		if err != nil {
			h.t.Fatal(err)
		}
		if !done {
			select {
			case <-wake:
			case <-ctx.Done():
				h.t.Fatal("the jobs did not come to that")
			}
		}
	}
	end()
	if err := <-ended; err != nil {
		h.t.Fatal(err)
	}
}

// archive makes n jobs that were given up.
func (h *harness) archive(n int, o ...queue.Option) (ids []string) {
	h.t.Helper()
	for i := range n {
		ids = append(ids, h.add(i, time.Time{}, o...))
	}
	h.work(func(context.Context, queue.Job, deed) error { return queue.Drop(errors.New("it cannot be done")) },
		func(s queue.Stats) bool { return s.Counts[queue.Archived] >= n })
	return ids
}

func (h *harness) queue(name string) admin.Queue {
	h.t.Helper()
	var list api.List[admin.Queue]
	h.boss.do("GET /admin/queues", nil).Want(200).Into(&list)
	for _, q := range list.Data {
		if string(q.Name) == name {
			return q
		}
	}
	h.t.Fatalf("there is no queue %s", name)
	return admin.Queue{}
}

func TestQueues(t *testing.T) {
	h := newHarness(t)
	var list api.List[admin.Queue]
	h.boss.do("GET /admin/queues", nil).Want(200).Into(&list)
	var names []queue.Name
	for _, q := range list.Data {
		names = append(names, q.Name)
	}
	if !slices.Equal(names, queue.Names()) {
		t.Errorf("%v", names)
	}
	// A scheduler of its own counts what it does.
	h.update(func(tx *store.Tx) error {
		return dispatch.Counted(tx, string(queue.Send), []time.Duration{time.Millisecond, time.Second, 30 * time.Second}, 2)
	})
	if got, want := h.queue("send"), (admin.Queue{Name: queue.Send, Processed: 3, Failed: 2, LatencyP95: 32768}); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}

	for _, do := range []string{"pause", "resume", "retry-archived", "drop-archived"} {
		h.boss.do("POST /admin/queues/nothing/"+do, nil).Refused(admin.ErrQueueNotFound)
		h.boss.do("POST /admin/queues/imports/"+do, nil).Refused(admin.ErrQueueNotStarted)
	}
	if a := h.boss.do("POST /admin/queues/send/pause", nil).Want(200); a.At("paused") != true || a.Int("processed_24h") != 3 {
		t.Error(a.Body)
	}
	h.add(1, time.Time{})
	h.clock.Add(90 * time.Second)
	for range 2 { // the second time changes nothing
		if a := h.boss.do("POST /admin/queues/imports/pause", nil).Want(200); a.At("paused") != true || a.Int("oldest_pending_seconds") != 90 {
			t.Error(a.Body)
		}
	}
	if got := h.queue("imports"); !got.Paused || got.Pending != 1 {
		t.Errorf("%+v", got)
	}
	h.boss.do("POST /admin/queues/imports/resume", nil).Want(200)
	if got := h.queue("imports"); got.Paused {
		t.Error("it is still paused")
	}
	log := h.logged("")
	if n := slices.Index(log, "PLATFORM_ADMIN queue.resumed"); n != 0 || log[1] != "PLATFORM_ADMIN queue.paused" || log[2] != "PLATFORM_ADMIN queue.paused" {
		t.Errorf("%q", log[:4])
	}
}

// TestStartedQueue: a queue that ever ran something has started, also when nothing of
// it is left.
func TestStartedQueue(t *testing.T) {
	h := newHarness(t)
	ids := h.archive(1)
	h.boss.do("POST /admin/queues/imports/tasks/"+ids[0]+"/drop", nil).Want(204)
	h.boss.do("POST /admin/queues/imports/pause", nil).Want(200)
}

func TestTasks(t *testing.T) {
	h := newHarness(t)
	archived := h.archive(2, queue.For("org_01arz3ndektsv4rrffq69g5fav", "imp_01arz3ndektsv4rrffq69g5fav"))
	var active, again string
	h.add(50, time.Time{}, queue.Attempts(3))
	h.work(func(_ context.Context, j queue.Job, _ deed) error { again = j.ID; return errors.New("not yet") },
		func(s queue.Stats) bool { return s.Counts[queue.Retry] == 1 })
	scheduled, pending := h.add(51, h.clock.Now().Add(time.Hour)), h.add(52, time.Time{})

	page := func(query string) (out api.Page[admin.Task]) {
		h.boss.do("GET /admin/queues/imports/tasks"+query, nil).Want(200).Into(&out)
		return out
	}
	all := page("")
	var states []queue.State
	for _, task := range all.Data {
		states = append(states, task.State)
	}
	if want := []queue.State{queue.Pending, queue.Retry, queue.Scheduled, queue.Archived, queue.Archived}; !slices.Equal(states, want) || all.Total != 5 {
		t.Errorf("%v of %d, want %v", states, all.Total, want)
	}
	for offset := range 6 {
		got := page(fmt.Sprintf("?limit=2&offset=%d", offset))
		want := all.Data[min(offset, 5):min(offset+2, 5)]
		if got.Total != 5 || len(got.Data) != len(want) {
			t.Fatalf("from %d: %+v", offset, got)
		}
		for i := range want {
			if got.Data[i].ID != want[i].ID {
				t.Errorf("from %d, place %d: %s, want %s", offset, i, got.Data[i].ID, want[i].ID)
			}
		}
	}
	given := page("?state=archived")
	if given.Total != 2 || len(given.Data) != 2 {
		t.Fatalf("%+v", given)
	}
	first := given.Data[0]
	if first.Type != "test.deed" || *first.OrganizationID != "org_01arz3ndektsv4rrffq69g5fav" || *first.Resource != "imp_01arz3ndektsv4rrffq69g5fav" ||
		*first.LastError != "it cannot be done" || first.LastFailedAt == nil || first.RunAt != nil || first.Attempts != 1 || first.MaxAttempts != 10 {
		t.Errorf("%+v", first)
	}
	h.boss.do("GET /admin/queues/imports/tasks?state=done", nil).Refused(api.ErrInvalid)
	h.boss.do("GET /admin/queues/nothing/tasks", nil).Refused(admin.ErrQueueNotFound)
	if got := h.boss.do("GET /admin/queues/ai/tasks", nil).Want(200); got.Int("total") != 0 {
		t.Error(got.Body)
	}

	task := func(id, what string) string { return "POST /admin/queues/imports/tasks/" + id + "/" + what }
	h.boss.do(task(pending, "retry"), nil).Refused(admin.ErrTaskNotRetryable)
	for _, id := range []string{"tsk_01arz3ndektsv4rrffq69g5fav", "nonsense"} {
		h.boss.do(task(id, "retry"), nil).Refused(admin.ErrTaskNotFound)
		h.boss.do(task(id, "drop"), nil).Refused(admin.ErrTaskNotFound)
	}
	h.boss.do("POST /admin/queues/media/tasks/"+pending+"/retry", nil).Refused(admin.ErrTaskNotFound) // of another queue
	h.boss.do("POST /admin/queues/nothing/tasks/"+pending+"/retry", nil).Refused(admin.ErrQueueNotFound)
	h.boss.do("POST /admin/queues/nothing/tasks/"+pending+"/drop", nil).Refused(admin.ErrQueueNotFound)
	for _, id := range []string{archived[0], again, scheduled} {
		if a := h.boss.do(task(id, "retry"), nil).Want(200); a.String("state") != "pending" {
			t.Error(a.Body)
		}
	}
	h.boss.do(task(archived[1], "drop"), nil).Want(204)
	h.boss.do(task(pending, "drop"), nil).Want(204)
	if got := page(""); got.Total != 3 {
		t.Errorf("%d are left", got.Total)
	}

	// One runs while it is asked for.
	var once sync.Once // several run at a time
	h.work(func(_ context.Context, j queue.Job, _ deed) error {
		once.Do(func() {
			active = j.ID
			h.boss.do(task(j.ID, "drop"), nil).Refused(admin.ErrTaskActive)
			h.boss.do(task(j.ID, "retry"), nil).Refused(admin.ErrTaskNotRetryable)
		})
		return nil
	}, func(s queue.Stats) bool { return s.Counts[queue.Done] == 3 })
	h.boss.do(task(active, "drop"), nil).Refused(admin.ErrTaskNotFound) // it is done
	log := h.logged("")
	for _, line := range []string{"PLATFORM_ADMIN task.retried", "PLATFORM_ADMIN task.dropped"} {
		if !slices.Contains(log, line) {
			t.Errorf("the log lacks %q", line)
		}
	}
}

// TestForever: a task that runs for ever cannot be dropped, however it is; when it was
// given up, another one begins.
func TestForever(t *testing.T) {
	h := newHarness(t, func(_ *harness, o *admin.Options) {
		o.SchedulePeriodicJobs = func(tx *store.Tx) error {
			_, err := queue.Add(tx, deed{0}, time.Time{}, queue.Once("for ever"))
			return err
		}
	})
	drop := func(id string) string { return "POST /admin/queues/imports/tasks/" + id + "/drop" }
	if err := h.s.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	given := h.add(0, time.Time{}, queue.Once("for ever"))
	other := h.add(1, time.Time{})
	h.boss.do(drop(given), nil).Refused(api.ErrState)
	h.boss.do(drop(other), nil).Want(204)
	if q := h.queue("imports"); q.Pending != 1 {
		t.Errorf("%+v", q)
	}
	if err := h.s.Heartbeat(t.Context()); err != nil { // changes nothing: it is there
		t.Fatal(err)
	}
	h.work(func(context.Context, queue.Job, deed) error { return queue.Drop(errors.New("it cannot be done")) },
		func(s queue.Stats) bool { return s.Counts[queue.Archived] == 1 })
	if err := h.s.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if q := h.queue("imports"); q.Pending != 1 || q.Archived != 1 {
		t.Errorf("%+v", q)
	}
	h.boss.do(drop(given), nil).Want(204) // another one has its place
}

// TestTakenPlace: a task that was added once is not made ready beside the one that
// took its place.
func TestTakenPlace(t *testing.T) {
	h := newHarness(t)
	old := h.archive(1, queue.Once("sweep"))[0]
	free := h.archive(2)
	h.add(1, time.Time{}, queue.Once("sweep"))
	h.boss.do("POST /admin/queues/imports/tasks/"+old+"/retry", nil).Refused(api.ErrConflict)
	if a := h.boss.do("POST /admin/queues/imports/retry-archived", nil).Want(200); a.Int("count") != len(free) {
		t.Error(a.Body)
	}
	if q := h.queue("imports"); q.Archived != 1 || q.Pending != 3 {
		t.Errorf("%+v", q)
	}
}

// TestAllArchived: all tasks that were given up are retried, or dropped, however many
// there are.
func TestAllArchived(t *testing.T) {
	h := newHarness(t)
	const n = 450
	h.archive(n)
	if a := h.boss.do("POST /admin/queues/imports/retry-archived", nil).Want(200); a.Int("count") != n {
		t.Error(a.Body)
	}
	if q := h.queue("imports"); q.Archived != 0 || q.Pending != n {
		t.Errorf("%+v", q)
	}
	h.work(func(context.Context, queue.Job, deed) error { return queue.Drop(errors.New("again")) },
		func(s queue.Stats) bool { return s.Counts[queue.Archived] == n })
	if a := h.boss.do("POST /admin/queues/imports/drop-archived", nil).Want(200); a.Int("count") != n {
		t.Error(a.Body)
	}
	if q := h.queue("imports"); q.Archived != 0 || q.Pending != 0 {
		t.Errorf("%+v", q)
	}
	for _, do := range []string{"retry-archived", "drop-archived"} {
		if a := h.boss.do("POST /admin/queues/imports/"+do, nil).Want(200); a.Int("count") != 0 {
			t.Error(a.Body)
		}
	}
	log := h.logged("")
	for _, line := range []string{"PLATFORM_ADMIN queue.archived_retried", "PLATFORM_ADMIN queue.archived_dropped"} {
		if !slices.Contains(log, line) {
			t.Errorf("the log lacks %q", line)
		}
	}
}
