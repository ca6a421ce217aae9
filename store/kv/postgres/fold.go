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

// replace is one statement, so that a node that stops answering holds no row that others
// need. Where a row that was read is gone meanwhile there is nothing that n could be, which
// it must be: the statement fails and changes nothing.
const replace = `with gone as (delete from svc_kv where k = $1 and n = any($2) returning 1)
insert into svc_kv (k, n, v) select $1, case when c.gone = $3 then 0 end, $4::bytea from (select count(*) as gone from gone) c where c.gone <> $3 or $4::bytea is not null`

// fold changes no value: it is no part of the order of updates.
func (f *folds) fold(key []byte) error {
	ctx, cancel := context.WithTimeout(f.e.life, statementTime)
	defer cancel()
	found, err := f.e.writers.Query(ctx, "select k, n, v from svc_kv where k = $1", key)
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
	_, err = f.e.writers.Exec(ctx, replace, key, numbers, len(rows), value)
	return err
}
