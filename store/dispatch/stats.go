package dispatch

import (
	"math"
	"strings"
	"time"

	"svc/store"
	"svc/store/coord"
)

// setting is what an administrator decided about a queue. It is made when a queue is
// paused first, and stays.
type setting struct {
	Name   string `json:"name"`
	Paused bool   `json:"paused"`
}

var settings = store.NewTable("queue", "", func(s *setting) string { return s.Name }).Global()

// hour is what happened in a queue on one node in one hour, so that nodes do not write
// one record together. It is forgotten after a day, when a new one is made.
type hour struct {
	ID        string `json:"id"` // queue, hour and node
	Processed int    `json:"processed"`
	Failed    int    `json:"failed"`
	// Took counts work by how long after its due time it was done: place i is up to
	// 2^(i/2) milliseconds.
	Took []int `json:"took,omitempty"`
}

var hours = store.NewTable("queue_hour", "", func(h *hour) string { return h.ID }).Global()

// Tables are what a store with queues is opened with, beside the tables whose records
// have slots and those of package coord.
func Tables() []store.AnyTable { return []store.AnyTable{settings, hours} }

// PauseTopic is told when a queue is paused or goes on.
const PauseTopic = "queue pauses"

// Pause keeps a queue from claiming work on any node, or lets it go on. Work under way
// ends and is settled.
func Pause(tx *store.Tx, queue string, on bool) error {
	tx.Notify(PauseTopic)
	return settings.Put(tx, store.Platform, &setting{queue, on})
}

// Paused says whether a queue is paused.
func Paused(tx *store.Tx, queue string) (bool, error) {
	s, err := settings.Get(tx, store.Platform, queue)
	return s.Paused, store.IgnoreNotFound(err)
}

const (
	hourForm  = "2006-01-02T15"
	day       = 24 // hours that are added up, beside the one under way
	tookSteps = 64 // 2^32 ms is 50 days
	// hoursAtATime bounds the records that one cleaning removes.
	hoursAtATime = 500
)

func hourID(queue, node string, at time.Time) string {
	id := queue + " " + at.UTC().Format(hourForm)
	if node != "" {
		id += " " + node
	}
	return id
}

// Counted notes in the figures of a queue how long after its due time each piece of work
// was done, and how many tries failed. It writes one record: call it once a transaction.
func Counted(tx *store.Tx, queue string, took []time.Duration, failed int) error {
	return count(tx, queue, coord.Of(tx.DB()).Current(), tx.DB().Now(), took, failed)
}

func count(tx *store.Tx, queue, node string, at time.Time, took []time.Duration, failed int) error {
	if len(took) == 0 && failed == 0 {
		return nil
	}
	h, err := hours.Get(tx, store.Platform, hourID(queue, node, at))
	if store.IsNotFound(err) {
		h, err = hour{ID: hourID(queue, node, at)}, forgetHours(tx, queue, at)
	}
	if err != nil {
		return err
	}
	h.Failed += failed
	for _, t := range took {
		h.done(t)
	}
	return hours.Put(tx, store.Platform, &h)
}

// forgetHours deletes the hours of a queue before the last day.
func forgetHours(tx *store.Tx, queue string, at time.Time) error {
	first := queue + " "
	old, _, err := hours.Walk(tx, store.Platform, store.Cursor(first), hoursAtATime)
	if err != nil {
		return err
	}
	oldest := hourID(queue, "", at.Add(-day*time.Hour))
	for _, h := range old {
		if h.ID >= oldest || len(h.ID) < len(oldest) || h.ID[:len(first)] != first {
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

// Figures are what happened in a queue on all nodes in the last 24 hours and the one under
// way.
type Figures struct {
	Processed  int
	Failed     int           // tries
	LatencyP95 time.Duration // from due to done, to a factor of 1.4
}

// FiguresOf adds up the figures of a queue.
func FiguresOf(tx *store.Tx, queue string) (f Figures, err error) {
	now := tx.DB().Now()
	first, last := queue+" ", hourID(queue, "~", now)
	var took [tookSteps]int
	for h, err := range hours.Each(tx, store.Platform, hourID(queue, "~", now.Add(-(day+1)*time.Hour))) {
		if err != nil {
			return f, err
		}
		if !strings.HasPrefix(h.ID, first) || h.ID > last {
			break
		}
		f.Processed += h.Processed
		f.Failed += h.Failed
		for i, n := range h.Took {
			took[min(i, tookSteps-1)] += n
		}
	}
	f.LatencyP95 = percentile(took, f.Processed)
	return f, nil
}

func percentile(took [tookSteps]int, all int) time.Duration {
	seen := 0
	for i, n := range took {
		if seen += n; n > 0 && 100*seen >= 95*all {
			return time.Duration(math.Pow(2, float64(i)/2) * float64(time.Millisecond))
		}
	}
	return 0
}

// Started says whether work of a queue was ever counted that is still remembered.
func Started(tx *store.Tx, queue string) (bool, error) {
	first := queue + " "
	last, _, err := hours.Walk(tx, store.Platform, store.Cursor(first), 1)
	return len(last) > 0 && len(last[0].ID) > len(first) && last[0].ID[:len(first)] == first, err
}

// Remembered is how many records the figures of all queues have.
func Remembered(tx *store.Tx) (int, error) { return hours.Count(tx, store.Platform) }
