package connection

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
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
// channel with room for one, so that there are never two in this process, and the lease of
// the account, so that there are never two anywhere.
type slot struct {
	use chan struct{}
	// What follows is read and changed under pool.mu.
	session *coord.Session // of the lease; nil: there is none
	lease   coord.Lease
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
// for five minutes after the last call, or for as long as messages are received. What is
// done over it is stored only while nobody acquired the lease after (coord.Lease.Fence).
// Its error is a *messenger.Error, ErrElsewhere among them, store.ErrNotFound or the
// context's.
func (p *Pool) Conn(ctx context.Context, org, id string) (messenger.Conn, coord.Lease, error) {
	k := key{org, id}
	sl := p.slot(k)
	if c, l := p.live(sl); c != nil {
		return c, l, nil
	}
	select {
	case sl.use <- struct{}{}:
		defer func() { <-sl.use }()
	case <-ctx.Done():
		return nil, coord.Lease{}, ctx.Err()
	}
	if c, l := p.live(sl); c != nil {
		return c, l, nil
	}
	c, err := p.open(ctx, k, sl)
	return c, sl.lease, err
}

// live is the connection of a slot, nil when it has none that works.
func (p *Pool) live(sl *slot) (messenger.Conn, coord.Lease) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if sl.conn == nil || p.closed || sl.session.Over() || ended(sl.conn) {
		return nil, coord.Lease{}
	}
	sl.used = p.db.Now()
	return sl.conn, sl.lease
}

// open makes the connection of a slot whose use the caller holds.
func (p *Pool) open(ctx context.Context, k key, sl *slot) (messenger.Conn, error) {
	p.disconnect(sl)
	w, err := p.wanted(ctx, k)
	if err == nil {
		err = p.acquire(ctx, k, sl)
	}
	if err != nil {
		p.release(sl)
		return nil, err
	}
	sl.opens.Store(true)
	defer sl.opens.Store(false)
	ctx, cancel := sl.session.Within(ctx)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, connectWithin)
	defer stop()
	c, err := p.o.Driver.Connect(ctx, w.account)
	if err != nil {
		p.release(sl)
		if messenger.As(err) == nil {
			err = &messenger.Error{Fault: messenger.Unreachable, Code: "UNREACHABLE", Cause: err}
		}
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		_ = c.Close()
		p.release(sl)
		return nil, ErrClosing
	}
	sl.conn, sl.with, sl.inbound, sl.used, sl.fails, sl.next = c, w.fingerprint, w.account.Inbound != nil, p.db.Now(), 0, time.Time{}
	over := sl.session.Done()
	p.wg.Add(1)
	p.mu.Unlock()
	go p.watch(k, sl, c, over)
	return c, nil
}

// ErrClosing is why an account is not connected while the service ends, and ErrElsewhere
// why it is not while another node connects it: neither is trouble of the account. To a
// send it is as if nobody was reached.
var (
	ErrClosing   = &messenger.Error{Fault: messenger.Unreachable, Code: "SHUTTING_DOWN"}
	ErrElsewhere = &messenger.Error{Fault: messenger.Unreachable, Code: "ELSEWHERE"}
)

// shut closes the connection of a slot whose use the caller holds, waits until nothing of
// it runs, and lets go of its account.
func (p *Pool) shut(sl *slot) {
	p.disconnect(sl)
	p.release(sl)
}

// disconnect is shut, but keeps the account for another connection.
func (p *Pool) disconnect(sl *slot) {
	p.mu.Lock()
	c := sl.conn
	sl.conn, sl.inbound = nil, false
	p.mu.Unlock()
	if c != nil {
		_ = c.Close()
	}
}

// watch waits for the end of a connection and says what it means. One whose account may be
// another node's by now is closed.
func (p *Pool) watch(k key, sl *slot, c messenger.Conn, over <-chan struct{}) {
	defer p.wg.Done()
	select {
	case <-c.Done():
	case <-over:
		_ = c.Close()
		p.adjustSoon(k)
		return
	}
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
// says, on whatever node, once the transaction is durable.
func (p *Pool) AdjustAfter(tx *store.Tx, org, id string) { coord.Publish(tx, topic, org+" "+id) }

// State is how the connection of an account is at the moment. One that another node has
// counts as online: it lets go of an account that it does not reach.
func (p *Pool) State(tx *store.Tx, org, id string) (State, error) {
	p.mu.Lock()
	sl := p.slots[key{org, id}]
	var c messenger.Conn
	if sl != nil {
		c = sl.conn
	}
	p.mu.Unlock()
	switch {
	case sl == nil:
	case c != nil && c.Online():
		return Online, nil
	case sl.opens.Load(), c != nil && !ended(c):
		return Connecting, nil
	}
	there, err := p.Elsewhere(tx, id)
	if there {
		return Online, err
	}
	return Offline, err
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
