// Package coord lets the processes that work on one store know of each other: which of
// them are alive (Node), who may do what only one may do (Lease), what happens once
// every while (Node.Periodic), and what changed (Publish, Subscribe). Each such process
// is a node. Package dispatch shares out work with it.
//
// It promises: a node that ended is never taken for alive again, so that what it had
// may be given to others; two nodes never have one lease; who lost a lease learns it in
// the transaction that would have used it (Lease.Check).
//
// It compares no clocks of two machines. A node raises a number, its beat; another that
// saw the same number for a while of its own time ends it, in a transaction that sees
// the number once more. Where the store is open in this process alone
// (store.DB.Exclusive) nothing beats: whoever opens it ends all others at once.
//
// It refuses to promise that an ended node has stopped: its machine may have slept, and
// it goes on until it notices. What such a node writes is refused, because its claims
// and leases have other tokens by then; what it tells the outside is not in our hand.
package coord

import (
	"log/slog"
	"os"
	"strconv"
	"time"

	"svc/store"
)

// Options of a node.
type Options struct {
	// Name is shown to people: host and process; "" is that.
	Name string
	// Beat is how often a node says that it is alive: 2 s when zero.
	Beat time.Duration
	// TTL is after how long without a new beat others end a node: 10 s when zero, so that what a
	// dead node had is another's within 15 s, connecting included. Equal
	// on all nodes. A node that cannot beat for three quarters of it ends itself, so that
	// it has stopped when others begin.
	TTL time.Duration
	// Log hears of nodes that ended. nil: nobody does.
	Log *slog.Logger
}

const (
	defaultBeat = 2 * time.Second
	defaultTTL  = 10 * time.Second
)

func (o Options) withDefaults() Options {
	if o.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "localhost"
		}
		o.Name = host + "/" + strconv.Itoa(os.Getpid())
	}
	if o.Beat <= 0 {
		o.Beat = defaultBeat
	}
	if o.TTL <= 0 {
		o.TTL = defaultTTL
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Tables are what a store with nodes is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{nodes, leases, periodics, buckets} }

// Message is what a subscriber hears.
type Message struct {
	Payload string
	// Seq counts what was published to the topic since Subscribe: 1, 2, 3, ... A gap is
	// what was lost.
	Seq uint64
	// Lost says that messages may be missing before this one. Who keeps something that
	// messages correct forgets all of it. Payload is empty.
	Lost bool
}

// buffered is how many messages wait for a subscriber before the rest is lost.
const buffered = 256

// Publish tells the subscribers of a topic on all nodes something, once the transaction
// is durable: at most kv.MaxPayload bytes.
func Publish(tx *store.Tx, topic, payload string) { tx.Publish(topic, payload) }

// Subscribe gives what is published to a topic from now on, in the order of the commits.
// A subscriber that is slow holds up nobody: it finds one message with Lost in place of
// those that had no room. The channel is never closed; call stop when done.
func Subscribe(db *store.DB, topic string) (<-chan Message, func()) {
	c := make(chan Message, buffered)
	seq := uint64(0)
	// Called by one goroutine at a time, which is the only one that sends.
	return c, db.Subscribe(topic, func(payload string, lost bool) {
		seq++
		switch room := cap(c) - len(c); {
		case room > 1 && !lost:
			c <- Message{Payload: payload, Seq: seq}
		case room >= 1:
			c <- Message{Seq: seq, Lost: true}
		} // none: the last of those that wait says that some are lost
	})
}
