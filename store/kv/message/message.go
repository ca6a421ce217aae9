// Package message passes on what updates tell, to the subscribers of one process.
//
// It promises their order, and each message of a closure once. It refuses messages that
// servers of databases would not pass on.
package message

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

const (
	// MaxTopic is the longest topic in bytes.
	MaxTopic = 100
	// MaxPayload is the longest payload in bytes, so that a message fits into what servers
	// of databases pass on.
	MaxPayload = 200
	// MaxMessages is how many messages one closure may publish. More than that become
	// one that says that messages were lost.
	MaxMessages = 1000
)

// Message is what an update told.
type Message struct {
	Topic, Payload string
	// Lost says that messages of any topic may have been missed: a connection broke, or
	// there were too many. Topic and Payload are empty then. Who keeps something that
	// messages correct forgets all of it.
	Lost bool
}

// check refuses what no engine passes on.
func check(topic, payload string) error {
	switch {
	case topic == "" || len(topic) > MaxTopic:
		return fmt.Errorf("a topic of %d bytes, it has 1 to %d", len(topic), MaxTopic)
	case len(payload) > MaxPayload:
		return fmt.Errorf("a message of %d bytes, the longest has %d: tell an id, and let who hears it read the rest", len(payload), MaxPayload)
	}
	return nil
}

// Outbox is what one closure publishes.
type Outbox struct {
	Messages []Message
	known    map[Message]struct{}
}

// Add keeps a message to tell, unless the closure said the same before.
func (o *Outbox) Add(topic, payload string) error {
	if err := check(topic, payload); err != nil {
		return err
	}
	m := Message{Topic: topic, Payload: payload}
	if _, duplicate := o.known[m]; duplicate || len(o.Messages) == 1 && o.Messages[0].Lost {
		return nil
	}
	if len(o.Messages) == MaxMessages {
		o.Messages = []Message{{Lost: true}}
		return nil
	}
	if o.known == nil {
		o.known = map[Message]struct{}{}
	}
	o.known[m] = struct{}{}
	o.Messages = append(o.Messages, m)
	return nil
}

// Subscribers are those of one process.
type Subscribers struct {
	mu   sync.Mutex
	last int
	all  map[int]func(Message)
}

// Subscribe calls a function with each message from now on, until stop is called.
func (s *Subscribers) Subscribe(f func(Message)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[int]func(Message){}
	}
	s.last++
	n := s.last
	s.all[n] = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, n)
	}
}

// Deliver calls all with messages. Only one goroutine may be in it at a time, so that
// everybody is told in the order of the updates.
func (s *Subscribers) Deliver(messages []Message) {
	if len(messages) == 0 {
		return
	}
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.all))
	s.mu.Unlock()
	for _, f := range all {
		for _, m := range messages {
			f(m)
		}
	}
}
