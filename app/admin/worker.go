package admin

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/store"
	"svc/store/queue"
)

// WorkerKind says what a worker does.
type WorkerKind string

// The kinds of worker (contract 17).
const (
	Sender    WorkerKind = "SENDER"
	Inbound   WorkerKind = "INBOUND"
	AI        WorkerKind = "AI"
	Webhook   WorkerKind = "WEBHOOK"
	Import    WorkerKind = "IMPORT"
	Media     WorkerKind = "MEDIA"
	Analysis  WorkerKind = "ANALYSIS"
	Social    WorkerKind = "SOCIAL"
	Scheduler WorkerKind = "SCHEDULER"
)

var workerKinds = []WorkerKind{Sender, Inbound, AI, Webhook, Import, Media, Analysis, Social, Scheduler}

// queuesOf are the queues that a kind of worker empties.
var queuesOf = map[WorkerKind][]queue.Name{
	Sender: {queue.Send}, Inbound: {queue.Inbound}, AI: {queue.AI}, Webhook: {queue.Webhooks}, Import: {queue.Imports},
	Media: {queue.Media}, Analysis: {queue.Analysis}, Social: {queue.Social}, Scheduler: {queue.Calendar, queue.Maintenance},
}

// Times of a heart.
const (
	beatEvery = 15 * time.Second
	// goneAfter is how long without a heartbeat a worker counts as gone, and
	// removedAfter how long it is shown as that: a process that was killed is seen.
	goneAfter    = time.Minute
	removedAfter = time.Hour
	// maxWorkers bounds the records; there are as many as kinds for each start of the
	// program within removedAfter.
	maxWorkers = 500
)

// Load is what a worker has in hand.
type Load struct {
	Busy, Capacity int
	// Accounts are those that it is connected to; nil for a kind that has none.
	Accounts *int
}

// worker is one kind of work of one process.
type worker struct {
	ID          string     `json:"id"`
	Kind        WorkerKind `json:"kind"`
	Host        string     `json:"host"`
	Version     string     `json:"version"`
	StartedAt   time.Time  `json:"started_at"`
	HeartbeatAt time.Time  `json:"heartbeat_at"`
	Busy        int        `json:"busy"`
	Capacity    int        `json:"capacity"`
	Processed   int        `json:"processed"`
	Failed      int        `json:"failed"`
	Accounts    *int       `json:"accounts,omitempty"`
}

var workers = store.NewTable("worker", "wrk", func(w *worker) string { return w.ID }).Global()

// gone says whether a worker's heart has stopped at a time.
func (w *worker) gone(now time.Time) bool { return now.Sub(w.HeartbeatAt) >= goneAfter }

// Worker is a worker in the API.
type Worker struct {
	ID          string     `json:"id"`
	Kind        WorkerKind `json:"kind" enum:"SENDER,INBOUND,AI,WEBHOOK,IMPORT,MEDIA,ANALYSIS,SOCIAL,SCHEDULER"`
	Status      string     `json:"status" enum:"ALIVE,GONE" doc:"GONE: no heartbeat for a minute; forgotten after an hour."`
	Host        string     `json:"host"`
	Version     string     `json:"version"`
	StartedAt   time.Time  `json:"started_at"`
	HeartbeatAt time.Time  `json:"heartbeat_at" doc:"Every 15 seconds."`
	Busy        int        `json:"busy" doc:"Tasks in hand at the heartbeat."`
	Capacity    int        `json:"capacity" doc:"Tasks that it may have in hand."`
	Processed   int        `json:"processed" doc:"Tasks done in the last 24 hours."`
	Failed      int        `json:"failed" doc:"Tries that failed, likewise."`
	Accounts    *int       `json:"accounts" doc:"Messenger accounts that it is connected to; null for kinds that have none."`
}

// Statuses of a worker.
const (
	alive = "ALIVE"
	gone  = "GONE"
)

func (w *worker) show(now time.Time) Worker {
	status := alive
	if w.gone(now) {
		status = gone
	}
	return Worker{
		w.ID, w.Kind, status, w.Host, w.Version, w.StartedAt, w.HeartbeatAt, w.Busy, w.Capacity, w.Processed, w.Failed, w.Accounts,
	}
}

func (s *Service) listWorkers(c *api.Call, tx *store.Tx, _ struct{}) (out api.List[Worker], err error) {
	list, _, err := workers.Walk(tx, store.Platform, nil, maxWorkers)
	rows := make([]Worker, len(list))
	for i := range list {
		rows[i] = list[i].show(c.Now)
	}
	out = api.NewList(rows)
	return out, err
}

// living is how many workers have a heartbeat.
func living(tx *store.Tx, now time.Time) (n int, err error) {
	list, _, err := workers.Walk(tx, store.Platform, nil, maxWorkers)
	for i := range list {
		if !list[i].gone(now) {
			n++
		}
	}
	return n, err
}

// beat writes the heartbeats of this process until the context ends, and takes its
// workers away then.
func (s *Service) beat(ctx context.Context) error {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		if err := s.heartbeat(ctx); err != nil && ctx.Err() == nil {
			s.o.Log.Warn("the heartbeat of the workers could not be written; trying again in 15 seconds", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return s.leave(context.WithoutCancel(ctx))
		}
	}
}

// heartbeat writes one record a kind, forgets those that have been gone for long, and
// notes how long the commit took.
func (s *Service) heartbeat(ctx context.Context) error {
	s.mu.Lock()
	ids := make(map[WorkerKind]string, len(s.ids))
	for kind, id := range s.ids {
		ids[kind] = id
	}
	s.mu.Unlock()
	loads := map[WorkerKind]Load{}
	for _, kind := range workerKinds {
		loads[kind] = s.load(kind)
	}
	begin := time.Now()
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		now := tx.DB().Now()
		for _, kind := range workerKinds {
			w := worker{
				ID: ids[kind], Kind: kind, Host: s.host, Version: s.o.Build.Version, StartedAt: s.started, HeartbeatAt: now,
				Busy: loads[kind].Busy, Capacity: loads[kind].Capacity, Accounts: loads[kind].Accounts,
			}
			for _, q := range queuesOf[kind] {
				stats, err := statsOf(tx, q)
				if err != nil {
					return err
				}
				w.Processed += stats.Processed
				w.Failed += stats.Failed
			}
			if err := workers.Put(tx, store.Platform, &w); err != nil {
				return err
			}
		}
		if s.o.SchedulePeriodicJobs != nil { // one that failed ten times in a row was given up
			if err := s.o.SchedulePeriodicJobs(tx); err != nil {
				return err
			}
		}
		return forget(tx, now)
	})
	if err == nil {
		s.mu.Lock()
		s.latest = time.Since(begin)
		s.mu.Unlock()
	}
	return err
}

// load is what a kind of worker of this process has in hand.
func (s *Service) load(kind WorkerKind) (l Load) {
	if of := s.o.Loads[kind]; of != nil {
		l = of()
	}
	if s.o.Workers == nil {
		return l
	}
	for _, q := range queuesOf[kind] {
		busy, capacity := s.o.Workers.Load(q)
		l.Busy += busy
		l.Capacity += capacity
	}
	return l
}

// forget removes workers that have been gone for long.
func forget(tx *store.Tx, now time.Time) error {
	list, _, err := workers.Walk(tx, store.Platform, nil, maxWorkers)
	for i := range list {
		if err == nil && now.Sub(list[i].HeartbeatAt) >= removedAfter {
			err = workers.Delete(tx, store.Platform, list[i].ID)
		}
	}
	return err
}

// leave removes the workers of this process, which stops as it should.
func (s *Service) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, beatEvery)
	defer cancel()
	return s.db.Update(ctx, func(tx *store.Tx) error {
		for _, id := range s.ids {
			if err := workers.Delete(tx, store.Platform, id); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
}
