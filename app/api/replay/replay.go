// Package replay keeps the answers to requests that carried an Idempotency-Key, so
// that a request that is sent again after a lost answer changes nothing twice
// (messaging decisions, 1.2).
//
// It promises that of two requests with one key and one body one runs and the
// other hears its answer, or, when the server died in between, that it was carried
// out; that the same key with another body is refused; and that answers are sealed and
// hold no one-time secret. It refuses to remember for longer than a day.
package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"svc/app/api"
	"svc/store"
)

// Keep is how long an answer is remembered.
const Keep = 24 * time.Hour

// Answer is what was answered.
type Answer struct {
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	Body        []byte `json:"body"`
}

// state is how far a request came.
type state string

// States of a request: what runs has changed something once a transaction of it is
// durable. A request that changed something and whose answer nobody can know any more
// is lost; it never runs again.
const (
	running state = "RUNNING"
	changed state = "CHANGED"
	lost    state = "LOST"
	done    state = "DONE"
)

// record is a request and, when it is done, its answer. Its id is the hash of
// caller, operation and key.
type record struct {
	ID       string       `json:"id"`
	BodyHash string       `json:"body_hash"`
	Began    time.Time    `json:"began"`
	State    state        `json:"state"`
	Answer   store.Sealed `json:"answer,omitzero"`
}

var (
	table  = store.NewTable("replay", "", func(r *record) string { return r.ID }).Global()
	byTime = table.Index("began", func(r *record) store.Key { return store.Time(r.Began) })
	// open are the requests that have no end.
	open = table.Multi("open", func(r *record) []store.Key {
		if r.State == running || r.State == changed {
			return []store.Key{store.Text(r.ID)}
		}
		return nil
	})
	answer = table.Sealed("answer", func(r *record) *store.Sealed { return &r.Answer })
)

// Tables are what a store that holds the answers is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Request is one request that carries a key.
type Request struct {
	Caller, Operation, Key string
	Fingerprint            string // of what it asks for
}

func (r Request) id() string {
	sum := sha256.Sum256([]byte(r.Caller + "\x00" + r.Operation + "\x00" + r.Key))
	return hex.EncodeToString(sum[:])
}

// Refusals of a key that is taken.
var (
	errRunning = api.ErrIdempotency.Saying("The first request with this Idempotency-Key is still running; try again.").After(time.Second)
	errLost    = api.ErrIdempotency.Saying("The first request with this Idempotency-Key was carried out, but its answer was not kept: look at what it changed, and send a new request with a new key.")
)

// Begin takes the key. The answer is nil when the request is to run, and what was
// answered before otherwise.
func Begin(c *api.Call, db *store.DB, r Request) (before *Answer, err error) {
	err = db.Update(c, func(tx *store.Tx) error {
		before = nil
		old, err := table.Get(tx, store.Platform, r.id())
		fresh := errors.Is(err, store.ErrNotFound)
		switch {
		case err != nil && !fresh:
			return err
		case fresh || c.Now.Sub(old.Began) >= Keep:
			return table.Put(tx, store.Platform, &record{ID: r.id(), BodyHash: r.Fingerprint, Began: c.Now, State: running})
		case old.BodyHash != r.Fingerprint:
			return api.ErrIdempotency
		case old.State == lost:
			return errLost
		case old.State != done:
			return errRunning
		}
		data, err := answer.Open(tx.DB(), store.Platform, &old)
		if err != nil {
			return err
		}
		before = &Answer{}
		return json.Unmarshal(data, before)
	})
	return before, err
}

// Following is a context for what the request does: each of its transactions notes,
// when it is durable, that the request changed something.
func Following(ctx context.Context, r Request) context.Context {
	return store.Alongside(ctx, func(tx *store.Tx) error {
		rec, err := table.Get(tx, store.Platform, r.id())
		if err != nil || rec.State != running {
			return store.IgnoreNotFound(err)
		}
		rec.State = changed
		return table.Put(tx, store.Platform, &rec)
	})
}

// End remembers the answer of a request that ran.
func End(c *api.Call, db *store.DB, r Request, a Answer) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return db.Update(c, func(tx *store.Tx) error {
		rec := record{ID: r.id(), BodyHash: r.Fingerprint, Began: c.Now, State: done}
		if err := answer.Set(tx, store.Platform, &rec, data); err != nil {
			return err
		}
		return table.Put(tx, store.Platform, &rec)
	})
}

// Forget gives the key back: the request was refused for now.
func Forget(c *api.Call, db *store.DB, r Request) error {
	return db.Update(c, func(tx *store.Tx) error {
		return store.IgnoreNotFound(table.Delete(tx, store.Platform, r.id()))
	})
}

// Lose ends a request without an answer that can be kept. The key is given back
// unless the request changed something.
func Lose(c *api.Call, db *store.DB, r Request) error {
	return db.Update(c, func(tx *store.Tx) error {
		rec, err := table.Get(tx, store.Platform, r.id())
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		return lose(tx, &rec)
	})
}

func lose(tx *store.Tx, rec *record) error {
	if rec.State == running {
		return table.Delete(tx, store.Platform, rec.ID)
	}
	rec.State = lost
	return table.Put(tx, store.Platform, rec)
}

// Recover ends, before any request runs, those that a process left behind when it
// died: up to limit of them. It says how many there were.
func Recover(tx *store.Tx, limit int) (int, error) {
	list, _, err := open.Walk(tx, store.Platform, store.Range{Span: store.All(), Limit: limit})
	for i := range list {
		if err == nil {
			err = lose(tx, &list[i])
		}
	}
	return len(list), err
}

// Purge removes up to limit answers that are older than Keep and says how many
// there were.
func Purge(tx *store.Tx, limit int) (int, error) {
	old := store.Between(nil, store.Time(tx.DB().Now().Add(-Keep)))
	list, _, err := byTime.Walk(tx, store.Platform, store.Range{Span: old, Limit: limit})
	for i := range list {
		if err == nil {
			err = table.Delete(tx, store.Platform, list[i].ID)
		}
	}
	return len(list), err
}
