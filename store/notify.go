package store

import "sync"

// topics tell parts of this process that something changed. They carry no data:
// who is woken reads what is new from the store. That keeps the door open for
// several processes, where an engine passes the signals on (storage 8).
type topics struct {
	mu   sync.Mutex
	subs map[string]map[chan struct{}]struct{}
}

func (t *topics) notify(topic string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.subs[topic] {
		select {
		case c <- struct{}{}:
		default: // it is already waking
		}
	}
}

// Listen gives a channel that receives after commits that notified the topic, at
// least once after the last of them; several commits may share one signal. Call
// stop when done; the channel is never closed.
func (db *DB) Listen(topic string) (wake <-chan struct{}, stop func()) {
	t, c := &db.topics, make(chan struct{}, 1)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.subs == nil {
		t.subs = map[string]map[chan struct{}]struct{}{}
	}
	if t.subs[topic] == nil {
		t.subs[topic] = map[chan struct{}]struct{}{}
	}
	t.subs[topic][c] = struct{}{}
	return c, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.subs[topic], c)
		if len(t.subs[topic]) == 0 {
			delete(t.subs, topic)
		}
	}
}
