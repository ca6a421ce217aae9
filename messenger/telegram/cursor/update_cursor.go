// Package cursor keeps how far the updates of one account were taken, and tells which of them
// concern conversations with people.
//
// It promises that a place is only moved past what was handled, so that a restart asks again
// for what was not. It refuses channels and groups: their updates are not wanted.
package cursor

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/gotd/td/telegram/updates"

	"svc/messenger"
)

// saveTimeout bounds one save of the place: the database may be busy.
const saveTimeout = 10 * time.Second

// Cursor is where the stream of updates was read to. The manager moves it after Inbound
// took what is before it; it is saved a moment later, at most once per delay.
type Cursor struct {
	Memory messenger.StateStore
	Delay  time.Duration

	saving sync.Mutex // one save at a time, in order

	mu     sync.Mutex
	s      Stream
	loaded bool
	frozen bool // Inbound refused something: the place must not move past it
	dirty  bool
	timer  *time.Timer
}

// Stream is the blob that Memory keeps.
type Stream struct {
	Pts  int `json:"pts"`
	Qts  int `json:"qts"`
	Date int `json:"date"`
	Seq  int `json:"seq"`
	// Since is set while messages from that time on (Unix seconds) must be fetched
	// from the chats, because the platform no longer had the updates.
	Since int `json:"since,omitempty"`
}

var _ updates.StateStorage = (*Cursor)(nil)

// GetState is asked when a manager begins.
func (p *Cursor) GetState(ctx context.Context, _ int64) (updates.State, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.loaded {
		data, err := p.Memory.UpdateState(ctx)
		if err != nil {
			return updates.State{}, false, err
		}
		if len(data) == 0 || json.Unmarshal(data, &p.s) != nil {
			// A place that cannot be read is as good as none: begin with now.
			p.s = Stream{}
			return updates.State{}, false, nil
		}
		p.loaded = true
	}
	return updates.State{Pts: p.s.Pts, Qts: p.s.Qts, Date: p.s.Date, Seq: p.s.Seq}, true, nil
}

// change moves the place, unless it is frozen.
func (p *Cursor) change(f func(s *Stream)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen {
		return
	}
	was := p.s
	f(&p.s)
	p.loaded = true
	if p.s == was || p.dirty {
		return
	}
	p.dirty = true
	if p.timer == nil {
		p.timer = time.AfterFunc(p.Delay, p.flush)
	} else {
		p.timer.Reset(p.Delay)
	}
}

// flush saves the place now. A save that fails is tried again after the delay.
func (p *Cursor) flush() {
	p.saving.Lock()
	defer p.saving.Unlock()
	p.mu.Lock()
	if !p.dirty {
		p.mu.Unlock()
		return
	}
	p.dirty = false
	data, err := json.Marshal(p.s)
	p.mu.Unlock()
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), saveTimeout)
		err = p.Memory.SaveUpdateState(ctx, data)
		cancel()
	}
	if err != nil {
		p.mu.Lock()
		p.dirty = true
		p.timer.Reset(p.Delay)
		p.mu.Unlock()
	}
}

// Close saves the place for the last time.
func (p *Cursor) Close() {
	p.flush()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}

// Freeze keeps the place where it is until Thaw.
func (p *Cursor) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = true
}

// Thaw lets the place move again.
func (p *Cursor) Thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = false
}

// IsFrozen says whether the place is kept where it is.
func (p *Cursor) IsFrozen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frozen
}

// TooLong notes that updates since the place are gone at the platform.
func (p *Cursor) TooLong() {
	p.change(func(s *Stream) {
		if s.Since == 0 {
			s.Since = max(s.Date, 1)
		}
	})
}

// Since is from when on messages must be fetched from the chats, in seconds since 1970; 0: none.
func (p *Cursor) Since() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.s.Since
}

// CaughtUp notes that what was gone since then was read another way.
func (p *Cursor) CaughtUp(since int) {
	p.change(func(s *Stream) {
		if s.Since == since {
			s.Since = 0
		}
	})
}

// SetState is called by the manager.
func (p *Cursor) SetState(_ context.Context, _ int64, v updates.State) error {
	p.change(func(s *Stream) { s.Pts, s.Qts, s.Date, s.Seq = v.Pts, v.Qts, v.Date, v.Seq })
	return nil
}

// SetPts is called by the manager.
func (p *Cursor) SetPts(_ context.Context, _ int64, pts int) error {
	p.change(func(s *Stream) { s.Pts = pts })
	return nil
}

// SetQts is called by the manager.
func (p *Cursor) SetQts(_ context.Context, _ int64, qts int) error {
	p.change(func(s *Stream) { s.Qts = qts })
	return nil
}

// SetDate is called by the manager.
func (p *Cursor) SetDate(_ context.Context, _ int64, date int) error {
	p.change(func(s *Stream) { s.Date = date })
	return nil
}

// SetSeq is called by the manager.
func (p *Cursor) SetSeq(_ context.Context, _ int64, seq int) error {
	p.change(func(s *Stream) { s.Seq = seq })
	return nil
}

// SetDateSeq is called by the manager.
func (p *Cursor) SetDateSeq(_ context.Context, _ int64, date, seq int) error {
	p.change(func(s *Stream) { s.Date, s.Seq = date, seq })
	return nil
}

// GetChannelPts says that no channel is followed.
func (*Cursor) GetChannelPts(context.Context, int64, int64) (int, bool, error) {
	return 0, false, nil
}

// SetChannelPts forgets channels.
func (*Cursor) SetChannelPts(context.Context, int64, int64, int) error { return nil }

// ForEachChannels has none to visit.
func (*Cursor) ForEachChannels(context.Context, int64, func(context.Context, int64, int) error) error {
	return nil
}

// NoChannels knows the access hash of no channel.
type NoChannels struct{}

// SetChannelAccessHash keeps nothing.
func (NoChannels) SetChannelAccessHash(context.Context, int64, int64, int64) error { return nil }

// GetChannelAccessHash finds nothing.
func (NoChannels) GetChannelAccessHash(context.Context, int64, int64) (int64, bool, error) {
	return 0, false, nil
}

// maxHashes bounds the people that a feed remembers beside those in Memory.
const maxHashes = 128

// Hashes tells the manager which people can be addressed: those in Memory, and those seen
// a moment ago, who may be authors of forwarded messages and need not be kept.
type Hashes struct {
	Memory messenger.StateStore
	mu     sync.Mutex
	seen   map[int64]int64
}

// SetUserAccessHash is called by the manager for full users only.
func (h *Hashes) SetUserAccessHash(_ context.Context, _, id, hash int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen == nil || len(h.seen) >= maxHashes {
		h.seen = map[int64]int64{}
	}
	h.seen[id] = hash
	return nil
}

// GetUserAccessHash is called by the manager.
func (h *Hashes) GetUserAccessHash(ctx context.Context, _, id int64) (int64, bool, error) {
	h.mu.Lock()
	hash, ok := h.seen[id]
	h.mu.Unlock()
	if ok {
		return hash, true, nil
	}
	p, found, err := h.Memory.Peer(ctx, id)
	return p.AccessHash, found && p.AccessHash != 0, err
}
