package connection

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/store"
)

const (
	// connectWithin bounds the opening of a connection.
	connectWithin = 30 * time.Second
	// idleFor is after how long a connection that nobody uses is closed.
	idleFor = 5 * time.Minute
	// sweepEvery is how often that is looked for.
	sweepEvery = 30 * time.Second
	// openingAtATime bounds how many connections for inbound messages are opened at
	// the same time after a start.
	openingAtATime = 16
)

// reopenAfter are the waits before a connection for inbound messages is tried again.
var reopenAfter = []time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

// key names an account.
type key struct{ org, id string }

// State says whether an account is connected, as the API shows it.
type State string

// The states of a connection (contract 7.1).
const (
	Online     State = "ONLINE"
	Connecting State = "CONNECTING"
	Offline    State = "OFFLINE"
)

// slot has the one connection of an account. Whoever opens or closes it holds use, a
// channel with room for one, so that there are never two.
type slot struct {
	use chan struct{}
	// What follows is read and changed under pool.mu.
	conn    messenger.Conn // nil: none
	with    string         // fingerprint of what it was opened with
	inbound bool           // it receives messages
	used    time.Time
	fails   int
	next    time.Time // when opening it for inbound messages is tried again
	opens   atomic.Bool
}

func (p *Pool) slot(k key) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	sl := p.slots[k]
	if sl == nil {
		sl = &slot{use: make(chan struct{}, 1)}
		p.slots[k] = sl
	}
	return sl
}

// Conn is the one connection of an account, opened when there is none. It is kept
// for five minutes after the last call, or for as long as messages are received.
// Its error is a *messenger.Error, store.ErrNotFound or the context's.
func (p *Pool) Conn(ctx context.Context, org, id string) (messenger.Conn, error) {
	return p.conn(ctx, key{org, id})
}

// live is the connection of a slot, nil when it has none that works.
func (p *Pool) live(sl *slot) messenger.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if sl.conn == nil || p.closed {
		return nil
	}
	select {
	case <-sl.conn.Done():
		return nil
	default:
	}
	sl.used = p.db.Now()
	return sl.conn
}

func (p *Pool) conn(ctx context.Context, k key) (messenger.Conn, error) {
	sl := p.slot(k)
	if c := p.live(sl); c != nil {
		return c, nil
	}
	select {
	case sl.use <- struct{}{}:
		defer func() { <-sl.use }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := p.live(sl); c != nil {
		return c, nil
	}
	return p.open(ctx, k, sl)
}

// open makes the connection of a slot whose use the caller holds.
func (p *Pool) open(ctx context.Context, k key, sl *slot) (messenger.Conn, error) {
	p.shut(sl)
	w, err := p.wanted(ctx, k)
	if err != nil {
		return nil, err
	}
	sl.opens.Store(true)
	defer sl.opens.Store(false)
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	c, err := p.o.Driver.Connect(ctx, w.account)
	if err != nil {
		if messenger.As(err) == nil {
			err = &messenger.Error{Fault: messenger.Unreachable, Code: "UNREACHABLE", Cause: err}
		}
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		_ = c.Close()
		return nil, ErrClosing
	}
	sl.conn, sl.with, sl.inbound, sl.used, sl.fails, sl.next = c, w.fingerprint, w.account.Inbound != nil, p.db.Now(), 0, time.Time{}
	p.wg.Add(1)
	p.mu.Unlock()
	go p.watch(k, sl, c)
	return c, nil
}

// ErrClosing is why an account is not connected while the service ends: it is no trouble
// of the account. To a send it is as if nobody was reached.
var ErrClosing = &messenger.Error{Fault: messenger.Unreachable, Code: "SHUTTING_DOWN"}

// shut closes the connection of a slot whose use the caller holds, and waits until
// nothing of it runs.
func (p *Pool) shut(sl *slot) {
	p.mu.Lock()
	c := sl.conn
	sl.conn, sl.inbound = nil, false
	p.mu.Unlock()
	if c != nil {
		_ = c.Close()
	}
}

// watch waits for the end of a connection and says what it means.
func (p *Pool) watch(k key, sl *slot, c messenger.Conn) {
	defer p.wg.Done()
	<-c.Done()
	p.mu.Lock()
	still := sl.conn == c
	p.mu.Unlock()
	if !still {
		return // it was closed
	}
	if e := messenger.As(c.Err()); e != nil {
		p.report(k, e)
	}
	p.adjustSoon(k)
}

// report tells package account of an error that came without a send.
func (p *Pool) report(k key, e *messenger.Error) {
	if !p.o.Accounts.ChangesStatus(e) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	err := p.db.Update(ctx, func(tx *store.Tx) error {
		return p.o.Accounts.Trouble(tx, api.System(ctx, k.org, tx.DB().Now()), k.org, k.id, e)
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		p.log.Error("the trouble of an account was not saved", "account", k.id, "error", err)
	}
}

// adjustSoon has Run look at an account: whether its connection is what it should be.
func (p *Pool) adjustSoon(k key) {
	p.mu.Lock()
	p.wake[k] = struct{}{}
	p.mu.Unlock()
	p.wakeUp()
}

func (p *Pool) wakeUp() {
	select {
	case p.wakeSignal <- struct{}{}:
	default:
	}
}

// AdjustAfter has the connection of an account opened, closed or made anew as Accounts.Wanted
// says, once the transaction is durable.
func (p *Pool) AdjustAfter(tx *store.Tx, org, id string) {
	tx.AfterCommit(func() { p.adjustSoon(key{org, id}) })
}

// State is how the connection of an account is at the moment.
func (p *Pool) State(org, id string) State {
	p.mu.Lock()
	sl := p.slots[key{org, id}]
	var c messenger.Conn
	if sl != nil {
		c = sl.conn
	}
	p.mu.Unlock()
	switch {
	case sl == nil:
		return Offline
	case c != nil && c.Online():
		return Online
	case sl.opens.Load(), c != nil && !ended(c):
		return Connecting
	}
	return Offline
}

func ended(c messenger.Conn) bool {
	select {
	case <-c.Done():
		return true
	default:
		return false
	}
}

// OnlineCount is how many accounts have a connection over which the platform can be
// reached.
func (p *Pool) OnlineCount() (n int) {
	p.mu.Lock()
	conns := make([]messenger.Conn, 0, len(p.slots))
	for _, sl := range p.slots {
		if sl.conn != nil {
			conns = append(conns, sl.conn)
		}
	}
	p.mu.Unlock()
	for _, c := range conns {
		if c.Online() {
			n++
		}
	}
	return n
}
