package message

import "sync"

// Topics share out messages among those who asked for their topics. The zero value has nobody.
type Topics struct {
	mu   sync.Mutex
	last int
	subs map[string]map[int]func(payload string, lost bool)
}

// Hear passes on what was published on the engine. It is called in the order of the
// commits, and blocks nothing: a listener's channel takes one signal, and who
// subscribes with a function promises to be quick.
func (t *Topics) Hear(m Message) {
	for _, f := range t.of(m) {
		f(m.Payload, m.Lost)
	}
}

// of are the subscribers of the topic of a message: all of them when messages were
// lost.
func (t *Topics) of(m Message) (out []func(string, bool)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !m.Lost {
		for _, f := range t.subs[m.Topic] {
			out = append(out, f)
		}
		return out
	}
	for _, subs := range t.subs {
		for _, f := range subs {
			out = append(out, f)
		}
	}
	return out
}

// Subscribe calls f with the messages of a topic from now on, until stop is called. f does not
// stop its own subscription.
func (t *Topics) Subscribe(topic string, f func(payload string, lost bool)) (stop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.subs == nil {
		t.subs = map[string]map[int]func(string, bool){}
	}
	if t.subs[topic] == nil {
		t.subs[topic] = map[int]func(string, bool){}
	}
	t.last++
	n := t.last
	t.subs[topic][n] = f
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.subs[topic], n)
		if len(t.subs[topic]) == 0 {
			delete(t.subs, topic)
		}
	}
}
