package channel

import (
	"context"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/video"
	"svc/store"
)

// QuotaLimit is what the video network lets an application spend in a day, in units; under
// QuotaReserve left work in the background waits for the next one (contract 15.14).
const (
	QuotaLimit   = 10_000
	QuotaReserve = 500
)

// quota is what this installation spent of the video network's units in a day.
type quota struct {
	ID   string `json:"id"` // the day, Pacific
	Used int    `json:"used"`
}

var quotas = store.NewTable("channel_quota", "", func(q *quota) string { return q.ID }).Global()

// Quota is what was spent today, and when the next day begins.
type Quota struct {
	Used  int
	Reset time.Time
}

// Low says that work in the background waits.
func (q *Quota) Low() bool { return QuotaLimit-q.Used < QuotaReserve }

// QuotaNow reads what was spent today.
func QuotaNow(tx *store.Tx) (Quota, error) {
	now := tx.DB().Now()
	q, err := quotas.Get(tx, store.Platform, video.Day(now))
	return Quota{min(q.Used, QuotaLimit), video.Reset(now)}, store.IgnoreNotFound(err)
}

// spend counts units before they are spent, so that a process that dies spent none unseen.
func (s *Service) spend() func(context.Context, int) error {
	return func(ctx context.Context, units int) error {
		return s.db.Update(ctx, func(tx *store.Tx) error { return Spend(tx, units) })
	}
}

// Spend counts units of today. Where not so many are left it is a [platform.Error], Limited until
// the next day.
func Spend(tx *store.Tx, units int) error {
	now := tx.DB().Now()
	q, err := quotas.Get(tx, store.Platform, video.Day(now))
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	if q.ID = video.Day(now); q.Used+units > QuotaLimit {
		return &platform.Error{Fault: platform.Limited, Reason: "quotaExceeded", Wait: video.Reset(now).Sub(now), Text: "nothing is left of today's units"}
	}
	q.Used += units
	return quotas.Put(tx, store.Platform, &q)
}

// noteSpent keeps that the network says that nothing is left, whoever spent it.
func (s *Service) noteSpent(ctx context.Context) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		return quotas.Put(tx, store.Platform, &quota{ID: video.Day(tx.DB().Now()), Used: QuotaLimit})
	})
}

// forgetQuotas removes the days before the last month.
func forgetQuotas(tx *store.Tx, limit int) (n int, err error) {
	old := video.Day(tx.DB().Now().AddDate(0, -1, 0))
	list, _, err := quotas.Walk(tx, store.Platform, nil, limit)
	for i := range list {
		if list[i].ID >= old {
			break
		}
		n++
		if err := quotas.Delete(tx, store.Platform, list[i].ID); err != nil {
			return n, err
		}
	}
	return n, err
}

// quotaWait is how long a check of an account waits for units: it is left to the next one.
func (s *Service) quotaWait(ctx context.Context, a *Account) (wait time.Duration, err error) {
	if a.Platform != platform.Video {
		return 0, nil
	}
	err = s.db.View(ctx, func(tx *store.Tx) error {
		q, err := QuotaNow(tx)
		if q.Used >= QuotaLimit {
			wait = q.Reset.Sub(tx.DB().Now())
		}
		return err
	})
	return wait, err
}
