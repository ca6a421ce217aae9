package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"svc/messenger"
	"svc/store"
)

// wanted is what a connection of an account is made with.
type wanted struct {
	account     messenger.Account
	fingerprint string // changes when the connection has to be made anew
}

// what reads how an account is connected. Its error is a *messenger.Error for an
// account that cannot be connected as it is.
func (s *Service) what(ctx context.Context, k key) (w wanted, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, k.org, k.id)
		if err != nil {
			return err
		}
		switch {
		case a.Status == AuthRequired:
			return errSignedOut
		case a.DisabledByAdmin:
			return errTurnedOff
		}
		w, err = s.wantedOf(tx, k, &a)
		return err
	})
	return w, err
}

func (s *Service) wantedOf(tx *store.Tx, k key, a *Account) (w wanted, err error) {
	secret, err := session.Open(tx.DB(), k.org, a)
	if err != nil {
		return w, err
	}
	via, err := s.proxies.Route(tx, k.org, a.ProxyID)
	if err != nil {
		return w, err
	}
	m := stateStore{s, k.org, k.id}
	w.account = messenger.Account{Session: secret, Via: via, State: m}
	if a.listens() {
		w.account.Inbound = listener{m}
	}
	w.fingerprint = fingerprint(via, a.PhoneHash, w.account.Inbound != nil)
	return w, nil
}

// fingerprint of a route tells two apart without keeping their secrets.
func fingerprint(via messenger.Route, rest ...any) string {
	type plain messenger.Route // prints its secrets too
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %v", fmt.Sprintf("%+v", plain(via)), rest))
	return hex.EncodeToString(sum[:])
}

// Run keeps the connections: it opens those that receive messages, and again when
// they end, and closes those that nobody uses, until the context ends.
func (s *Service) Run(ctx context.Context) error {
	p := s.pool
	defer p.end()
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
		case <-p.awoken:
		case <-tick.C:
			p.sweep()
		case <-again.C:
		}
		again.Reset(p.look(ctx))
	}
}

// end closes everything and waits.
func (p *pool) end() {
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
			sl.turn <- struct{}{}
			p.shut(sl)
			<-sl.turn
		})
	}
	wg.Wait()
	p.wg.Wait()
}

// openAll touches every account that receives messages.
func (p *pool) openAll(ctx context.Context) error {
	for after := store.Cursor(nil); ; {
		var page []store.Of[Account]
		err := p.s.db.View(ctx, func(tx *store.Tx) (err error) {
			page, after, err = listening.Walk(tx, store.Range{After: after, Limit: peersAtATime})
			return err
		})
		if err != nil {
			return err
		}
		for i := range page {
			p.touch(key{page[i].Org, page[i].Record.ID})
		}
		if after == nil {
			return nil
		}
	}
}

// look brings the connections of touched accounts into the state in which they
// should be, and says when to look again.
func (p *pool) look(ctx context.Context) time.Duration {
	now := p.s.db.Now()
	p.mu.Lock()
	touched := make([]key, 0, len(p.wake))
	for k := range p.wake {
		touched = append(touched, k)
	}
	clear(p.wake)
	for k, sl := range p.slots {
		if !sl.next.IsZero() && !now.Before(sl.next) {
			sl.next = time.Time{}
			touched = append(touched, k)
		}
	}
	p.mu.Unlock()
	for _, k := range touched {
		p.wg.Go(func() {
			p.opening <- struct{}{}
			p.adjust(ctx, k)
			<-p.opening
			p.rouse()
		})
	}
	return p.soonest()
}

// soonest is how long it is until the next connection is tried again.
func (p *pool) soonest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := time.Hour
	if len(p.wake) > 0 {
		wait = 0
	}
	now := p.s.db.Now()
	for _, sl := range p.slots {
		if !sl.next.IsZero() {
			wait = min(wait, max(sl.next.Sub(now), time.Millisecond))
		}
	}
	return wait
}

// settle opens, closes or reopens the connection of one account.
func (p *pool) adjust(ctx context.Context, k key) {
	sl := p.slot(k)
	select {
	case sl.turn <- struct{}{}:
		defer func() { <-sl.turn }()
	case <-ctx.Done():
		return
	}
	w, err := p.s.what(ctx, k)
	if err != nil { // gone, disabled, signed out, or without its proxy
		p.shut(sl)
		return
	}
	p.mu.Lock()
	same := sl.conn != nil && sl.with == w.fingerprint && !ended(sl.conn)
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
	if e := messenger.As(err); e != nil {
		if _, final := meaning(e); final {
			p.s.trouble(k, e)
			return
		}
	}
	p.mu.Lock()
	sl.next = p.s.db.Now().Add(reopenAfter[min(sl.fails, len(reopenAfter)-1)])
	sl.fails++
	p.mu.Unlock()
	p.s.log.Warn("an account cannot be connected", "account", k.id, "error", err)
}

// sweep closes the connections that nobody uses.
func (p *pool) sweep() {
	now := p.s.db.Now()
	p.mu.Lock()
	var idle []*slot
	for _, sl := range p.slots {
		if sl.conn != nil && !sl.hears && now.Sub(sl.used) >= idleFor {
			idle = append(idle, sl)
		}
	}
	p.mu.Unlock()
	for _, sl := range idle {
		select {
		case sl.turn <- struct{}{}:
		default:
			continue // somebody is opening it
		}
		p.mu.Lock()
		stays := sl.hears || p.s.db.Now().Sub(sl.used) < idleFor // it was used meanwhile
		p.mu.Unlock()
		if !stays {
			p.shut(sl)
		}
		<-sl.turn
	}
}
