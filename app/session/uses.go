package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"svc/app/session/apikey"
	"svc/store"
)

// flushEvery is how often it is written down when keys and sessions were used last.
const flushEvery = time.Minute

// use names a key or a session.
type use struct {
	key bool
	org string // of the key
	id  string
}

type usedAt struct {
	at time.Time
	ip string
}

// uses remembers when keys and sessions were used last until it is written down,
// so that a check writes nothing. It holds only what was good, so it has no more
// entries than there are keys and sessions.
type uses struct {
	mu   sync.Mutex
	last map[use]usedAt
}

func (u *uses) note(what use, at time.Time, ip string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[use]usedAt{}
	}
	u.last[what] = usedAt{at, ip}
}

// keep takes back what could not be written, unless it was used again.
func (u *uses) keep(all map[use]usedAt) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[use]usedAt{}
	}
	for what, at := range all {
		if _, newer := u.last[what]; !newer {
			u.last[what] = at
		}
	}
}

// LastUse is a use of a key that is not written down yet, if there is one.
func (s *Service) LastUse(org, id string) (at time.Time, ip string, used bool) {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	last, used := s.uses.last[use{true, org, id}]
	return last.at, last.ip, used
}

func (u *uses) take() map[use]usedAt {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := u.last
	u.last = nil
	return out
}

// Run writes down once a minute when keys and sessions were used last, until the
// context ends, and then what is left. A killed program loses up to a minute of it.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := s.flush(ctx); err != nil && ctx.Err() == nil {
				s.options.Log.Warn("the last uses of keys and sessions could not be written; trying again in a minute", "error", err)
			}
		case <-ctx.Done():
			return s.flush(context.WithoutCancel(ctx))
		}
	}
}

// flushChunk bounds the records of one transaction.
const flushChunk = 500

func (s *Service) flush(ctx context.Context) error {
	all := s.uses.take()
	for len(all) > 0 {
		chunk := map[use]usedAt{}
		for what, at := range all {
			if len(chunk) == flushChunk {
				break
			}
			chunk[what] = at
			delete(all, what)
		}
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			for what, at := range chunk {
				if err := write(tx, what, at); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			s.uses.keep(chunk)
			s.uses.keep(all)
			return err
		}
	}
	return nil
}

// write notes one use; what ended meanwhile is store.ErrNotFound.
func write(tx *store.Tx, what use, last usedAt) error {
	if what.key {
		return apikey.Used(tx, what.org, what.id, last.at, last.ip)
	}
	_, err := sessions.Edit(tx, store.Platform, what.id, func(s *Session) error {
		s.LastUsedAt, s.LastUsedIP = last.at, last.ip
		return nil
	})
	return err
}
