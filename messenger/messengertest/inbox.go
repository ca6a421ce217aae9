package messengertest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"svc/messenger"
)

// Inbox is a messenger.Inbound that remembers what it took.
type Inbox struct {
	mu      sync.Mutex
	order   []int
	taken   map[int]messenger.Incoming
	again   int // how often something came that was there already
	edits   map[int]string
	read    map[int64]int
	here    map[int64]int
	reacted map[int][]messenger.Reaction
	deleted []int
	refuse  func(m messenger.Incoming) error
}

var _ messenger.Inbound = (*Inbox)(nil)

// NewInbox is an empty inbox.
func NewInbox() *Inbox {
	return &Inbox{taken: map[int]messenger.Incoming{}, edits: map[int]string{}, read: map[int64]int{}, here: map[int64]int{}, reacted: map[int][]messenger.Reaction{}}
}

// Refuse lets f decide about each message before it is taken; nil takes everything.
func (b *Inbox) Refuse(f func(m messenger.Incoming) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = f
}

// All is what was taken, in the order of arrival.
func (b *Inbox) All() []messenger.Incoming {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]messenger.Incoming, 0, len(b.order))
	for _, id := range b.order {
		out = append(out, b.taken[id])
	}
	return out
}

// Len is how many messages were taken.
func (b *Inbox) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.order)
}

// Texts are the texts of All.
func (b *Inbox) Texts() []string {
	var out []string
	for _, m := range b.All() {
		out = append(out, m.Text)
	}
	return out
}

// ReadUpTo is up to where a person has read.
func (b *Inbox) ReadUpTo(person int64) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.read[person]
}

// Edits are the texts of messages that were changed, by id.
func (b *Inbox) Edits() map[int]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.edits)
}

// Gone are the ids of messages that were deleted.
func (b *Inbox) Gone() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.deleted)
}

// Received implements messenger.Inbound.
func (b *Inbox) Received(_ context.Context, m messenger.Incoming) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse != nil {
		if err := b.refuse(m); err != nil {
			return err
		}
	}
	if _, ok := b.taken[m.ID]; ok {
		b.again++
		return nil
	}
	b.taken[m.ID] = m
	b.order = append(b.order, m.ID)
	return nil
}

// ReadByPeer implements messenger.Inbound.
func (b *Inbox) ReadByPeer(_ context.Context, peer int64, upTo int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read[peer] = max(b.read[peer], upTo)
	return nil
}

// Edited implements messenger.Inbound.
func (b *Inbox) Edited(_ context.Context, m messenger.Incoming) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.edits[m.ID] = m.Text
	return nil
}

// Deleted implements messenger.Inbound.
func (b *Inbox) Deleted(_ context.Context, ids []int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deleted = append(b.deleted, ids...)
	return nil
}

// ReadHere implements messenger.Inbound.
func (b *Inbox) ReadHere(_ context.Context, peer int64, upTo int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.here[peer] = max(b.here[peer], upTo)
	return nil
}

// Reacted implements messenger.Inbound.
func (b *Inbox) Reacted(_ context.Context, _ int64, id int, now []messenger.Reaction) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reacted[id] = slices.Clone(now)
	return nil
}

// HereUpTo is up to which message the owner has read a person.
func (b *Inbox) HereUpTo(peer int64) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.here[peer]
}

// Reactions are those that a message has.
func (b *Inbox) Reactions(id int) []messenger.Reaction {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.reacted[id])
}
