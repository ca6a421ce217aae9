// Package queue keeps jobs in the store: work that is asked for in one transaction
// and done after it, once or again until it succeeds.
//
// It promises: a job exists exactly when the change that asks for it commits; it
// runs when it is due, without polling, on one of the nodes of the store (package
// dispatch); what was running on a node that ended is ready again as soon as another
// notices; no worker's error or panic is lost; an administrator sees how many jobs wait,
// run and failed, can pause a queue and retry or discard a job.
//
// It refuses to promise that a job runs once: a process can die between the work
// and its result. A worker whose work is itself a change of the store calls Finish
// in that transaction, and then the two happen together or not at all. A worker
// that speaks to the outside brings its own key against doing twice.
package queue

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"svc/store"
	"svc/store/coord"
	"svc/store/dispatch"
)

// Name is one of the named queues (contract 17).
type Name string

// The ten queues.
const (
	Send        Name = "send"
	Inbound     Name = "inbound"
	AI          Name = "ai"
	Webhooks    Name = "webhooks"
	Imports     Name = "imports"
	Media       Name = "media"
	Analysis    Name = "analysis"
	Social      Name = "social"
	Calendar    Name = "calendar"
	Maintenance Name = "maintenance"
)

// Names lists the queues in the order in which they are shown.
func Names() []Name {
	return []Name{Send, Inbound, AI, Webhooks, Imports, Media, Analysis, Social, Calendar, Maintenance}
}

// Valid reports whether there is such a queue.
func (n Name) Valid() bool { return slices.Contains(Names(), n) }

// Args are the arguments of one kind of job: a small type that JSON keeps.
type Args interface {
	// Kind names the kind of job. It never changes on disk.
	Kind() string
	// Queue is where jobs of the kind wait.
	Queue() Name
}

// State is where a job is in its life.
type State string

// The states. A job that is scheduled or waits for another try keeps that state
// until it runs, also when its time has come and no worker is free.
const (
	Pending   State = "pending"   // ready, since At
	Scheduled State = "scheduled" // asked for at a later time, At
	Retry     State = "retry"     // failed, again at At
	Active    State = "active"    // running, since At
	Archived  State = "archived"  // given up, at At
	Done      State = "done"      // succeeded, at At
)

// States lists the states in the order of a job's life.
func States() []State { return []State{Pending, Scheduled, Retry, Active, Archived, Done} }

// waits reports whether a job of that state will run by itself.
func (s State) waits() bool { return s == Pending || s == Scheduled || s == Retry }

// Job is one job as it is stored.
type Job struct {
	ID           string          `json:"id"`
	Queue        Name            `json:"queue"`
	Kind         string          `json:"kind"`
	Args         json.RawMessage `json:"args"`
	State        State           `json:"state"`
	At           time.Time       `json:"at"`
	Due          time.Time       `json:"due"`      // when the try under way should have begun
	Attempts     int             `json:"attempts"` // tries that failed, and the one under way
	MaxAttempts  int             `json:"max_attempts"`
	Since        time.Time       `json:"since,omitzero"`        // when it was decided that it waits a while, until At; zero: At is a time by itself
	Interrupted  int             `json:"interrupted,omitempty"` // how often the node ended that had it
	Org          string          `json:"org,omitempty"`
	Resource     string          `json:"resource,omitempty"`
	Unique       string          `json:"unique,omitempty"`
	Lane         string          `json:"lane,omitempty"`
	Front        bool            `json:"front,omitempty"` // the next of its lane
	Next         *Request        `json:"next,omitempty"`  // what Coalesced asked for since the try under way began
	LastError    string          `json:"last_error,omitempty"`
	LastFailedAt time.Time       `json:"last_failed_at,omitzero"`
	CreatedAt    time.Time       `json:"created_at"`
	// Slot says to the nodes when it runs and which of them has it. It follows from what
	// stands above: see plan.
	Slot dispatch.Slot `json:"slot,omitzero"`

	coalesced bool // by Coalesced, while it is added
}

// Request is what was asked of a job that ran.
type Request struct {
	At   time.Time       `json:"at"`
	Args json.RawMessage `json:"args"`
}

// plan brings the slot to what the state says: a job that may run is due at At, any other
// is not. Every change of a job ends with it.
func (j *Job) plan() {
	j.At = j.At.Truncate(time.Millisecond)
	j.Slot.Due = time.Time{}
	if j.State.waits() && (j.Lane == "" || j.Front) {
		j.Slot.Due = j.At
	}
}

const (
	defaultAttempts = 10
	maxArgs         = 256 << 10 // bytes; large things are records or files
	topic           = "queue"   // told after every commit that changes a job
)

var (
	jobs = store.NewTable("job", "tsk", func(j *Job) string { return j.ID }).Global()
	// work holds what may run, by when, and what does, by node. Of each lane the front
	// alone may run. What was decided in the future was so before somebody set the clock
	// back: it is due (contract 21.3).
	work = dispatch.NewIndex(jobs, dispatch.Of[Job]{
		Slot:  func(j *Job) *dispatch.Slot { return &j.Slot },
		Queue: func(j *Job) string { return string(j.Queue) },
		Noted: func(j *Job) time.Time {
			if j.State == Pending {
				return j.At
			}
			return j.Since
		},
	})
	byState = jobs.Index("state", func(j *Job) store.Key {
		return store.Tuple(store.Text(string(j.Queue)), store.Text(string(j.State)), store.Time(j.At))
	})
	// unique holds jobs that have not ended.
	unique = jobs.Unique("unique", func(j *Job) store.Key {
		if j.Unique == "" || !j.State.waits() && j.State != Active {
			return nil
		}
		return uniqueKey(j.Kind, j.Unique)
	})
	counts = jobs.Tally("state", func(j *Job) []string { return []string{countName(j.Queue, j.State)} })
)

func uniqueKey(kind, key string) store.Key { return store.Tuple(store.Text(kind), store.Text(key)) }

func countName(q Name, s State) string { return string(q) + " " + string(s) }

// Tables are what a store that holds jobs is opened with: those of packages dispatch and
// coord are among them.
func Tables() []store.AnyTable {
	return slices.Concat([]store.AnyTable{jobs}, dispatch.Tables(), coord.Tables())
}

// Option changes how a job is added.
type Option func(*Job)

// Once adds the job only when no other of its kind and with that key waits or
// runs.
func Once(key string) Option { return func(j *Job) { j.Unique = key } }

// Coalesced is Once for work that reads what others change: a request that comes while such
// a job runs, which may have read what changed before, is kept, and becomes a job of its own
// when that one ends. Of several the one due first is kept.
func Coalesced(key string) Option { return func(j *Job) { j.Unique, j.coalesced = key, true } }

// InLane lets only one job of the queue with that key run at a time, the one due
// first: one import for each organization.
func InLane(key string) Option { return func(j *Job) { j.Lane = key } }

// Attempts bounds how often it is tried; 10 when not given.
func Attempts(n int) Option { return func(j *Job) { j.MaxAttempts = max(1, n) } }

// For says whom and what the job is about, for the administrator.
func For(org, resource string) Option {
	return func(j *Job) { j.Org, j.Resource = org, resource }
}

// Add asks for a job, due at a time; the zero time is now. It exists exactly when
// the transaction commits. With Once and Coalesced, the id is that of the job that was there.
func Add(tx *store.Tx, args Args, at time.Time, options ...Option) (id string, err error) {
	b, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("add a job of kind %s: %w", args.Kind(), err)
	}
	if len(b) > maxArgs {
		return "", fmt.Errorf("add a job of kind %s: arguments of %d bytes, at most %d: keep them in a record and give its id", args.Kind(), len(b), maxArgs)
	}
	if !args.Queue().Valid() {
		return "", fmt.Errorf("add a job of kind %s: there is no queue %q", args.Kind(), args.Queue())
	}
	j := Job{Queue: args.Queue(), Kind: args.Kind(), Args: b, MaxAttempts: defaultAttempts}
	for _, o := range options {
		o(&j)
	}
	j.request(tx.DB(), at)
	if j.Unique != "" {
		old, err := unique.Find(tx, store.Platform, uniqueKey(j.Kind, j.Unique))
		if err == nil && j.coalesced {
			err = old.remember(tx, &j)
		}
		if !isNotFound(err) {
			return old.ID, err
		}
	}
	return j.ID, j.insert(tx)
}

// request makes a job one that is asked for now, due at a time.
func (j *Job) request(db *store.DB, at time.Time) {
	j.ID, j.CreatedAt = db.NewID("tsk"), db.Now()
	j.wait(at, j.CreatedAt)
}

// insert stores a job that is new, in its lane.
func (j *Job) insert(tx *store.Tx) error {
	j.plan()
	if err := jobs.Insert(tx, store.Platform, j); err != nil {
		return err
	}
	changed(tx, j)
	return settleLane(tx, j.Queue, j.Lane)
}

// remember keeps, with a job that runs, that another one like it was asked for.
func (j *Job) remember(tx *store.Tx, other *Job) error {
	if j.State != Active || j.Next != nil && !other.At.Before(j.Next.At) {
		return nil
	}
	j.Next = &Request{other.At, other.Args}
	return jobs.Put(tx, store.Platform, j)
}

// follow adds the job that was asked for while this one, which ends, ran.
func (j *Job) follow(tx *store.Tx) error {
	r := j.Next
	if j.Next = nil; r == nil {
		return nil
	}
	if err := jobs.Put(tx, store.Platform, j); err != nil { // it gives its place away first
		return err
	}
	next := Job{Queue: j.Queue, Kind: j.Kind, Args: r.Args, MaxAttempts: j.MaxAttempts, Org: j.Org, Resource: j.Resource, Unique: j.Unique, Lane: j.Lane}
	next.request(tx.DB(), r.At)
	return next.insert(tx)
}

// wait lets a job run at a time, or now.
func (j *Job) wait(at, now time.Time) {
	j.State, j.At, j.Front = Scheduled, at.UTC().Truncate(time.Millisecond), false
	if !at.After(now) {
		j.State, j.At = Pending, now
	}
}

// Get reads a job: store.ErrNotFound when it is gone.
func Get(tx *store.Tx, id string) (Job, error) { return jobs.Get(tx, store.Platform, id) }

// changed tells of a job that was saved.
func changed(tx *store.Tx, j *Job) {
	tx.Notify(topic)
	if !j.Slot.Due.IsZero() {
		work.Changed(tx, j)
	}
}
