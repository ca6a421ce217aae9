package coord

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"svc/store"
	"svc/store/kv"
)

var (
	// ErrHeld is the answer to TryAcquire while another has the lease.
	ErrHeld = errors.New("somebody else has the lease")
	// ErrLost is the answer to a use of a lease by who does not have it any more.
	ErrLost = errors.New("the lease was lost")
	// ErrOver is the answer to a use of a session that ended.
	ErrOver = errors.New("the session of this node ended")
)

// LeasesTopic is told when a lease was let go of, with its key when that is short.
const LeasesTopic = "leases"

// waitForLease is how long Acquire believes that a lease is held without being told.
const waitForLease = time.Minute

// held is a lease as it is stored. It is free when it has no node, or one that ended.
//
// The record is made when the lease is acquired first. It stays when the lease is
// released, because its token only grows: who wakes up with an old one must not meet it
// again. Forget removes it when nobody will ever ask for the key again.
type held struct {
	Key   string    `json:"key"`
	Node  string    `json:"node,omitempty"`
	Token uint64    `json:"token"`
	Since time.Time `json:"since,omitzero"`
}

var leases = store.NewTable("lease", "", func(l *held) string { return l.Key }).Global()

// Lease is the right to be the only one, on all nodes, until it is released or its
// session ends.
type Lease struct {
	s     *Session
	key   string
	token uint64
}

// Token grows with every lease of the key: what is outside the store and orders writers
// by a number may be given it.
func (l Lease) Token() uint64 { return l.token }

// TryAcquire takes the lease of a key, or answers ErrHeld while another has it, on this
// node too. A key has 1 to 256 bytes.
func (s *Session) TryAcquire(ctx context.Context, key string) (l Lease, err error) {
	err = s.n.db.Update(store.WithoutTxHook(ctx), func(tx *store.Tx) error {
		l = Lease{}
		var err error
		l, err = s.acquire(tx, key)
		return err
	})
	return l, err
}

func (s *Session) acquire(tx *store.Tx, key string) (Lease, error) {
	if here, err := Alive(tx, s.id); err != nil || !here || s.Over() {
		return Lease{}, errors.Join(err, ErrOver)
	}
	now, err := leases.Get(tx, store.Platform, key)
	if err != nil && !store.IsNotFound(err) {
		return Lease{}, err
	}
	taken, err := Alive(tx, now.Node)
	switch {
	case err != nil:
		return Lease{}, err
	case taken:
		return Lease{}, ErrHeld
	}
	now = held{Key: key, Node: s.id, Token: now.Token + 1, Since: tx.DB().Now()}
	return Lease{s, key, now.Token}, leases.Put(tx, store.Platform, &now)
}

// TryAcquireOne takes one of n leases whose keys are the prefix and a number, or answers
// ErrHeld while others have all of them: at most n may do something at a time.
func (s *Session) TryAcquireOne(ctx context.Context, prefix string, n int) (l Lease, err error) {
	err = s.n.db.Update(store.WithoutTxHook(ctx), func(tx *store.Tx) error {
		l = Lease{}
		for i := range n {
			key := prefix + strconv.Itoa(i)
			holder, err := Holder(tx, key)
			if err != nil {
				return err
			}
			if holder == "" {
				l, err = s.acquire(tx, key)
				return err
			}
		}
		return ErrHeld
	})
	return l, err
}

// Acquire is TryAcquire that waits until the lease is free, the context ends or the
// session does (ErrOver).
func (s *Session) Acquire(ctx context.Context, key string) (Lease, error) {
	ctx, cancel := s.Within(ctx)
	defer cancel()
	released, stop := s.n.db.Listen(LeasesTopic)
	defer stop()
	ended, stop := s.n.db.Listen(NodesTopic)
	defer stop()
	for {
		l, err := s.TryAcquire(ctx, key)
		if !errors.Is(err, ErrHeld) {
			return l, s.overOr(err)
		}
		t := time.NewTimer(waitForLease)
		select {
		case <-released:
		case <-ended:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return Lease{}, s.overOr(ctx.Err())
		}
		t.Stop()
	}
}

func (s *Session) overOr(err error) error {
	if err != nil && s.Over() {
		return ErrOver
	}
	return err
}

// Check answers ErrLost when the lease is not held any more. It belongs into every
// transaction that has an effect which only the holder may have: then either the effect
// is made, or another has the lease. The zero Lease is held by nobody.
func (l Lease) Check(tx *store.Tx) error {
	if l.s == nil {
		return ErrLost
	}
	now, err := leases.Get(tx, store.Platform, l.key)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	here, err := Alive(tx, l.s.id)
	if err != nil {
		return err
	}
	if !here || l.s.Over() || now.Node != l.s.id || now.Token != l.token {
		return ErrLost
	}
	return nil
}

// Done is closed when the session of the holder ended.
func (l Lease) Done() <-chan struct{} { return l.s.Done() }

// Release lets go of the lease. One that was lost is left to who has it.
func (l Lease) Release(ctx context.Context) error {
	return l.s.n.db.Update(store.WithoutTxHook(ctx), l.release)
}

func (l Lease) release(tx *store.Tx) error {
	now, err := leases.Get(tx, store.Platform, l.key)
	if err != nil || now.Node != l.s.id || now.Token != l.token {
		return store.IgnoreNotFound(err)
	}
	now.Node, now.Since = "", time.Time{}
	publishReleased(tx, l.key)
	return leases.Put(tx, store.Platform, &now)
}

// Forget removes what is known of the lease of a key that is never asked for again,
// because what it names is gone. Who has it has lost it.
func Forget(tx *store.Tx, key string) error {
	publishReleased(tx, key)
	return store.IgnoreNotFound(leases.Delete(tx, store.Platform, key))
}

// publishReleased tells who waits for a lease that it is free.
func publishReleased(tx *store.Tx, key string) {
	if len(key) > kv.MaxPayload {
		key = ""
	}
	tx.Publish(LeasesTopic, key)
}

// Fence answers ErrLost when another acquired the key after this lease: what was done under
// it may not be stored any more. Unlike Check it lets pass what was done before the lease
// was let go of. The zero Lease fences nothing.
func (l Lease) Fence(tx *store.Tx) error {
	if l.s == nil {
		return nil
	}
	now, err := leases.Get(tx, store.Platform, l.key)
	if err == nil && now.Token > l.token {
		return ErrLost
	}
	return store.IgnoreNotFound(err)
}

// Holder is the node that has the lease of a key, "" when it is free.
func Holder(tx *store.Tx, key string) (node string, err error) {
	now, err := leases.Get(tx, store.Platform, key)
	if err != nil {
		return "", store.IgnoreNotFound(err)
	}
	here, err := Alive(tx, now.Node)
	if err != nil || !here {
		return "", err
	}
	return now.Node, nil
}

// Holders is how many leases whose keys begin with a prefix each node has that is alive.
func Holders(tx *store.Tx, prefix string) (of map[string]int, err error) {
	of = map[string]int{}
	alive := Living(tx)
	for l, err := range leases.Each(tx, store.Platform, prefix) {
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(l.Key, prefix) {
			break
		}
		here, err := alive(l.Node)
		if err != nil {
			return nil, err
		}
		if here {
			of[l.Node]++
		}
	}
	return of, nil
}

// Lock is a mutex on all nodes: it waits until nobody has the lease of a key, and takes it
// until unlock is called. What it guards ends by itself should this node end meanwhile. The
// key is forgotten when it is unlocked.
func (n *Node) Lock(ctx context.Context, key string) (unlock func(), err error) {
	s, err := n.Enter(ctx)
	if err != nil {
		return nil, err
	}
	l, err := s.Acquire(ctx, key)
	if err != nil {
		s.Leave()
		return nil, err
	}
	return l.Unlock, nil
}

// Unlock lets go of a lease whose key is never asked for again in this way, removes what is
// known of it, and leaves its session.
func (l Lease) Unlock() {
	n, s := l.s.n, l.s
	defer s.Leave()
	ctx, cancel := context.WithTimeout(context.Background(), leaveWithin)
	defer cancel()
	err := n.db.Update(ctx, func(tx *store.Tx) error {
		if err := l.Check(tx); err != nil {
			return err
		}
		return Forget(tx, l.key)
	})
	if err != nil && !errors.Is(err, ErrLost) && !errors.Is(err, store.ErrClosed) {
		n.log().Error("a lease stays until this node ended", "key", l.key, "error", err)
	}
}
