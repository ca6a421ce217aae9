package admin

import (
	"context"
	"sync"
	"time"

	"svc/app/org"
	"svc/store"
)

// figures are what all organizations sent and spent in a day.
type figures struct {
	sent int
	cost float64
}

// dayHolds is for how long the figures of a day hold: adding them up reads some of
// every organization.
const dayHolds = time.Minute

// days remembers the figures.
type days struct {
	mu   sync.Mutex
	at   time.Time
	last figures
}

// day is what all organizations sent and spent in the last 24 hours, to the minute.
func (s *Service) day(ctx context.Context) (figures, error) {
	s.days.mu.Lock()
	defer s.days.mu.Unlock()
	now := s.db.Now()
	if age := now.Sub(s.days.at); !s.days.at.IsZero() && age >= 0 && age < dayHolds {
		return s.days.last, nil
	}
	sum, err := s.addUp(ctx, now.Add(-24*time.Hour), now)
	if err == nil {
		s.days.at, s.days.last = now, sum
	}
	return sum, err
}

// orgChunk is how many organizations are read at a time.
const orgChunk = 200

func (s *Service) addUp(ctx context.Context, from, to time.Time) (sum figures, err error) {
	var after store.Cursor
	for more := true; more && err == nil; more = after != nil {
		var (
			next  store.Cursor
			chunk figures
		)
		err = s.db.View(ctx, func(tx *store.Tx) error {
			list, behind, err := org.Walk(tx, after, orgChunk)
			next, chunk = behind, figures{}
			for i := range list {
				if err != nil {
					break
				}
				var sent org.UsedMessages
				var spent org.UsedAI
				sent, spent, err = s.o.Orgs.Metered(tx, list[i].ID, from, to)
				chunk.sent += sent.Sent
				chunk.cost += spent.CostUSD
			}
			return err
		})
		sum.sent, sum.cost, after = sum.sent+chunk.sent, sum.cost+chunk.cost, next
	}
	return sum, err
}
