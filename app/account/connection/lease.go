package connection

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/store"
	"svc/store/coord"
)

const (
	// topic tells which account is to be looked at: its organization and id.
	topic = "account connections"
	// leases is the beginning of the keys of leases: that of an account is held by the node
	// that connects it.
	leases = "account/"
	// elsewhereFor is how long an account is believed to be another node's without being
	// told.
	elsewhereFor = time.Minute
	// releaseWithin bounds letting go of an account. Without it the account is free when the
	// session of this node ends.
	releaseWithin = 5 * time.Second
)

// acquire takes the lease of an account for a slot whose use the caller holds: ErrElsewhere
// when another node has it.
func (p *Pool) acquire(ctx context.Context, k key, sl *slot) error {
	if sl.session != nil && !sl.session.Over() {
		return nil
	}
	p.release(sl)
	p.mu.Lock()
	closed := p.closed
	p.mu.Unlock()
	if closed {
		return ErrClosing
	}
	s, err := coord.Of(p.db).Enter(ctx)
	if err != nil {
		return err
	}
	l, err := s.TryAcquire(ctx, leases+k.id)
	if err != nil {
		s.Leave()
		if errors.Is(err, coord.ErrHeld) || errors.Is(err, coord.ErrOver) {
			err = ErrElsewhere
		}
		return err
	}
	p.mu.Lock()
	sl.session, sl.lease = s, l
	delete(p.elsewhere, k.id)
	p.mu.Unlock()
	return nil
}

// release lets go of the account of a slot whose use the caller holds.
func (p *Pool) release(sl *slot) {
	p.mu.Lock()
	s, l := sl.session, sl.lease
	sl.session, sl.lease = nil, coord.Lease{}
	p.mu.Unlock()
	if s == nil {
		return
	}
	defer s.Leave()
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	if err := l.Release(ctx); err != nil && !errors.Is(err, store.ErrClosed) {
		p.log.Error("the lease of an account stays until this node ended", "error", err)
	}
}

// Elsewhere says whether another node connects an account.
func (p *Pool) Elsewhere(tx *store.Tx, id string) (bool, error) {
	if p.db.Exclusive() {
		return false, nil
	}
	holder, err := coord.Holder(tx, leases+id)
	return holder != "" && holder != coord.Of(p.db).Current(), err
}

// ElsewhereCount is how many accounts other nodes connect.
func (p *Pool) ElsewhereCount(tx *store.Tx) (n int, err error) {
	if p.db.Exclusive() {
		return 0, nil
	}
	holders, err := coord.Holders(tx, leases)
	here := coord.Of(p.db).Current()
	for node, accounts := range holders {
		if node != here {
			n += accounts
		}
	}
	return n, err
}

// follow has accounts looked at when any node changes them, and those that another node had
// when it lets go of them or ends.
func (p *Pool) follow() (stop func()) {
	stopChanges := p.db.Subscribe(topic, func(account string, lost bool) {
		org, id, _ := strings.Cut(account, " ")
		if lost {
			p.adjustAll()
			return
		}
		p.adjustSoon(key{org, id})
	})
	stopLeases := p.db.Subscribe(coord.LeasesTopic, func(lease string, lost bool) {
		if id, ours := strings.CutPrefix(lease, leases); ours || lost {
			p.free(id)
		}
	})
	stopNodes := p.db.Subscribe(coord.NodesTopic, func(string, bool) { p.free("") })
	return func() { stopChanges(); stopLeases(); stopNodes() }
}

// free has an account looked at that another node had; "" is all of them.
func (p *Pool) free(id string) {
	p.mu.Lock()
	for had, k := range p.elsewhere {
		if id == "" || id == had {
			delete(p.elsewhere, had)
			p.wake[k] = struct{}{}
		}
	}
	p.mu.Unlock()
	p.wakeUp()
}

// adjustAll has every account looked at.
func (p *Pool) adjustAll() {
	p.mu.Lock()
	for k := range p.slots {
		p.wake[k] = struct{}{}
	}
	p.all = true
	p.mu.Unlock()
	p.wakeUp()
}

// heldElsewhere notes that an account that receives messages is another node's.
func (p *Pool) heldElsewhere(k key, sl *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.elsewhere[k.id] = k
	sl.next, sl.fails = p.db.Now().Add(elsewhereFor), 0
}
