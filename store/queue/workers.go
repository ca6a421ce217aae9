package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// Options of Workers.
type Options struct {
	// Concurrency is how many jobs of a queue run at a time; where it says nothing, 200 of
	// AI, 2 of imports, and 8 of any other.
	Concurrency map[Name]int
	// Log hears of failures. nil: nobody does.
	Log *slog.Logger
}

const (
	defaultConcurrency = 8
	maxConcurrency     = 256
)

// usualConcurrency is that of a queue for which nobody chose one. Jobs of AI wait for models of
// many organizations, not for this machine: a model that hangs must not stop the others. Imports
// keep a processor busy, which people who wait for an answer need too.
func usualConcurrency(q Name) int {
	switch q {
	case AI:
		return 200
	case Imports:
		return 2
	}
	return defaultConcurrency
}

// Workers run jobs on this node. Register every kind, then Run.
type Workers struct {
	db         *store.DB
	log        *slog.Logger
	kinds      map[string]kind
	dispatcher *dispatch.Dispatcher
}

// kind is how one kind of job is worked on.
type kind struct {
	queue   Name
	work    func(context.Context, Job) error
	backoff func(failures int) time.Duration
	timeout time.Duration
	// elsewhere says that another node is to do a job; nil: none.
	elsewhere func(*store.Tx, Job) (bool, error)
	needed    bool
}

// New makes workers over a store that has Tables. It starts nothing. A store has one at a
// time that runs.
func New(db *store.DB, o Options) *Workers {
	w := &Workers{db: db, log: o.Log, kinds: map[string]kind{}, dispatcher: dispatch.New(db, o.Log)}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	for _, q := range Names() {
		n := usualConcurrency(q)
		if chosen, ok := o.Concurrency[q]; ok {
			if n = min(chosen, maxConcurrency); n <= 0 {
				n = -1 // none
			}
		}
		dispatch.Register(w.dispatcher, string(q), work, w.handler(), dispatch.Options{Concurrency: n})
	}
	return w
}

// Run runs jobs as they become due until the context ends; then it ends the contexts of
// those that run and waits for them. It answers an error only when the store cannot be
// used.
func (w *Workers) Run(ctx context.Context) error { return w.dispatcher.Run(ctx) }

// How changes how a kind of job is worked on.
type How func(*kind)

// WithBackoff replaces Backoff for a kind of job.
func WithBackoff(f func(failures int) time.Duration) How { return func(k *kind) { k.backoff = f } }

// WithTimeout bounds a try; ten minutes when not given.
func WithTimeout(d time.Duration) How { return func(k *kind) { k.timeout = d } }

// Needed keeps a job that nodes ended under too often: it waits between its tries, longer each
// time, where another is archived. It is for what was promised to somebody, and nobody would ask
// for again.
func Needed() How { return func(k *kind) { k.needed = true } }

// Keeps says whether jobs of a kind are [Needed].
func (w *Workers) Keeps(kind string) bool { return w.kinds[kind].needed }

// Elsewhere lets a job wait while f says that another node is to do it, because it has what
// the work needs: the connection of an account. Arguments that do not decode are nobody's.
func Elsewhere[A Args](f func(*store.Tx, A) (bool, error)) How {
	return func(k *kind) {
		k.elsewhere = func(tx *store.Tx, j Job) (bool, error) {
			var args A
			if json.Unmarshal(j.Args, &args) != nil {
				return false, nil //nolint:nilerr // the try says what is wrong with them
			}
			return f(tx, args)
		}
	}
}

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
