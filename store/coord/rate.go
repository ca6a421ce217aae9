package coord

import (
	"time"

	"svc/store"
)

// bucket is what is left of a rate that all nodes count together, as it is stored.
//
// The record is made when something is taken from a full bucket, and removed by ForgetFull
// once it is full again: that is as if it had never been.
type bucket struct {
	Key  string    `json:"key"`
	Left float64   `json:"left"`
	At   time.Time `json:"at"`   // when Left was so much
	Full time.Time `json:"full"` // when it is full again, if nothing is taken
}

var (
	buckets = store.NewTable("rate", "", func(b *bucket) string { return b.Key }).Global()
	full    = buckets.Index("full", func(b *bucket) store.Key { return store.Time(b.Full) })
)

// Take takes one from a bucket that holds burst at most and gets perMinute a minute, both
// above zero, and says how much is left; ok is false, and nothing is written, when less than
// one was left. Nodes whose clocks differ fill it by the clock that is ahead.
func Take(tx *store.Tx, key string, perMinute, burst int) (left float64, ok bool, err error) {
	now := tx.DB().Now()
	b, err := buckets.Get(tx, store.Platform, key)
	switch {
	case store.IsNotFound(err):
		b = bucket{Key: key, Left: float64(burst), At: now}
	case err != nil:
		return 0, false, err
	}
	perSecond := float64(perMinute) / 60
	if passed := now.Sub(b.At); passed > 0 {
		b.Left, b.At = min(float64(burst), b.Left+passed.Seconds()*perSecond), now
	} else if -passed > time.Minute { // the clock was set back
		b.At = now
	}
	if b.Left < 1 {
		return b.Left, false, nil
	}
	b.Left--
	b.Full = b.At.Add(time.Duration((float64(burst) - b.Left) / perSecond * float64(time.Second)))
	return b.Left, true, buckets.Put(tx, store.Platform, &b)
}

// ForgetFull removes up to limit buckets that are full, and says how many there were.
func ForgetFull(tx *store.Tx, limit int) (int, error) {
	list, _, err := full.Walk(tx, store.Platform, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now())), Limit: limit})
	for i := range list {
		if err == nil {
			err = buckets.Delete(tx, store.Platform, list[i].Key)
		}
	}
	return len(list), err
}
