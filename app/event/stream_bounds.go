package event

import (
	"errors"
	"sync"

	"svc/app/api"
	"svc/store"
	"svc/store/coord"
)

// takeShared counts a stream where other nodes have streams of the same callers: each has
// one lease of as many as there may be.
func takeShared(c *api.Call, db *store.DB, bounds map[string]int) (release func(), ok bool, err error) {
	var leases []coord.Lease
	release = func() {
		for _, l := range leases {
			l.Unlock()
		}
	}
	for who, most := range bounds {
		s, err := coord.Of(db).Enter(c)
		if err != nil {
			release()
			return nil, false, err
		}
		l, err := s.TryAcquireOne(c, "stream/"+who+"/", most)
		if err != nil {
			s.Leave()
			release()
			if errors.Is(err, coord.ErrHeld) {
				return nil, false, nil
			}
			return nil, false, err
		}
		leases = append(leases, l)
	}
	return sync.OnceFunc(release), true, nil
}

// streams counts the open ones of this process.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

func (s *streams) take(bounds map[string]int) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for who, most := range bounds {
		if s.open[who] >= most {
			return nil, false
		}
	}
	if s.open == nil {
		s.open = map[string]int{}
	}
	for who := range bounds {
		s.open[who]++
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for who := range bounds {
			if s.open[who]--; s.open[who] == 0 {
				delete(s.open, who)
			}
		}
	}), true
}
