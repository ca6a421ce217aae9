package account

import (
	"context"
	"errors"
	"sync"
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

// Connection says whether an account is connected, as the API shows it.
type Connection string

// The states of a connection (contract 7.1).
const (
	Online     Connection = "ONLINE"
	Connecting Connection = "CONNECTING"
	Offline    Connection = "OFFLINE"
)

// pool has the connections: one slot for each account that had one since the start.
type pool struct {
	s *Service

	mu     sync.Mutex
	slots  map[key]*slot
	closed bool
	wake   map[key]struct{} // accounts to look at again
	awoken chan struct{}
	// opening bounds how many are opened for inbound messages at the same time.
	opening chan struct{}
	wg      sync.WaitGroup // those who watch and open
}

// slot is the place of the one connection of an account. Whoever opens or closes it
// holds turn, so that there are never two.
type slot struct {
	turn chan struct{}
	// What follows is read and changed under pool.mu.
	conn  messenger.Conn // nil: none
	with  string         // fingerprint of what it was opened with
	hears bool           // it receives messages
	used  time.Time
	fails int
	next  time.Time // when opening it for inbound messages is tried again
	opens atomic.Bool
}

func newPool(s *Service) *pool {
	return &pool{
		s: s, slots: map[key]*slot{}, wake: map[key]struct{}{}, awoken: make(chan struct{}, 1), opening: make(chan struct{}, openingAtATime),
	}
}

func (p *pool) slot(k key) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	sl := p.slots[k]
	if sl == nil {
		sl = &slot{turn: make(chan struct{}, 1)}
		p.slots[k] = sl
	}
	return sl
}

// Conn is the one connection of an account, opened when there is none. It is kept
// for five minutes after the last call, or for as long as messages are received.
// Its error is a *messenger.Error, store.ErrNotFound or the context's.
func (s *Service) Conn(ctx context.Context, org, id string) (messenger.Conn, error) {
	return s.pool.conn(ctx, key{org, id})
}

// live is the connection of a slot, nil when it has none that works.
func (p *pool) live(sl *slot) messenger.Conn {
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
	sl.used = p.s.db.Now()
	return sl.conn
}

func (p *pool) conn(ctx context.Context, k key) (messenger.Conn, error) {
	sl := p.slot(k)
	if c := p.live(sl); c != nil {
		return c, nil
	}
	select {
	case sl.turn <- struct{}{}:
		defer func() { <-sl.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := p.live(sl); c != nil {
		return c, nil
	}
	return p.open(ctx, k, sl)
}

// open makes the connection of a slot whose turn the caller has.
func (p *pool) open(ctx context.Context, k key, sl *slot) (messenger.Conn, error) {
	p.shut(sl)
	w, err := p.s.what(ctx, k)
	if err != nil {
		return nil, err
	}
	sl.opens.Store(true)
	defer sl.opens.Store(false)
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	c, err := p.s.o.Driver.Connect(ctx, w.account)
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
		return nil, errClosing
	}
	sl.conn, sl.with, sl.hears, sl.used, sl.fails, sl.next = c, w.fingerprint, w.account.Inbound != nil, p.s.db.Now(), 0, time.Time{}
	p.wg.Add(1)
	p.mu.Unlock()
	go p.watch(k, sl, c)
	return c, nil
}

// Why an account is not connected at the moment, beside what the platform says: none
// of it is trouble of the account. To a send it is as if nobody was reached.
var (
	errClosing   = &messenger.Error{Fault: messenger.Unreachable, Code: "SHUTTING_DOWN"}
	errTurnedOff = &messenger.Error{Fault: messenger.Unreachable, Code: "DISABLED_BY_ADMIN"}
	errSignedOut = &messenger.Error{Fault: messenger.SessionEnded, Code: "AUTH_REQUIRED"}
)

// ours says whether an error is one of this package's own.
func ours(e *messenger.Error) bool { return e == errClosing || e == errTurnedOff || e == errSignedOut }

// shut closes the connection of a slot whose turn the caller has, and waits until
// nothing of it runs.
func (p *pool) shut(sl *slot) {
	p.mu.Lock()
	c := sl.conn
	sl.conn, sl.hears = nil, false
	p.mu.Unlock()
	if c != nil {
		_ = c.Close()
	}
}

// watch waits for the end of a connection and says what it means.
func (p *pool) watch(k key, sl *slot, c messenger.Conn) {
	defer p.wg.Done()
	<-c.Done()
	p.mu.Lock()
	still := sl.conn == c
	p.mu.Unlock()
	if !still {
		return // it was closed
	}
	if e := messenger.As(c.Err()); e != nil {
		p.s.trouble(k, e)
	}
	p.touch(k)
}

// trouble does what an error means that came without a send.
func (s *Service) trouble(k key, e *messenger.Error) {
	if _, counts := meaning(e); !counts {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		return s.Trouble(tx, api.System(ctx, k.org, tx.DB().Now()), k.org, k.id, e)
	})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		s.log.Error("the trouble of an account was not saved", "account", k.id, "error", err)
	}
}

// touch asks for a look at an account: whether its connection is what it should be.
func (p *pool) touch(k key) {
	p.mu.Lock()
	p.wake[k] = struct{}{}
	p.mu.Unlock()
	p.rouse()
}

func (p *pool) rouse() {
	select {
	case p.awoken <- struct{}{}:
	default:
	}
}

// touchAfter touches once the transaction is durable.
func (p *pool) touchAfter(tx *store.Tx, org, id string) {
	tx.AfterCommit(func() { p.touch(key{org, id}) })
}

// connection is how the connection of an account is at the moment.
func (p *pool) connection(k key) Connection {
	p.mu.Lock()
	sl := p.slots[k]
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
func (s *Service) OnlineCount() (n int) {
	s.pool.mu.Lock()
	conns := make([]messenger.Conn, 0, len(s.pool.slots))
	for _, sl := range s.pool.slots {
		if sl.conn != nil {
			conns = append(conns, sl.conn)
		}
	}
	s.pool.mu.Unlock()
	for _, c := range conns {
		if c.Online() {
			n++
		}
	}
	return n
}
