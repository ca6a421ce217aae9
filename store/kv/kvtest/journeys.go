package kvtest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"svc/store/kv"
)

// Journeys counts how often an engine is asked for something: what each question would
// cost when the engine were on another machine. Many keys that are asked for at a time
// are one journey; beginning and committing a transaction are none, as an engine far away
// does both with the first and the last question.
type Journeys struct {
	kv.Engine

	mu    sync.Mutex
	asked []string
}

// Take answers the journeys since the last call, each with what it was for.
func (j *Journeys) Take() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := j.asked
	j.asked = nil
	return out
}

func (j *Journeys) note(format string, a ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, fmt.Sprintf(format, a...))
}

// View implements kv.Engine.
func (j *Journeys) View(ctx context.Context, fn func(kv.Tx) error) error {
	return j.Engine.View(ctx, func(tx kv.Tx) error { return fn(&journeysTx{tx, j}) })
}

// Update implements kv.Engine.
func (j *Journeys) Update(ctx context.Context, fn func(kv.Tx) error) error {
	return j.Engine.Update(ctx, func(tx kv.Tx) error { return fn(&journeysTx{tx, j}) })
}

type journeysTx struct {
	kv.Tx
	j *Journeys
}

func (t *journeysTx) Get(key []byte) ([]byte, error) {
	t.j.note("get %q", key)
	return t.Tx.Get(key)
}

func (t *journeysTx) GetMany(keys [][]byte) ([][]byte, error) {
	if len(keys) > 0 {
		t.j.note("get %d: %s", len(keys), texts(keys))
	}
	return t.Tx.GetMany(keys)
}

func (t *journeysTx) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	t.j.note("scan %q", r.From)
	return t.Tx.Scan(r)
}

func (t *journeysTx) Put(key, value []byte) error {
	t.j.note("put %q", key)
	return t.Tx.Put(key, value)
}

func (t *journeysTx) PutMany(pairs []kv.Pair) error {
	t.j.note("put %d", len(pairs))
	return t.Tx.PutMany(pairs)
}

func (t *journeysTx) Delete(key []byte) error {
	t.j.note("delete %q", key)
	return t.Tx.Delete(key)
}

func (t *journeysTx) Add(key []byte, n int64) error {
	t.j.note("add %q", key)
	return t.Tx.Add(key, n)
}

func (t *journeysTx) SetBits(key []byte, numbers []uint16) error {
	t.j.note("set %q", key)
	return t.Tx.SetBits(key, numbers)
}

func (t *journeysTx) ClearBits(key []byte, numbers []uint16) error {
	t.j.note("clear %q", key)
	return t.Tx.ClearBits(key, numbers)
}

func (t *journeysTx) Write(b kv.Batch) error {
	t.j.note("write %d counts, %d sets, %d deletes, %d puts, %d messages", len(b.Add), len(b.SetBits)+len(b.ClearBits), len(b.Delete), len(b.Put), len(b.Publish))
	return t.Tx.Write(b)
}

func texts(keys [][]byte) string {
	var out []string
	for _, k := range keys {
		out = append(out, fmt.Sprintf("%q", k))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
