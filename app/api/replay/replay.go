// Package replay keeps the answers to requests that carried an Idempotency-Key, so
// that a request that is sent again after a lost answer changes nothing twice
// (contract 1.2).
//
// It promises that of two requests with one key and one body one runs and the
// other hears its answer, or, when the server died in between, that it was carried
// out; that the same key with another body is refused; and that answers are sealed and
// hold no one-time secret. It refuses to remember for longer than a day, answers longer
// than MaxAnswer, and more than MaxOwned of one organization: its oldest are forgotten
// then (contract 21.3, Kept answers).
package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/store"
	"svc/store/coord"
)

// Keep is how long an answer is remembered.
const Keep = 24 * time.Hour

// Bounds of what is kept, in bytes: of one answer, and of all that one organization, or
// one person without an organization, has. ofRecord is what a request counts beside its
// answer.
const (
	MaxAnswer = 64 << 10
	MaxOwned  = 64 << 20
	ofRecord  = 1 << 10
)

// Answer is what was answered.
type Answer struct {
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	Body        []byte `json:"body"`
	// Partial: the answer was longer than MaxAnswer, and Body says of it what is known.
	Partial bool `json:"partial,omitempty"`
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
	ID       string `json:"id"`
	BodyHash string `json:"body_hash"`
	// Node runs it; "" of versions before there were nodes.
	Node   string       `json:"node,omitempty"`
	Began  time.Time    `json:"began"`
	State  state        `json:"state"`
	Answer store.Sealed `json:"answer,omitzero"`
	// Owner is the organization, or the person without one, for whom it is kept, and
	// Size what it counts among theirs, in bytes. Records from before have neither.
	Owner string `json:"owner,omitempty"`
	Size  int64  `json:"size,omitempty"`
}

// owned is how much is kept for one owner, in bytes.
type owned struct {
	ID    string `json:"id"`
	Bytes int64  `json:"bytes"`
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
	// ended are the requests of an owner that are over, the oldest first.
	ended = table.Multi("ended", func(r *record) []store.Key {
		if r.Owner == "" || r.State == running || r.State == changed {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(r.Owner), store.Time(r.Began))}
	})
	owners = store.NewTable("replay_owner", "", func(o *owned) string { return o.ID }).Global()
	answer = table.Sealed("answer", func(r *record) *store.Sealed { return &r.Answer })
)

// Tables are what a store that holds the answers is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table, owners} }

// Request is one request that carries a key.
type Request struct {
	Caller, Operation, Key string
	Owner                  string // organization, or person without one
	Fingerprint            string // of what it asks for
}

func (r Request) id() string {
	sum := sha256.Sum256([]byte(r.Caller + "\x00" + r.Operation + "\x00" + r.Key))
	return hex.EncodeToString(sum[:])
}

// Refusals of a key that is taken.
var (
	errRunning = api.ErrIdempotency.WithMessage("The first request with this Idempotency-Key is still running; try again.").After(time.Second)
	errLost    = api.ErrIdempotency.WithMessage("The first request with this Idempotency-Key was carried out, but its answer was not kept: look at what it changed, and send a new request with a new key.")
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
			return put(tx, &old, &record{ID: r.id(), BodyHash: r.Fingerprint, Began: c.Now, State: running, Owner: r.Owner, Size: ofRecord, Node: coord.Of(db).Current()})
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
	return store.WithTxHook(ctx, func(tx *store.Tx) error {
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
		old, err := table.Get(tx, store.Platform, r.id())
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		rec := record{
			ID: r.id(), BodyHash: r.Fingerprint, Began: c.Now, State: done, Owner: r.Owner, Size: ofRecord + int64(len(data)),
		}
		if err := answer.Set(tx, store.Platform, &rec, data); err != nil {
			return err
		}
		if err := put(tx, &old, &rec); err != nil {
			return err
		}
		return makeRoom(tx, r.Owner)
	})
}

// put saves a record in place of an old one, and counts what it takes.
func put(tx *store.Tx, old, rec *record) error {
	if err := add(tx, old.Owner, -old.Size); err != nil {
		return err
	}
	if err := add(tx, rec.Owner, rec.Size); err != nil {
		return err
	}
	return table.Put(tx, store.Platform, rec)
}

// remove forgets a request.
func remove(tx *store.Tx, rec *record) error {
	if err := add(tx, rec.Owner, -rec.Size); err != nil {
		return err
	}
	return table.Delete(tx, store.Platform, rec.ID)
}

// add counts bytes of an owner.
func add(tx *store.Tx, owner string, bytes int64) error {
	if owner == "" || bytes == 0 {
		return nil
	}
	o, err := owners.Get(tx, store.Platform, owner)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	o.ID, o.Bytes = owner, o.Bytes+bytes
	if o.Bytes <= 0 {
		return store.IgnoreNotFound(owners.Delete(tx, store.Platform, owner))
	}
	return owners.Put(tx, store.Platform, &o)
}

// makeRoom forgets the oldest answers of an owner who has too much.
func makeRoom(tx *store.Tx, owner string) error {
	const chunk = 100
	for {
		o, err := owners.Get(tx, store.Platform, owner)
		if err != nil || o.Bytes <= MaxOwned {
			return store.IgnoreNotFound(err)
		}
		list, _, err := ended.Walk(tx, store.Platform, store.Range{Span: store.Is(store.Tuple(store.Text(owner))), Limit: chunk})
		if err != nil {
			return err
		}
		over := o.Bytes - MaxOwned
		for i := range list {
			if over <= 0 {
				break
			}
			over -= list[i].Size
			if err := remove(tx, &list[i]); err != nil {
				return err
			}
		}
		if len(list) < chunk {
			return nil // the rest runs
		}
	}
}

// Forget gives the key back: the request was refused for now.
func Forget(c *api.Call, db *store.DB, r Request) error {
	return db.Update(c, func(tx *store.Tx) error {
		rec, err := table.Get(tx, store.Platform, r.id())
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		return remove(tx, &rec)
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
		return remove(tx, rec)
	}
	rec.State = lost
	return table.Put(tx, store.Platform, rec)
}

// Recover ends requests that a node left behind when it ended: up to limit of them. It
// says how many there were. Those of nodes that are alive go on.
func Recover(tx *store.Tx, limit int) (n int, err error) {
	alive := coord.Living(tx)
	for rec, err := range open.Each(tx, store.Platform, store.All()) {
		if err != nil {
			return n, err
		}
		here, err := alive(rec.Node)
		if err != nil {
			return n, err
		}
		if here {
			continue
		}
		if err := lose(tx, rec); err != nil {
			return n, err
		}
		if n++; n == limit {
			break
		}
	}
	return n, nil
}

// recoveredAtATime bounds a transaction of Follow.
const recoveredAtATime = 200

// Follow does Recover whenever a node ends, until the context does.
func Follow(ctx context.Context, db *store.DB, log *slog.Logger) error {
	ended, stop := db.Listen(coord.NodesTopic)
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ended:
		}
		for n := recoveredAtATime; n == recoveredAtATime; {
			err := db.Update(ctx, func(tx *store.Tx) (err error) {
				n, err = Recover(tx, recoveredAtATime)
				return err
			})
			if err != nil {
				n = 0
				if ctx.Err() == nil {
					log.Error("requests of a node that ended are not ended", "error", err)
				}
			}
		}
	}
}

// Purge removes up to limit answers that are older than Keep and says how many
// there were.
func Purge(tx *store.Tx, limit int) (int, error) {
	old := store.Between(nil, store.Time(tx.DB().Now().Add(-Keep)))
	list, _, err := byTime.Walk(tx, store.Platform, store.Range{Span: old, Limit: limit})
	for i := range list {
		if err == nil {
			err = remove(tx, &list[i])
		}
	}
	return len(list), err
}
