package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

const (
	// foldFrom is how many additions a key has when they are folded into its value.
	foldFrom = 24
	// maxCounted bounds the keys whose additions of this process are counted.
	maxCounted = 20_000
	maxFolds   = 1024 // that wait
)

// folds makes one row of the many that additions leave. Any node folds any key; two at a
// time are in each other's way and change nothing.
type folds struct {
	e     *Engine
	asked chan []byte

	mu      sync.Mutex
	waiting map[string]struct{}
	counts  map[string]int // additions of this process since the last fold
}

func newFolds(e *Engine) *folds {
	return &folds{e: e, asked: make(chan []byte, maxFolds), waiting: map[string]struct{}{}, counts: map[string]int{}}
}

// count notes an addition of this process.
func (f *folds) count(key []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.counts) >= maxCounted {
		clear(f.counts)
	}
	f.counts[string(key)]++
	if f.counts[string(key)] >= foldFrom {
		f.queue(key)
	}
}

// ask has a key folded soon.
func (f *folds) ask(key []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue(key)
}

func (f *folds) queue(key []byte) {
	if _, known := f.waiting[string(key)]; known {
		return
	}
	select {
	case f.asked <- []byte(string(key)):
		f.waiting[string(key)] = struct{}{}
		delete(f.counts, string(key))
	default: // whoever reads the key asks again
	}
}

func (f *folds) run() {
	for {
		select {
		case key := <-f.asked:
			f.mu.Lock()
			delete(f.waiting, string(key))
			f.mu.Unlock()
			_ = f.fold(key) // whoever reads the key asks again
		case <-f.e.life.Done():
			return
		}
	}
}

// fold changes no value: it is no part of the order of updates, and only must not meet
// another change of the same rows, which the isolation refuses.
func (f *folds) fold(key []byte) error {
	ctx, cancel := context.WithTimeout(f.e.life, statementTime)
	defer cancel()
	return pgx.BeginTxFunc(ctx, f.e.writers, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		found, err := tx.Query(ctx, "select k, n, v from svc_kv where k = $1", key)
		if err != nil {
			return err
		}
		rows, err := pgx.CollectRows(found, readRow)
		if err != nil || len(rows) < 2 {
			return err
		}
		value, err := fold(split(rows))
		if err != nil {
			return err
		}
		numbers := make([]int64, len(rows))
		for i, r := range rows {
			numbers[i] = r.n
		}
		if _, err = tx.Exec(ctx, "delete from svc_kv where k = $1 and n = any($2)", key, numbers); err != nil || value == nil {
			return err
		}
		_, err = tx.Exec(ctx, "insert into svc_kv (k, n, v) values ($1, 0, $2)", key, value)
		return err
	})
}
