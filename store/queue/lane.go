package queue

import (
	"errors"

	"svc/store"
)

// A lane is the jobs of a queue that share a key. While one of them runs, the
// others wait; while none does, the one due first is the lane's front, and only a
// front is among the jobs that may run. So a long lane costs those behind it
// nothing.
var (
	lanes = jobs.Multi("lane", func(j *Job) []store.Key {
		if j.Lane == "" || !j.State.waits() {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(string(j.Queue)), store.Text(j.Lane), store.Time(j.At))}
	})
	fronts  = jobs.Unique("front", func(j *Job) store.Key { return laneKey(j.Queue, j.Lane, j.Front && j.State.waits()) })
	running = jobs.Unique("running", func(j *Job) store.Key { return laneKey(j.Queue, j.Lane, j.State == Active) })
)

// laneKey is nil for a job without a lane, and where the condition does not hold.
func laneKey(q Name, lane string, on bool) store.Key {
	if lane == "" || !on {
		return nil
	}
	return store.Tuple(store.Text(string(q)), store.Text(lane))
}

// settleLane makes the right job the front of a lane, after any of its jobs changed.
func settleLane(tx *store.Tx, q Name, lane string) error {
	if lane == "" {
		return nil
	}
	key := laneKey(q, lane, true)
	front, err := fronts.Find(tx, store.Platform, key)
	if err != nil && !isNotFound(err) {
		return err
	}
	var next Job
	_, err = running.ID(tx, store.Platform, key)
	if isNotFound(err) {
		next, err = lanes.First(tx, store.Platform, store.Is(key))
	}
	if err != nil && !isNotFound(err) {
		return err
	}
	if front.ID == next.ID {
		return nil
	}
	// The old front first: a lane has one at most.
	return errors.Join(setFront(tx, front, false), setFront(tx, next, true))
}

func setFront(tx *store.Tx, j Job, on bool) error {
	if j.ID == "" {
		return nil
	}
	j.Front = on
	j.plan()
	changed(tx, &j)
	return jobs.Put(tx, store.Platform, &j)
}

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }
