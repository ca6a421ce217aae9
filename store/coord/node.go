package coord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"svc/store"
)

// NodesTopic is told when a node ended: what it had is free.
const NodesTopic = "nodes ended"

// maxNodes bounds how many nodes are looked at.
const maxNodes = 1000

// Info is a node that is alive, as it is stored.
//
// The record is made when the node joins, and removed in the transaction that ends it:
// by the node itself when its last user leaves, by another node that saw no beat for
// Options.TTL, or by the next opening of a store that is exclusive. A node without a
// record has ended, for ever: its id is not used again. Nothing else is to clean.
type Info struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Beat      uint64    `json:"beat,omitempty"`
	StartedAt time.Time `json:"started_at"`
	// SeenAt is when it beat last, by its own clock: for people, nothing is decided by it.
	SeenAt time.Time `json:"seen_at"`
}

var nodes = store.NewTable("node", "nod", func(n *Info) string { return n.ID }).Global()

// Alive says whether a node has not ended.
func Alive(tx *store.Tx, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	return nodes.Has(tx, store.Platform, id)
}

// Living is Alive that reads each node once.
func Living(tx *store.Tx) func(id string) (bool, error) {
	known := map[string]bool{}
	return func(id string) (here bool, err error) {
		here, ok := known[id]
		if !ok {
			if here, err = Alive(tx, id); err == nil {
				known[id] = here
			}
		}
		return here, err
	}
}

// Nodes lists the nodes that are alive, in the order in which they began.
func Nodes(tx *store.Tx) ([]Info, error) {
	list, _, err := nodes.Walk(tx, store.Platform, nil, maxNodes)
	return list, err
}

// Node is this process among those that work on a store. There is one for each open
// store (Of). It is alive while somebody uses it: Enter.
type Node struct {
	db *store.DB

	// mu has room for one, who holds what follows: a join waits for the store, and who
	// waits behind it may give up.
	mu      chan struct{}
	o       Options
	session *Session // nil: nobody uses it, or the last one ended
	current atomic.Pointer[Session]
}

// Current is the id of the node in this life, "" while nobody uses it. It waits for
// nothing, so that it may be called in a transaction.
func (n *Node) Current() string {
	if s := n.current.Load(); s != nil {
		return s.id
	}
	return ""
}

type nodeKey struct{}

// Of is the node of an open store.
func Of(db *store.DB) *Node {
	return db.Once(nodeKey{}, func() any { return &Node{db: db, mu: make(chan struct{}, 1), o: Options{}.withDefaults()} }).(*Node)
}

func (n *Node) lock()   { n.mu <- struct{}{} }
func (n *Node) unlock() { <-n.mu }

// Configure sets the options, for those who enter from now on.
func (n *Node) Configure(o Options) {
	n.lock()
	defer n.unlock()
	n.o = o.withDefaults()
}

func (n *Node) log() *slog.Logger {
	n.lock()
	defer n.unlock()
	return n.o.Log
}

// Session is one life of a node: from joining until the last user left, or until it
// ended although it was used. Then its users stop what they do and enter again, which
// begins another life under another id.
type Session struct {
	n     *Node
	o     Options
	id    string
	users int             // under n.mu
	ctx   context.Context // until it ends
	end   context.CancelFunc
	beats sync.WaitGroup
}

// Enter joins the nodes that are alive, or uses the session that is there. It writes one
// record when it joins. Call Leave when what was claimed in the session is settled.
func (n *Node) Enter(ctx context.Context) (*Session, error) {
	select {
	case n.mu <- struct{}{}:
		defer n.unlock()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s := n.session; s != nil && s.ctx.Err() == nil {
		s.users++
		return s, nil
	}
	s := &Session{n: n, o: n.o, id: n.db.NewID("nod"), users: 1}
	begin, err := n.join(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("join the nodes of the store: %w", err)
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	if !n.db.Exclusive() {
		s.beats.Go(func() { s.run(begin) })
	}
	n.session = s
	n.current.Store(s)
	return s, nil
}

// join writes the record of a session, begun at the time that it answers. In a store that is open here alone all others
// have ended; elsewhere it waits while a process prepares the store, and fails when that one
// is of a newer version.
func (n *Node) join(ctx context.Context, s *Session) (begin time.Time, err error) {
	for {
		begin = time.Now()
		if err = n.tryJoin(ctx, s); !errors.Is(err, store.ErrPreparing) {
			return begin, err
		}
		select {
		case <-ctx.Done():
			return begin, context.Cause(ctx)
		case <-time.After(joinAgain):
		}
	}
}

// joinAgain is after how long a join is tried again.
const joinAgain = 250 * time.Millisecond

func (n *Node) tryJoin(ctx context.Context, s *Session) error {
	return n.db.Update(store.WithoutTxHook(ctx), func(tx *store.Tx) error {
		if n.db.Exclusive() {
			if err := endOthers(tx); err != nil {
				return err
			}
		} else if err := tx.Current(); err != nil {
			return err
		}
		now := n.db.Now()
		return nodes.Insert(tx, store.Platform, &Info{ID: s.id, Name: s.o.Name, StartedAt: now, SeenAt: now})
	})
}

func endOthers(tx *store.Tx) error {
	list, err := Nodes(tx)
	for i := range list {
		if err == nil {
			err = remove(tx, list[i].ID)
		}
	}
	return err
}

// remove ends a node. One that ended already stays so.
func remove(tx *store.Tx, id string) error {
	tx.Notify(NodesTopic)
	return store.IgnoreNotFound(nodes.Delete(tx, store.Platform, id))
}

// ID names the node in this life: "nod_...".
func (s *Session) ID() string { return s.id }

// Done is closed when the session ended: nothing may be begun in it any more, and what is
// under way is somebody else's soon.
func (s *Session) Done() <-chan struct{} { return s.ctx.Done() }

// End ends the session: for a user who saw in a transaction that the node is not alive.
func (s *Session) End() { s.end() }

// Over says whether the session ended.
func (s *Session) Over() bool { return s.ctx.Err() != nil }

// Within is a context that ends with the session too.
func (s *Session) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// leaveWithin bounds the last write of a session. Without it others notice by themselves.
const leaveWithin = 5 * time.Second

// Leave ends the use of a session, and with the last use the session.
func (s *Session) Leave() {
	s.n.lock()
	defer s.n.unlock()
	if s.users--; s.users > 0 {
		return
	}
	s.end()
	s.beats.Wait()
	if s.n.session == s {
		s.n.session = nil
		s.n.current.Store(nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveWithin)
	defer cancel()
	err := s.n.db.Update(ctx, func(tx *store.Tx) error { return remove(tx, s.id) })
	if err != nil && !errors.Is(err, store.ErrClosed) {
		s.o.Log.Warn("a node could not say that it ended; the others notice it by themselves", "node", s.id, "error", err)
	}
}
