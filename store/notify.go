package store

import (
	"context"
	"slices"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// Subscribe calls f after each commit that published to the topic (Tx.Publish), on
// whatever node, with what it told. Of a commit of this store it has been called by
// the time Update returns, so that a cache that f corrects is right then. lost says
// that messages may have been missed: what they correct has to be forgotten.
//
// f does not block, does not use the store, and does not stop its own subscription:
// commits wait for it. Package coord has a channel instead.
func (db *DB) Subscribe(topic string, f func(payload string, lost bool)) (stop func()) {
	return db.topics.Subscribe(topic, f)
}

// Listen gives a channel that receives after commits that notified the topic, at
// least once after the last of them; several commits may share one signal. Call
// stop when done; the channel is never closed.
func (db *DB) Listen(topic string) (wake <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	return c, db.Subscribe(topic, func(string, bool) {
		select {
		case c <- struct{}{}:
		default: // it is already waking
		}
	})
}

// Publish tells the subscribers of a topic something once the transaction is durable,
// and never otherwise: an id mostly, at most kv.MaxPayload bytes. Equal messages of one
// transaction are told once. In View it does nothing.
func (tx *Tx) Publish(topic, payload string) {
	if !tx.writable {
		return
	}
	tx.messages = append(tx.messages, kv.Message{Topic: topic, Payload: payload})
}

// Notify wakes the listeners of a topic once the transaction is durable.
func (tx *Tx) Notify(topic string) { tx.Publish(topic, "") }

// Changed is Notify, and counts the change where several processes share the database: who
// keeps something that is good until the topic changes asks Changes, because a signal from
// another process may come a moment after the commit.
func (tx *Tx) Changed(topic string) {
	tx.Notify(topic)
	if tx.writable && !tx.db.Exclusive() && !slices.Contains(tx.changed, topic) {
		tx.changed = append(tx.changed, topic)
	}
}

// Changes grows with every change of one of the topics, in whatever process, from the
// moment at which it is durable. It reads once; not at all, and always answers 0, where
// one process has the database alone: Listen tells everything at once there.
func (db *DB) Changes(ctx context.Context, topics ...string) (n int64, err error) {
	if db.Exclusive() {
		return 0, nil
	}
	keys := make([][]byte, len(topics))
	for i, topic := range topics {
		keys[i] = changesKey(topic)
	}
	err = db.engine.View(ctx, func(k kv.Tx) error {
		found, err := k.GetMany(keys)
		n = 0
		for _, b := range found {
			one, err := buffer.ReadCount(b)
			if err != nil {
				return err
			}
			n += one
		}
		return err
	})
	return n, err
}

func changesKey(topic string) []byte { return layout.Meta("changes/" + topic) }
