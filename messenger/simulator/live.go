package simulator

import (
	"sync"

	"svc/messenger/simulator/mtp"
	"svc/messenger/simulator/world"
)

// live are the sessions that are connected, by account.
type live struct {
	mu       sync.Mutex
	accounts map[int64]map[*mtp.Session]bool // whether it wants updates
	of       map[*mtp.Session]int64
	deliver  sync.Mutex
}

func (l *live) init() {
	l.accounts, l.of = map[int64]map[*mtp.Session]bool{}, map[*mtp.Session]int64{}
}

// here notes that a session belongs to an account, and whether it wants updates; once
// it does, it does.
func (l *live) here(s *mtp.Session, account int64, updates bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old, ok := l.of[s]; ok && old != account {
		l.leave(s, old)
	}
	l.of[s] = account
	all := l.accounts[account]
	if all == nil {
		all = map[*mtp.Session]bool{}
		l.accounts[account] = all
	}
	all[s] = all[s] || updates
}

func (l *live) leave(s *mtp.Session, account int64) {
	delete(l.of, s)
	all := l.accounts[account]
	delete(all, s)
	if len(all) == 0 {
		delete(l.accounts, account)
	}
}

func (l *live) gone(s *mtp.Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if account, ok := l.of[s]; ok {
		l.leave(s, account)
	}
}

func (l *live) count(account int64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.accounts[account])
}

// sessions of an account, with those only that want updates when asked for.
func (l *live) sessions(account int64, updates bool) (out []*mtp.Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s, wants := range l.accounts[account] {
		if wants || !updates {
			out = append(out, s)
		}
	}
	return out
}

// deliver tells clients what happened, in order, once it would survive a kill.
func (s *Simulator) deliver() {
	s.live.deliver.Lock()
	defer s.live.deliver.Unlock()
	events := s.world.Events()
	if len(events) == 0 {
		return
	}
	if err := s.world.Commit(); err != nil {
		s.o.Log.Error("the simulator cannot keep its state", "error", err)
		return
	}
	for _, e := range events {
		s.pushEvent(e)
	}
}

func (s *Simulator) pushEvent(e world.Event) {
	switch {
	case e.Kick:
		for _, ses := range s.live.sessions(e.Account, false) {
			ses.Close()
		}
		return
	case e.Lost:
		return
	}
	var to []*mtp.Session
	for _, ses := range s.live.sessions(e.Account, true) {
		if origin, ok := e.Origin.(*mtp.Session); !ok || origin != ses {
			to = append(to, ses)
		}
	}
	if len(to) == 0 {
		return
	}
	push := s.push(e.Account, e.Update)
	for _, ses := range to {
		if err := ses.Push(push); err != nil {
			s.live.gone(ses)
		}
	}
}
