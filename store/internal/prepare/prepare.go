// Package prepare lets one process at a time make or upgrade a database that several may have
// open.
//
// It promises that a process which died is replaced, and that one which was taken for dead
// commits nothing more. It refuses to compare the clocks of two machines.
package prepare

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
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
	// number for ttl of its own time takes over.
	Beat uint64 `json:"beat"`
}

const (
	beatEvery = 2 * time.Second
	ttl       = 20 * time.Second
	look      = 250 * time.Millisecond // how often one that waits looks
)

// Key is where it is kept which process prepares the database.
var Key = layout.Meta("preparing")

// errTakenOver is the end of a process that did not say for ttl that it prepares
// the database: another one does now.
var errTakenOver = errors.New("another process prepares the database")

// Database is what is to be prepared.
type Database struct {
	Engine kv.Engine
	Name   string // for people
	Log    *slog.Logger
}

// Alone runs the work while no other process does. Its transactions ask fence whether another
// process has taken over from this one: then the work is undone, and begins again when the other
// one is through.
func Alone(ctx context.Context, db Database, work func(ctx context.Context, fence func(kv.Tx) error) error) error {
	for {
		by, err := db.wait(ctx)
		if err != nil {
			return err
		}
		if err = db.as(ctx, by, work); !errors.Is(err, errTakenOver) {
			return err
		}
		db.Log.Warn("this process was taken for dead while it prepared the database: it waits for the other one", "database", db.Name)
	}
}

// UnderWay says whether a process prepares the database now.
func UnderWay(k kv.Tx) (bool, error) {
	p, err := read(k)
	return p.By != "", err
}

// wait returns once nobody prepares the database but this process, under the name
// that it answers.
func (db Database) wait(ctx context.Context) (by string, err error) {
	mine := preparing{By: rand.Text()}
	var seen preparing
	since, waits := time.Now(), false
	for {
		var now preparing
		took := false
		err := db.Engine.Update(ctx, func(k kv.Tx) (err error) {
			took = false
			if now, err = read(k); err != nil {
				return err
			}
			if now.By != "" && (now != seen || time.Since(since) < ttl) {
				return nil
			}
			took = true
			return put(k, mine)
		})
		if err != nil || took {
			return mine.By, err
		}
		if now != seen {
			seen, since = now, time.Now()
		}
		if !waits {
			db.Log.Info("another process prepares the database: waiting for it", "database", db.Name)
			waits = true
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(look):
		}
	}
}

// as does the work under a name.
func (db Database) as(ctx context.Context, by string, work func(context.Context, func(kv.Tx) error) error) (err error) {
	during, cancel := context.WithCancelCause(ctx)
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		db.beat(during, by, cancel)
	}()
	defer func() {
		cancel(nil)
		<-beats
		if cause := context.Cause(during); errors.Is(cause, errTakenOver) && err != nil {
			err = cause
		}
		err = errors.Join(err, db.end(context.WithoutCancel(ctx), by))
	}()
	return work(during, func(k kv.Tx) error { return still(k, by) })
}

// beat says that the process is alive until the context ends.
func (db Database) beat(ctx context.Context, by string, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := db.Engine.Update(ctx, func(k kv.Tx) error {
			if err := still(k, by); err != nil {
				return err
			}
			p, err := read(k)
			if err != nil {
				return err
			}
			p.Beat++
			return put(k, p)
		})
		if errors.Is(err, errTakenOver) {
			cancel(err)
			return
		}
	}
}

func (db Database) end(ctx context.Context, by string) error {
	err := db.Engine.Update(ctx, func(k kv.Tx) error {
		if err := still(k, by); err != nil {
			return err
		}
		return k.Delete(Key)
	})
	if errors.Is(err, errTakenOver) {
		return nil
	}
	return err
}

func still(k kv.Tx, by string) error {
	p, err := read(k)
	if err == nil && p.By != by {
		err = errTakenOver
	}
	return err
}

func read(k kv.Tx) (p preparing, err error) {
	b, err := k.Get(Key)
	if err != nil || b == nil {
		return p, err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, layout.Corrupt("the name of the process that prepares the database does not decode: %w", err)
	}
	return p, nil
}

func put(k kv.Tx, p preparing) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return k.Put(Key, b)
}
