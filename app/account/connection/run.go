package connection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"svc/messenger"
	"svc/store"
)

// opened is what a connection of an account is made with.
type opened struct {
	account     messenger.Account
	fingerprint string // changes when the connection has to be made anew
}

// wanted reads how an account is connected. Its error is a *messenger.Error for an
// account that cannot be connected as it is.
func (p *Pool) wanted(ctx context.Context, k key) (w opened, err error) {
	err = p.db.View(ctx, func(tx *store.Tx) error {
		x, err := p.o.Accounts.Wanted(tx, k.org, k.id)
		if err != nil {
			return err
		}
		m := stateStore{p, k.org, k.id}
		w.account = messenger.Account{Session: x.Session, Via: x.Via, State: m}
		if x.Inbound {
			w.account.Inbound = listener{m}
		}
		w.fingerprint = fingerprint(x.Via, x.Person, x.Inbound)
		return nil
	})
	return w, err
}

// fingerprint of a route tells two apart without keeping their secrets.
func fingerprint(via messenger.Route, rest ...any) string {
	type plain messenger.Route // prints its secrets too
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %v", fmt.Sprintf("%+v", plain(via)), rest))
	return hex.EncodeToString(sum[:])
}

// Run keeps the connections: it opens those that receive messages, and again when
// they end, and closes those that nobody uses, until the context ends.
func (p *Pool) Run(ctx context.Context) error {
	defer p.end()
	defer p.follow()()
	defer p.answer(ctx)()
	if err := p.openAll(ctx); err != nil && ctx.Err() == nil {
		return fmt.Errorf("open the connections of accounts: %w", err)
	}
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	again := time.NewTimer(time.Hour)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.wakeSignal:
			if err := p.openLost(ctx); err != nil && ctx.Err() == nil {
				p.log.Error("accounts that changed are not looked at", "error", err)
			}
		case <-tick.C:
			p.sweep()
		case <-again.C:
		}
		again.Reset(p.look(ctx))
	}
}

// end closes everything and waits.
func (p *Pool) end() {
	p.mu.Lock()
	p.closed = true
	list := make([]*slot, 0, len(p.slots))
	for _, sl := range p.slots {
		list = append(list, sl)
	}
	p.mu.Unlock()
	var wg sync.WaitGroup
	for _, sl := range list {
		wg.Go(func() {
			sl.use <- struct{}{}
			p.shut(sl)
			<-sl.use
		})
	}
	wg.Wait()
	p.wg.Wait()
}

// openAll has every account looked at that receives messages.
func (p *Pool) openAll(ctx context.Context) error {
	for after := store.Cursor(nil); ; {
		var page []Ref
		err := p.db.View(ctx, func(tx *store.Tx) (err error) {
			page, after, err = p.o.Accounts.Listening(tx, after, recordsAtATime)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range page {
			p.adjustSoon(key{r.Org, r.ID})
		}
		if after == nil {
			return nil
		}
	}
}

// openLost is openAll when messages about accounts were lost.
func (p *Pool) openLost(ctx context.Context) error {
	p.mu.Lock()
	all := p.all
	p.all = false
	p.mu.Unlock()
	if !all {
		return nil
	}
	return p.openAll(ctx)
}

// look brings the connections of the accounts that changed into the state in which they
// should be, and says when to look again.
func (p *Pool) look(ctx context.Context) time.Duration {
	now := p.db.Now()
	p.mu.Lock()
	changed := make([]key, 0, len(p.wake))
	for k := range p.wake {
		changed = append(changed, k)
	}
	clear(p.wake)
	for k, sl := range p.slots {
		if !sl.next.IsZero() && !now.Before(sl.next) {
			sl.next = time.Time{}
			changed = append(changed, k)
		}
	}
	p.mu.Unlock()
	for _, k := range changed {
		p.wg.Go(func() {
			p.opening <- struct{}{}
			p.adjust(ctx, k)
			<-p.opening
			p.wakeUp()
		})
	}
	return p.soonest()
}

// soonest is how long it is until the next connection is tried again.
func (p *Pool) soonest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := time.Hour
	if len(p.wake) > 0 {
		wait = 0
	}
	now := p.db.Now()
	for _, sl := range p.slots {
		if !sl.next.IsZero() {
			wait = min(wait, max(sl.next.Sub(now), time.Millisecond))
		}
	}
	return wait
}

// adjust opens, closes or reopens the connection of one account.
func (p *Pool) adjust(ctx context.Context, k key) {
	sl := p.slot(k)
	select {
	case sl.use <- struct{}{}:
		defer func() { <-sl.use }()
	case <-ctx.Done():
		return
	}
	w, err := p.wanted(ctx, k)
	if err != nil { // gone, disabled, signed out, or without its proxy
		p.shut(sl)
		return
	}
	p.mu.Lock()
	same := sl.conn != nil && sl.with == w.fingerprint && !ended(sl.conn) && !sl.session.Over()
	p.mu.Unlock()
	switch {
	case same:
		return
	case w.account.Inbound == nil:
		p.shut(sl)
		return
	}
	if _, err = p.open(ctx, k, sl); err == nil || ctx.Err() != nil {
		return
	}
	if errors.Is(err, ErrElsewhere) {
		p.heldElsewhere(k, sl)
		return
	}
	if e := messenger.As(err); e != nil && p.o.Accounts.ChangesStatus(e) {
		p.report(k, e)
		return
	}
	p.mu.Lock()
	sl.next = p.db.Now().Add(reopenAfter[min(sl.fails, len(reopenAfter)-1)])
	sl.fails++
	p.mu.Unlock()
	p.log.Warn("an account cannot be connected", "account", k.id, "error", err)
}

// sweep closes the connections that nobody uses.
func (p *Pool) sweep() {
	now := p.db.Now()
	p.mu.Lock()
	var idle []*slot
	for _, sl := range p.slots {
		if sl.conn != nil && !sl.inbound && now.Sub(sl.used) >= idleFor {
			idle = append(idle, sl)
		}
	}
	p.mu.Unlock()
	for _, sl := range idle {
		select {
		case sl.use <- struct{}{}:
		default:
			continue // somebody is opening it
		}
		p.mu.Lock()
		stays := sl.inbound || p.db.Now().Sub(sl.used) < idleFor // it was used meanwhile
		p.mu.Unlock()
		if !stays {
			p.shut(sl)
		}
		<-sl.use
	}
}
