package store

import (
	"context"

	"svc/store/internal/buffer"
	"svc/store/kv"
)

// Tx is a transaction. It is used inside its closure, by one goroutine.
type Tx struct {
	db       *DB
	kv       kv.Tx
	writable bool
	buf      buffer.Tx
	after    []func() // to run once the transaction is durable
	done     map[any]bool
	messages []kv.Message // to publish
	changed  []string     // topics to count a change of
}

// First says whether it is asked about a key of a type of the caller's own for the first
// time in this run of the transaction.
func (tx *Tx) First(key any) bool {
	if tx.done[key] {
		return false
	}
	if tx.done == nil {
		tx.done = map[any]bool{}
	}
	tx.done[key] = true
	return true
}

func newTx(db *DB, k kv.Tx, writable bool) *Tx {
	return &Tx{db: db, kv: k, writable: writable, buf: buffer.New(k, writable)}
}

// View runs a closure over one state of the store. It may run more than once (see
// package kv) and lasts no longer than a page: what reads for longer makes the
// file grow (storage 4).
func (db *DB) View(ctx context.Context, fn func(*Tx) error) error {
	return db.engine.View(ctx, func(k kv.Tx) error {
		tx := newTx(db, k, false)
		tx.takeNewKeys()
		return fn(tx)
	})
}

// Update runs a closure and makes its changes durable together, or, when it
// returns an error or panics, makes none. It may run more than once: results are
// assigned whole, ids and times are taken before, nothing is sent inside. It may
// not call View or Update.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	var tx *Tx
	err := db.engine.Update(ctx, func(k kv.Tx) error {
		tx = newTx(db, k, true)
		if db.fence != nil {
			if err := db.fence(k); err != nil {
				return err
			}
		}
		tx.takeNewKeys()
		if err := runWithHook(ctx, tx, fn); err != nil {
			return err
		}
		return tx.flush()
	})
	if err != nil {
		return err
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// AfterCommit runs f in the goroutine that called Update, once the transaction is
// durable, and never otherwise.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

// Hash is DB.Hash.
func (tx *Tx) Hash(purpose, secret string) (string, error) { return tx.db.Hash(purpose, secret) }

// flush hands the engine all that it lacks, in one journey.
func (tx *Tx) flush() error {
	var counted []kv.Addition
	for _, topic := range tx.changed {
		counted = append(counted, kv.Addition{Key: changesKey(topic), N: 1})
	}
	messages := tx.messages
	tx.messages, tx.changed = nil, nil
	return tx.buf.Flush(messages, counted)
}
