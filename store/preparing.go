package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc/store/internal/layout"
	"svc/store/kv"
)

// preparing says which process makes or upgrades the database now, and that it is alive.
// Of several that start at a time one does, and the others wait (storage 8). An engine
// that only one process can have open (kv.Engine.Exclusive) needs none.
type preparing struct {
	By string `json:"by"`
	// Beat grows as long as the process is alive. Nobody compares clocks: who sees the same
	// number for preparingTTL of its own time takes over.
	Beat uint64 `json:"beat"`
}

const (
	preparingBeat = 2 * time.Second
	preparingTTL  = 20 * time.Second
	preparingLook = 250 * time.Millisecond // how often one that waits looks
)

var preparingName = layout.Meta("preparing")

// errTakenOver is the end of a process that did not say for preparingTTL that it prepares
// the database: another one does now.
var errTakenOver = errors.New("another process prepares the database")

// prepareAlone is prepare, by one process at a time.
func (db *DB) prepareAlone(ctx context.Context, o Options) error {
	if db.engine.Exclusive() {
		return db.prepare(ctx, o)
	}
	for {
		by, err := db.waitToPrepare(ctx)
		if err != nil {
			return err
		}
		if err = db.prepareAs(ctx, by, o); !errors.Is(err, errTakenOver) {
			return err
		}
		db.log.Warn("this process was taken for dead while it prepared the database: it waits for the other one", "database", db.path)
	}
}

// waitToPrepare returns once nobody prepares the database but this process, under the name
// that it answers.
func (db *DB) waitToPrepare(ctx context.Context) (by string, err error) {
	mine := preparing{By: rand.Text()}
	var seen preparing
	since, waits := time.Now(), false
	for {
		var now preparing
		took := false
		err := db.engine.Update(ctx, func(k kv.Tx) (err error) {
			took = false
			if now, err = readPreparing(k); err != nil {
				return err
			}
			if now.By != "" && (now != seen || time.Since(since) < preparingTTL) {
				return nil
			}
			took = true
			return putPreparing(k, mine)
		})
		if err != nil || took {
			return mine.By, err
		}
		if now != seen {
			seen, since = now, time.Now()
		}
		if !waits {
			db.log.Info("another process prepares the database: waiting for it", "database", db.path)
			waits = true
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(preparingLook):
		}
	}
}

// prepareAs prepares the database under a name. As long as it does, no transaction of this
// store commits that another process has taken over from.
func (db *DB) prepareAs(ctx context.Context, by string, o Options) (err error) {
	work, cancel := context.WithCancelCause(ctx)
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		db.beatWhilePreparing(work, by, cancel)
	}()
	db.fence = func(k kv.Tx) error { return stillPreparing(k, by) }
	defer func() {
		cancel(nil)
		<-beats
		db.fence = nil
		if cause := context.Cause(work); errors.Is(cause, errTakenOver) && err != nil {
			err = cause
		}
		err = errors.Join(err, db.endPreparing(context.WithoutCancel(ctx), by))
	}()
	return db.prepare(work, o)
}

// beatWhilePreparing says that the process is alive until the context ends.
func (db *DB) beatWhilePreparing(ctx context.Context, by string, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(preparingBeat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := db.engine.Update(ctx, func(k kv.Tx) error {
			if err := stillPreparing(k, by); err != nil {
				return err
			}
			p, err := readPreparing(k)
			if err != nil {
				return err
			}
			p.Beat++
			return putPreparing(k, p)
		})
		if errors.Is(err, errTakenOver) {
			cancel(err)
			return
		}
	}
}

func (db *DB) endPreparing(ctx context.Context, by string) error {
	err := db.engine.Update(ctx, func(k kv.Tx) error {
		if err := stillPreparing(k, by); err != nil {
			return err
		}
		return k.Delete(preparingName)
	})
	if errors.Is(err, errTakenOver) {
		return nil
	}
	return err
}

func stillPreparing(k kv.Tx, by string) error {
	p, err := readPreparing(k)
	if err == nil && p.By != by {
		err = errTakenOver
	}
	return err
}

// ErrPreparing is the answer of Tx.Current while a process prepares the database.
var ErrPreparing = errors.New("a process prepares the database")

// Current says whether the database is as this process opened it: ErrPreparing while another
// one may be about to upgrade it, ErrNewer once one of a newer version did. Who joins those
// that work on it asks in the same transaction.
func (tx *Tx) Current() error {
	switch p, err := readPreparing(tx.kv); {
	case err != nil:
		return err
	case p.By != "":
		return ErrPreparing
	}
	h, err := tx.head()
	if err != nil {
		return err
	}
	if err := h.check(tx.db.path, tx.db.options.Migrations); err != nil {
		return err
	}
	if len(tx.db.plans(h)) > 0 {
		return fmt.Errorf("database %s has other indexes than this svc keeps: it was %w", tx.db.path, ErrNewer)
	}
	return nil
}

func readPreparing(k kv.Tx) (p preparing, err error) {
	b, err := k.Get(preparingName)
	if err != nil || b == nil {
		return p, err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, corrupt("the name of the process that prepares the database does not decode: %w", err)
	}
	return p, nil
}

func putPreparing(k kv.Tx, p preparing) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return k.Put(preparingName, b)
}
