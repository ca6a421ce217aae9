// Package kv is the seam between the store and the engine that keeps its bytes:
// an ordered key space in serialisable transactions. One engine is a bbolt file with a
// write-ahead log, the other is memory; a third across a network must fit the same
// contract.
//
// It promises: a transaction sees one state and changes it as a whole; an update
// that returns nil is on the disk; one closure that fails or panics takes nobody
// else's change down, although many share one commit.
//
// What it asks of a closure (storage 1):
//
//   - it may run more than once, so its results are assigned whole, ids and times
//     are taken before it, and it sends, logs and waits for nothing;
//   - bytes handed out are valid until the next write of the transaction, and only
//     inside it; bytes handed in are not changed before the transaction ends;
//   - it does not write while one of its scans is running;
//   - it does not call View or Update of the same engine: it would wait for itself.
//
// It refuses: keys that are empty or longer than MaxKey, more than MaxWrites
// writes in one closure, files that are damaged or open in another process.
package kv

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"svc/store/kv/group"
	"svc/store/kv/message"
	"svc/store/kv/pages"
)

const (
	// MaxKey is the longest key in bytes.
	MaxKey = 4096
	// MaxValue is the longest value in bytes. Large things are files, not records.
	MaxValue = 16 << 20
	// MaxWrites is how many keys one closure may write: ten times as many in one
	// transaction take a hundred times as long (storage 3).
	MaxWrites = 10_000
)

var (
	// ErrClosed is the answer of an engine that was closed.
	ErrClosed = group.ErrClosed
	// ErrDamaged is matched by every error that says a file must not be used further.
	ErrDamaged = pages.ErrDamaged
	// ErrReadOnly is the answer to a write inside View.
	ErrReadOnly = errors.New("a write in a transaction that only reads")
	// ErrTxDone is the answer to a use of a transaction after its closure returned.
	ErrTxDone = errors.New("the transaction is over")
	// ErrScanned ends a scan during which the transaction wrote.
	ErrScanned = errors.New("a write while a scan of the same transaction was running")
	// ErrTooMany is the answer to write MaxWrites+1 of a closure.
	ErrTooMany = fmt.Errorf("more than %d keys written in one transaction: split the work into chunks", MaxWrites)
)

// Bounds of messages; see package message.
const (
	MaxTopic    = message.MaxTopic
	MaxPayload  = message.MaxPayload
	MaxMessages = message.MaxMessages
)

// Message is what an update told.
type Message = message.Message

// Panic is what a panic of an Update closure becomes in the goroutine that called Update.
type Panic = group.Panic

// request is one Update on its way.
type request = group.Request[Tx]

// outcome is how one closure ended.
type outcome = group.Outcome

// Pair is a key with its value. Value is nil where only keys were asked for.
type Pair struct{ Key, Value []byte }

// Range says what a scan visits: keys from From on (nil: the first) up to, not
// including, To (nil: the end), at most Limit of them (0: all), the highest
// first with Reverse.
type Range struct {
	From, To []byte
	Limit    int
	Reverse  bool
	KeysOnly bool
}

// Tx is a transaction. It is used by one goroutine.
type Tx interface {
	// Get answers nil for a key that is absent, and a value of no bytes for one
	// that was stored empty.
	Get(key []byte) ([]byte, error)
	// GetMany is Get of each key, in one journey for an engine that is far away.
	GetMany(keys [][]byte) ([][]byte, error)
	Put(key, value []byte) error
	PutMany(pairs []Pair) error
	// Delete of a key that is absent does nothing.
	Delete(key []byte) error
	// Scan yields an error as its last element when it could not go on.
	Scan(Range) iter.Seq2[Pair, error]

	// Add adds n to the number of a key; a key that is absent has 0, and one whose
	// number becomes 0 is absent. Read, the number is a varint (encoding/binary).
	//
	// Add, SetBits and ClearBits commute: updates that do nothing else to a key never
	// make each other run again or wait for each other to the end, whatever the engine.
	// An update that reads, puts or deletes the key has no such promise.
	Add(key []byte, n int64) error
	// SetBits adds numbers below SetSize to the set of a key; a key that is absent has
	// the empty set, and one whose set becomes empty is absent. Read, the set is what
	// DecodeBits reads. A number that is a member already stays one.
	SetBits(key []byte, numbers []uint16) error
	// ClearBits takes numbers out of the set of a key. One that is no member is passed
	// over.
	ClearBits(key []byte, numbers []uint16) error

	// Publish gives a message to everybody who subscribed to the engine, in whatever
	// process, once the update is durable, and never otherwise. One that the closure
	// published already is published once. The order of messages is that of the updates.
	Publish(topic, payload string) error

	// Write does many writes in one journey for an engine that is far away: what Add,
	// SetBits, ClearBits, Delete, Put and Publish do, in that order.
	Write(Batch) error
}

// Batch is many writes. Its parts may be empty.
type Batch struct {
	Add       []Addition
	SetBits   []Members
	ClearBits []Members
	Delete    [][]byte
	Put       []Pair
	Publish   []Message // without Lost
}

// Addition is what Add is called with.
type Addition struct {
	Key []byte
	N   int64
}

// Members is what SetBits and ClearBits are called with.
type Members struct {
	Key     []byte
	Numbers []uint16
}

// WriteEach is Tx.Write of an engine whose writes wait for nothing.
func WriteEach(tx Tx, b *Batch) error {
	for _, x := range b.Add {
		if err := tx.Add(x.Key, x.N); err != nil {
			return err
		}
	}
	for _, x := range b.SetBits {
		if err := tx.SetBits(x.Key, x.Numbers); err != nil {
			return err
		}
	}
	for _, x := range b.ClearBits {
		if err := tx.ClearBits(x.Key, x.Numbers); err != nil {
			return err
		}
	}
	for _, key := range b.Delete {
		if err := tx.Delete(key); err != nil {
			return err
		}
	}
	if err := tx.PutMany(b.Put); err != nil {
		return err
	}
	for _, m := range b.Publish {
		if err := tx.Publish(m.Topic, m.Payload); err != nil {
			return err
		}
	}
	return nil
}

// Clocked is an engine on a machine of its own, which several nodes share: its clock is one
// for all of them.
type Clocked interface {
	// Clock is the time of that machine, wrong by the delay of the network at most.
	Clock(context.Context) (time.Time, error)
}

// Engine keeps the key space. All methods may be called from many goroutines.
type Engine interface {
	// View runs a closure over one state. It returns the closure's error.
	View(context.Context, func(Tx) error) error
	// Update runs a closure and makes what it wrote durable, or, when it returns
	// an error or panics, does nothing. The context ends waiting for a turn, never
	// a commit that has begun.
	Update(context.Context, func(Tx) error) error
	// Exclusive says that nobody else can have these keys open while this engine has
	// them: a file that is locked. Whoever else worked on them is gone then, and does
	// not come back.
	Exclusive() bool
	// Subscribe calls a function with each message that is published from now on until
	// stop is called; at least once, in order. Of an update of this process it has been
	// called by the time Update returns. It does not block and does not call the engine.
	Subscribe(func(Message)) (stop func())
	Close() error
}

// CheckKey refuses keys no engine takes.
func CheckKey(key []byte) error {
	switch {
	case len(key) == 0:
		return errors.New("an empty key")
	case len(key) > MaxKey:
		return fmt.Errorf("a key of %d bytes, the longest has %d: an indexed value is too long", len(key), MaxKey)
	}
	return nil
}

// CheckPair refuses a pair that no engine keeps.
func CheckPair(key, value []byte) error {
	if len(value) > MaxValue {
		return fmt.Errorf("a value of %d bytes, the longest has %d: large things are files, not records", len(value), MaxValue)
	}
	return CheckKey(key)
}

// After gives the first key beyond all keys that begin with prefix; nil when
// there is none.
func After(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xFF {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}

// Under is the range of all keys that begin with prefix.
func Under(prefix []byte) Range { return Range{From: prefix, To: After(prefix)} }

// scanCheck is how many keys a scan visits between two looks at its context.
const scanCheck = 1024

// Interrupted says why a scan may not go on after n keys: the transaction is over,
// or it wrote meanwhile, or its context ended.
func Interrupted(ctx context.Context, over, wrote bool, n int) error {
	switch {
	case over:
		return ErrTxDone
	case wrote:
		return ErrScanned
	case n%scanCheck == 0:
		return ctx.Err()
	}
	return nil
}
