package kv

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

const (
	// quiet is how long nobody committed before a checkpoint; a log that is written into
	// all the while has one after longest.
	quiet   = time.Second
	longest = 15 * time.Second
	// full is how many bytes of memory a memtable takes before a checkpoint.
	full = 4 << 20
	// tooMuch is when commits wait for the checkpoint that is running.
	tooMuch = 4 * full
	// chunk is how many keys a checkpoint writes in one transaction of the tree: ten times
	// as many take a hundred times as long (storage 3).
	chunk = 10_000
	// fill is how full a page stays when it is split. Most keys are written in their
	// order (records, histories, times), so half a page left empty stays empty.
	fill = 0.8
)

// The bucket beside that of the keys, with what the file knows of its logs.
var (
	logBucket  = []byte("log")
	lineageKey = []byte("lineage")
	doneKey    = []byte("done") // number of the last log whose changes are all in the tree
)

// checkpointer moves what was committed into the tree of the file.
type checkpointer struct {
	wake  chan struct{}   // something was committed, or enough
	asked chan chan error // somebody wants it now
	stop  chan struct{}
	ended chan struct{}

	mu          sync.Mutex
	first, last time.Time // when the oldest commit that is not in the tree was made, and the newest; zero: all are in it
	enough      bool
	moved       *sync.Cond // of mu: a checkpoint ended
	failed      error      // why the last one did
}

func newCheckpointer() *checkpointer {
	c := &checkpointer{
		wake: make(chan struct{}, 1), asked: make(chan chan error), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	c.moved = sync.NewCond(&c.mu)
	return c
}

// committed says that memtable bytes wait for a checkpoint.
func (c *checkpointer) committed(bytes int) {
	c.mu.Lock()
	c.last = time.Now()
	idle := c.first.IsZero()
	if idle {
		c.first = c.last
	}
	enough := bytes >= full && !c.enough
	c.enough = c.enough || enough
	c.mu.Unlock()
	if idle || enough {
		select {
		case c.wake <- struct{}{}:
		default:
		}
	}
}

// due is how long to wait for the next checkpoint; ok is false when nothing waits for one.
func (c *checkpointer) due() (wait time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first.IsZero() {
		return 0, false
	}
	if c.enough {
		return 0, true
	}
	return min(time.Until(c.last.Add(quiet)), time.Until(c.first.Add(longest))), true
}

func (c *checkpointer) run(b *Bolt) {
	defer close(c.ended)
	for {
		var later <-chan time.Time
		if wait, ok := c.due(); ok && wait <= 0 {
			if b.checkpoint() != nil { // told to whoever waits for it; tried again a while later
				later = time.After(quiet)
			} else {
				continue
			}
		} else if ok {
			later = time.After(wait)
		}
		select {
		case <-c.wake:
		case <-later:
		case answer := <-c.asked:
			answer <- b.checkpoint()
		case <-c.stop:
			return
		}
	}
}

// close ends the checkpointer. Nothing is moved.
func (c *checkpointer) close() {
	close(c.stop)
	<-c.ended
}

// Checkpoint moves what was committed so far into the tree of the file.
func (b *Bolt) Checkpoint(ctx context.Context) error {
	if err := b.usable(); err != nil {
		return err
	}
	answer := make(chan error, 1)
	select {
	case b.checkpoints.asked <- answer:
		return <-answer
	case <-b.checkpoints.ended:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// moving is a checkpoint under way: the entries of a memtable, by key, and how many of
// them are in the tree.
type moving struct {
	entries []entry
	next    int
	done    bool
	log     *commitLog // whose changes they are, which is no longer written into
}

// checkpoint moves the memtable that commits go into. One that failed goes on. Only one
// runs at a time.
func (b *Bolt) checkpoint() (err error) {
	if err := b.usable(); err != nil {
		return err
	}
	c := b.checkpoints
	if !b.freeze() {
		return nil
	}
	if err = b.move(); err == nil {
		b.thaw()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed = err; err != nil && c.first.IsZero() { // it is tried again
		c.first, c.last = time.Now(), time.Now()
	}
	c.moved.Broadcast()
	return err
}

// move writes all entries that are to be moved into the tree.
func (b *Bolt) move() error {
	for !b.moving.done {
		if err := b.moveChunk(); err != nil {
			return err
		}
	}
	return nil
}

// freeze takes the memtable that commits go into, and gives them another. It answers false
// when there is nothing to move.
func (b *Bolt) freeze() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := *b.state.Load()
	if b.moving == nil {
		if s.recent.empty() {
			return false
		}
		b.moving = &moving{entries: s.recent.entries.Items(), log: b.log}
		b.log = nil
		s.moving, s.recent = s.recent, newMemtable()
		c := b.checkpoints
		c.mu.Lock()
		c.first, c.last, c.enough = time.Time{}, time.Time{}, false
		c.mu.Unlock()
	}
	left := len(b.moving.entries) - b.moving.next
	s.last = b.tree + max(1, (left+chunk-1)/chunk)
	b.state.Store(&s)
	return true
}

// moveChunk writes the next entries into the tree; with the last of them it notes that the
// log is done.
func (b *Bolt) moveChunk() error {
	m := b.moving
	end := min(m.next+chunk, len(m.entries))
	err := b.guard(func() error {
		s := b.db.Stats()
		b.db.NoFreelistSync = end < len(m.entries) && s.FreePageN+s.PendingPageN > maxListed
		return b.db.Update(func(tx *bolt.Tx) error {
			keys := tx.Bucket(root)
			keys.FillPercent = fill
			for _, e := range m.entries[m.next:end] {
				var err error
				if e.value == nil {
					err = keys.Delete(e.key)
				} else {
					err = keys.Put(e.key, e.value)
				}
				if err != nil {
					return err
				}
			}
			if end < len(m.entries) || m.log == nil {
				return nil
			}
			return tx.Bucket(logBucket).Put(doneKey, binary.BigEndian.AppendUint64(nil, m.log.number))
		})
	})
	if err != nil {
		return b.writeError(err)
	}
	b.tree++
	m.next, m.done = end, end == len(m.entries)
	return nil
}

// thaw ends a checkpoint: the tree has everything.
func (b *Bolt) thaw() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.show(b.state.Load().recent)
	if l := b.moving.log; l != nil {
		b.done = l.number
		_ = l.f.Close() // its content is in the tree
	}
	b.moving = nil
}

// wait lets a commit wait while more is committed than checkpoints move. The error is that
// of a checkpoint which cannot go on.
func (c *checkpointer) wait(b *Bolt) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for b.usable() == nil && b.state.Load().recent.bytes >= tooMuch {
		if c.failed != nil {
			return c.failed
		}
		c.moved.Wait()
	}
	return nil
}

// openLogs notes what the file knows of its logs, makes what it has to know, and moves
// into the tree what a process that was killed had committed.
func (b *Bolt) openLogs() error {
	found, err := findLogs(b.path)
	if err != nil {
		return err
	}
	if err := b.readDone(); err != nil {
		return err
	}
	table, last, err := b.replay(found)
	if err != nil {
		return err
	}
	if last > 0 {
		b.show(table)
		b.moving = &moving{entries: table.entries.Items(), log: &commitLog{number: last}}
		if err := b.move(); err != nil {
			return err
		}
		b.done, b.moving = last, nil
		b.show(newMemtable())
	}
	return b.removeLogs()
}

// readDone reads the lineage of the file and the number of the last log that is done. The
// tree alone is what readers see then.
func (b *Bolt) readDone() error {
	return b.guard(func() error {
		return b.db.View(func(tx *bolt.Tx) error {
			b.tree = tx.ID()
			b.show(newMemtable())
			known := tx.Bucket(logBucket)
			if known == nil {
				return nil
			}
			copy(b.lineage[:], known.Get(lineageKey))
			if v := known.Get(doneKey); len(v) == 8 {
				b.done = binary.BigEndian.Uint64(v)
			}
			return nil
		})
	})
}

// makeLogBucket gives a file what it has to know of logs. A new lineage begins when it is
// a copy.
func makeLogBucket(tx *bolt.Tx) error {
	known, err := tx.CreateBucketIfNotExists(logBucket)
	if err != nil {
		return err
	}
	var l lineage
	_, _ = rand.Read(l[:]) // never fails
	return known.Put(lineageKey, l[:])
}

// show lets readers see a memtable over the tree as it stands.
func (b *Bolt) show(m *memtable) { b.state.Store(&state{first: b.tree, last: b.tree, recent: m}) }

// replay makes the changes again that logs hold and the tree may lack. last is the number
// of the last of these logs, 0 for none.
func (b *Bolt) replay(found []foundLog) (table *memtable, last uint64, err error) {
	table = newMemtable()
	err = b.reading(context.Background(), func(tx *bolt.Tx, _ *state) error {
		table, last = newMemtable(), 0
		v := newView(tx, table)
		want := b.done + 1
		for _, l := range found {
			if l.lineage != b.lineage || l.number > want {
				return fmt.Errorf("%s belongs to another state of the database %s; if you put a backup there by hand, remove %s",
					l.name, b.path, l.name)
			}
			if l.number < want {
				continue // its changes are in the tree
			}
			if err := l.records(func(r record) error { return r.repeat(table, v.get) }); err != nil {
				return err
			}
			want, last = want+1, l.number
		}
		return nil
	})
	return table, last, err
}

// removeLogs removes logs whose changes are in the tree.
func (b *Bolt) removeLogs() error {
	for _, name := range Logs(b.path) {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// reading runs a closure over one state, with page faults of the memory-mapped file turned
// into errors.
func (b *Bolt) reading(ctx context.Context, fn func(*bolt.Tx, *state) error) (err error) {
	if err := errors.Join(b.usable(), ctx.Err()); err != nil {
		return err
	}
	defer b.catchFault(&err)()
	tx, s, err := b.begin()
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	if err != nil {
		return err
	}
	defer func() {
		if failed := tx.Rollback(); err == nil {
			err = failed
		}
	}()
	return fn(tx, s)
}
