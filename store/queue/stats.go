package queue

import (
	"math"
	"time"

	"svc/store"
)

// setting is what an administrator decided about a queue.
type setting struct {
	Name   Name `json:"name"`
	Paused bool `json:"paused"`
}

var settings = store.NewTable("queue", "", func(s *setting) string { return string(s.Name) }).Global()

// hour is what happened in a queue in one hour.
type hour struct {
	ID        string `json:"id"`
	Processed int    `json:"processed"`
	Failed    int    `json:"failed"`
	// Took counts jobs by how long after their due time they were done: place i is
	// up to 2^(i/2) milliseconds.
	Took []int `json:"took,omitempty"`
}

var hours = store.NewTable("queue_hour", "", func(h *hour) string { return h.ID }).Global()

const (
	hourForm  = "2006-01-02T15"
	day       = 24 // hours that are added up, beside the one under way
	tookSteps = 64 // 2^32 ms is 50 days
)

func hourID(q Name, at time.Time) string { return string(q) + " " + at.UTC().Format(hourForm) }

// countHour changes the hour's record, and forgets one that is too old when a new
// hour begins.
func countHour(tx *store.Tx, q Name, at time.Time, change func(*hour)) error {
	h, err := hours.Get(tx, store.Platform, hourID(q, at))
	if isNotFound(err) {
		h, err = hour{ID: hourID(q, at)}, forgetHours(tx, q, at)
	}
	if err != nil {
		return err
	}
	change(&h)
	return hours.Put(tx, store.Platform, &h)
}

// forgetHours deletes a queue's hours before the last day. There are few: one is
// made an hour.
func forgetHours(tx *store.Tx, q Name, at time.Time) error {
	first := store.Cursor(string(q) + " ")
	old, _, err := hours.Walk(tx, store.Platform, first, day+8)
	if err != nil {
		return err
	}
	oldest := hourID(q, at.Add(-day*time.Hour))
	for _, h := range old {
		if h.ID >= oldest || len(h.ID) != len(oldest) || h.ID[:len(first)] != string(first) {
			break
		}
		if err := hours.Delete(tx, store.Platform, h.ID); err != nil {
			return err
		}
	}
	return nil
}

func (h *hour) done(took time.Duration) {
	h.Processed++
	step := 0
	if ms := float64(took) / float64(time.Millisecond); ms > 1 {
		step = min(int(math.Ceil(2*math.Log2(ms))), tookSteps-1)
	}
	for len(h.Took) <= step {
		h.Took = append(h.Took, 0)
	}
	h.Took[step]++
}

// Counted notes in the figures of a queue what a scheduler of its own did for it: how
// long after its due time each task was done, and how many tries failed. It writes one
// record: call it once a transaction.
func Counted(tx *store.Tx, q Name, took []time.Duration, failed int) error {
	if len(took) == 0 && failed == 0 {
		return nil
	}
	return countHour(tx, q, tx.DB().Now(), func(h *hour) {
		h.Failed += failed
		for _, t := range took {
			h.done(t)
		}
	})
}

// Stats is what an administrator sees of a queue (contract 17).
type Stats struct {
	Name          Name
	Paused        bool
	Counts        map[State]int
	Processed     int           // in the last 24 hours and the one under way
	Failed        int           // tries, likewise
	OldestPending time.Duration // how long the job that is due longest has waited
	LatencyP95    time.Duration // from due to done, to a factor of 1.4
}

// StatsOf reads the figures of a queue.
func StatsOf(tx *store.Tx, q Name) (s Stats, err error) {
	now := tx.DB().Now()
	s = Stats{Name: q, Counts: map[State]int{}}
	if s.Paused, err = paused(tx, q); err != nil {
		return s, err
	}
	for _, state := range States() {
		if s.Counts[state], err = counts.Count(tx, store.Platform, countName(q, state)); err != nil {
			return s, err
		}
	}
	first, err := due.First(tx, store.Platform, store.Is(queueKey(q)))
	if err == nil {
		s.OldestPending = max(0, now.Sub(first.At))
	} else if !isNotFound(err) {
		return s, err
	}
	return s, s.addHours(tx, now)
}

func queueKey(q Name) store.Key { return store.Tuple(store.Text(string(q))) }

func (s *Stats) addHours(tx *store.Tx, now time.Time) error {
	var ids []string
	for i := range day + 1 {
		ids = append(ids, hourID(s.Name, now.Add(time.Duration(-i)*time.Hour)))
	}
	found, err := hours.GetMany(tx, store.Platform, ids)
	if err != nil {
		return err
	}
	var took [tookSteps]int
	for _, h := range found {
		if h == nil {
			continue
		}
		s.Processed += h.Processed
		s.Failed += h.Failed
		for i, n := range h.Took {
			took[min(i, tookSteps-1)] += n
		}
	}
	seen := 0
	for i, n := range took {
		if seen += n; n > 0 && 100*seen >= 95*s.Processed {
			s.LatencyP95 = time.Duration(math.Pow(2, float64(i)/2) * float64(time.Millisecond))
			return nil
		}
	}
	return nil
}

func paused(tx *store.Tx, q Name) (bool, error) {
	s, err := settings.Get(tx, store.Platform, string(q))
	if isNotFound(err) {
		return false, nil
	}
	return s.Paused, err
}
