package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"svc/store"
)

// Options of Workers.
type Options struct {
	// Concurrency is how many jobs of a queue run at a time; 8 where it says
	// nothing.
	Concurrency map[Name]int
	// Log hears of failures. nil: nobody does.
	Log *slog.Logger
}

const (
	defaultConcurrency = 8
	maxConcurrency     = 256
)

// Workers run the jobs of one process. Register every kind, then Run.
type Workers struct {
	db    *store.DB
	log   *slog.Logger
	kinds map[string]kind
	freed chan struct{}
	busy  sync.WaitGroup

	mu   sync.Mutex
	free map[Name]int
	size map[Name]int // never changes
}

// kind is how one kind of job is worked on.
type kind struct {
	queue   Name
	work    func(context.Context, Job) error
	backoff func(failures int) time.Duration
	timeout time.Duration
}

// New makes workers over a store that has Tables. It starts nothing.
func New(db *store.DB, o Options) *Workers {
	w := &Workers{db: db, log: o.Log, kinds: map[string]kind{}, freed: make(chan struct{}, 1), free: map[Name]int{}, size: map[Name]int{}}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	for _, q := range Names() {
		w.free[q] = defaultConcurrency
		if n, ok := o.Concurrency[q]; ok {
			w.free[q] = min(max(n, 0), maxConcurrency)
		}
		w.size[q] = w.free[q]
	}
	return w
}

// How changes how a kind of job is worked on.
type How func(*kind)

// WithBackoff replaces Backoff for a kind of job.
func WithBackoff(f func(failures int) time.Duration) How { return func(k *kind) { k.backoff = f } }

// WithTimeout bounds a try; ten minutes when not given.
func WithTimeout(d time.Duration) How { return func(k *kind) { k.timeout = d } }

const defaultTimeout = 10 * time.Minute

// Register says who works on jobs with arguments of type A. The worker answers nil
// (done), an error (again later), Snooze, Drop or RetryIn, and returns soon after
// its context ends. It panics when a kind is registered twice.
func Register[A Args](w *Workers, work func(context.Context, Job, A) error, how ...How) {
	var zero A
	name := zero.Kind()
	if _, taken := w.kinds[name]; taken {
		panic("queue: kind " + name + " registered twice")
	}
	k := kind{queue: zero.Queue(), backoff: Backoff, timeout: defaultTimeout, work: func(ctx context.Context, j Job) error {
		var args A
		if err := json.Unmarshal(j.Args, &args); err != nil {
			return Drop(fmt.Errorf("the arguments do not decode: %w", err))
		}
		return work(ctx, j, args)
	}}
	for _, h := range how {
		h(&k)
	}
	w.kinds[name] = k
}

func (w *Workers) backoff(name string) func(int) time.Duration {
	if k, ok := w.kinds[name]; ok {
		return k.backoff
	}
	return Backoff
}

// run does one try and writes what came of it.
func (w *Workers) run(ctx context.Context, j Job) {
	defer w.busy.Done()
	defer w.release(j.Queue)
	result := w.try(ctx, j)
	interrupted := ctx.Err() != nil && result != nil && !errors.As(result, new(drop))
	if result != nil && !interrupted && !errors.As(result, new(snooze)) {
		w.log.Warn("a job failed", "queue", j.Queue, "kind", j.Kind, "job", j.ID, "attempt", j.Attempts, "error", cut(result.Error()))
	}
	at := w.db.Now()
	// The result is written also when the service stops.
	keep := context.WithoutCancel(ctx)
	for {
		err := w.db.Update(keep, func(tx *store.Tx) error { return w.settle(tx, j, result, interrupted, at) })
		if err == nil {
			return
		}
		w.log.Error("the result of a job cannot be saved", "job", j.ID, "error", err)
		if !wait(ctx, time.Second) {
			return // it is active on the disk, and ready at the next start
		}
	}
}

// try calls the worker. A panic is an error of the job.
func (w *Workers) try(ctx context.Context, j Job) (err error) {
	k, ok := w.kinds[j.Kind]
	if !ok {
		return Drop(fmt.Errorf("no worker of this svc knows jobs of kind %q", j.Kind))
	}
	ctx, cancel := context.WithTimeout(ctx, k.timeout)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			w.log.Error("a worker panicked", "kind", j.Kind, "job", j.ID, "panic", r, "stack", string(debug.Stack()))
		}
	}()
	return k.work(ctx, j)
}

func (w *Workers) release(q Name) {
	w.mu.Lock()
	w.free[q]++
	w.mu.Unlock()
	select {
	case w.freed <- struct{}{}:
	default:
	}
}

// wait reports whether the time passed before the context ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
