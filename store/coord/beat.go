package coord

import (
	"context"
	"errors"
	"time"

	"svc/store"
)

// run beats until the session ends, and ends other nodes that do not. begin is when the
// record of the session was about to be written.
func (s *Session) run(begin time.Time) {
	// A node that cannot beat ends itself before others do.
	last := s.o.TTL * 3 / 4
	watch := time.AfterFunc(last-time.Since(begin), s.end)
	defer watch.Stop()
	tick := time.NewTicker(s.o.Beat)
	defer tick.Stop()
	seen := sightings{}
	for n := 1; ; n++ {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		if n%clockLook == 0 {
			if err := s.n.db.FollowClock(s.ctx); err != nil && s.ctx.Err() == nil {
				s.o.Log.Warn("the clock that the nodes share cannot be asked", "error", err)
			}
		}
		begin := time.Now()
		others, err := s.beat()
		switch {
		case errors.Is(err, errEnded):
			s.o.Log.Error("this node was taken for dead: it stops what it does and begins anew", "node", s.id)
			s.end()
			return
		case err != nil:
			if s.ctx.Err() == nil {
				s.o.Log.Error("a node cannot say that it is alive", "node", s.id, "error", err)
			}
			continue
		}
		watch.Reset(last - time.Since(begin))
		for _, silent := range seen.silent(others, time.Now(), s.o.TTL) {
			s.endOther(silent)
		}
	}
}

// clockLook is after how many beats the clock is corrected again.
const clockLook = 15

// errEnded says that the record of a session is gone.
var errEnded = errors.New("the node ended")

// beat raises the number of the session and reads those of the others.
func (s *Session) beat() (others []Info, err error) {
	err = s.n.db.Update(s.ctx, func(tx *store.Tx) error {
		_, err := nodes.Edit(tx, store.Platform, s.id, func(n *Info) error {
			n.Beat++
			n.SeenAt = tx.DB().Now()
			return nil
		})
		if store.IsNotFound(err) {
			return errEnded
		}
		if err != nil {
			return err
		}
		others, err = Nodes(tx)
		return err
	})
	return others, err
}

// sighting is the beat of another node, and when it was seen first, by the time of this
// process that nobody sets.
type sighting struct {
	beat  uint64
	since time.Time
}

type sightings map[string]sighting

// silent gives the nodes whose beat has been the same for ttl.
func (s sightings) silent(now []Info, at time.Time, ttl time.Duration) (out []Info) {
	here := map[string]bool{}
	for _, n := range now {
		here[n.ID] = true
		if was, known := s[n.ID]; !known || was.beat != n.Beat {
			s[n.ID] = sighting{n.Beat, at}
		} else if at.Sub(was.since) >= ttl {
			out = append(out, n)
		}
	}
	for id := range s {
		if !here[id] {
			delete(s, id)
		}
	}
	return out
}

// endOther ends a node that was silent, unless it beat meanwhile.
func (s *Session) endOther(n Info) {
	ended := false
	err := s.n.db.Update(s.ctx, func(tx *store.Tx) error {
		ended = false
		now, err := nodes.Get(tx, store.Platform, n.ID)
		if err != nil || now.Beat != n.Beat {
			return store.IgnoreNotFound(err)
		}
		// Who judges is alive itself: else two halves of a broken network end each other.
		if here, err := Alive(tx, s.id); err != nil || !here {
			return err
		}
		ended = true
		return remove(tx, n.ID)
	})
	switch {
	case err != nil && !errors.Is(err, context.Canceled):
		s.o.Log.Error("a node that is silent cannot be ended", "node", n.ID, "error", err)
	case ended:
		s.o.Log.Warn("a node gave no sign of life and was ended; its work goes to others", "node", n.ID, "name", n.Name)
	}
}
