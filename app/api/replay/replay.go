// Package replay keeps the answers to requests that carried an Idempotency-Key, so
// that a request that is sent again after a lost answer changes nothing twice
// (messaging decisions, 1.2).
//
// It promises that of two requests with one key and one body one runs and the
// other hears its answer; that the same key with another body is refused; and that
// answers are sealed and hold no one-time secret. It refuses to remember for longer
// than a day.
package replay

import (
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

// abandoned is after how long a request without an answer counts as died.
const abandoned = 10 * time.Minute

// Answer is what was answered.
type Answer struct {
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	Body        []byte `json:"body"`
}

// record is a request and, when it is done, its answer. Its id is the hash of
// caller, operation and key.
type record struct {
	ID       string       `json:"id"`
	BodyHash string       `json:"body_hash"`
	Began    time.Time    `json:"began"`
	Done     bool         `json:"done"`
	Answer   store.Sealed `json:"answer,omitzero"`
}

var (
	table  = store.NewTable("replay", "", func(r *record) string { return r.ID }).Global()
	byTime = table.Index("began", func(r *record) store.Key { return store.Time(r.Began) })
	answer = table.Sealed("answer", func(r *record) *store.Sealed { return &r.Answer })
)

// Tables are what a store that holds the answers is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Request is one request that carries a key.
type Request struct {
	Caller, Operation, Key string
	Body                   []byte
	Target                 string // path and query
}

func (r Request) id() string {
	return hashed(r.Caller + "\x00" + r.Operation + "\x00" + r.Key)
}

func (r Request) bodyHash() string { return hashed(r.Target + "\x00" + string(r.Body)) }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

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
		case fresh || c.Now.Sub(old.Began) >= Keep || !old.Done && c.Now.Sub(old.Began) >= abandoned:
			return table.Put(tx, store.Platform, &record{ID: r.id(), BodyHash: r.bodyHash(), Began: c.Now})
		case old.BodyHash != r.bodyHash():
			return api.ErrIdempotency
		case !old.Done:
			return api.ErrIdempotency.Saying("The first request with this Idempotency-Key is still running; try again.").After(time.Second)
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

// End remembers the answer of a request that ran.
func End(c *api.Call, db *store.DB, r Request, a Answer) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return db.Update(c, func(tx *store.Tx) error {
		rec := record{ID: r.id(), BodyHash: r.bodyHash(), Began: c.Now, Done: true}
		if err := answer.Set(tx, store.Platform, &rec, data); err != nil {
			return err
		}
		return table.Put(tx, store.Platform, &rec)
	})
}

// Forget gives the key back: the request changed nothing that stays.
func Forget(c *api.Call, db *store.DB, r Request) error {
	return db.Update(c, func(tx *store.Tx) error {
		if err := table.Delete(tx, store.Platform, r.id()); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return nil
	})
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
