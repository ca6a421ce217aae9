package queue

import (
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// Stats is what an administrator sees of a queue (contract 17).
type Stats struct {
	Name          Name
	Paused        bool
	Counts        map[State]int
	Processed     int           // in the last 24 hours and the one under way, on all nodes
	Failed        int           // tries, likewise
	OldestPending time.Duration // how long the job that is due longest has waited
	LatencyP95    time.Duration // from due to done, to a factor of 1.4
}

// StatsOf reads the figures of a queue.
func StatsOf(tx *store.Tx, q Name) (s Stats, err error) {
	now := tx.DB().Now()
	s = Stats{Name: q, Counts: map[State]int{}}
	if s.Paused, err = dispatch.Paused(tx, string(q)); err != nil {
		return s, err
	}
	for _, state := range States() {
		if s.Counts[state], err = counts.Count(tx, store.Platform, countName(q, state)); err != nil {
			return s, err
		}
	}
	due, ok, err := work.Oldest(tx, string(q), now)
	if err != nil {
		return s, err
	}
	if ok {
		s.OldestPending = now.Sub(due)
	}
	f, err := dispatch.FiguresOf(tx, string(q))
	s.Processed, s.Failed, s.LatencyP95 = f.Processed, f.Failed, f.LatencyP95
	return s, err
}
