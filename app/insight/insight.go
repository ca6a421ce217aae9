// Package insight says what conversations were about: its parts put together.
//
//	dimension  what conversations are classified by and measured in
//	cases      the cases of each dimension, written by people or found by grouping
//	sums       what boards add up, by day, business and channel
//	analysis   the analysis of each conversation
//	board      boards over the sums
//	story      prose about boards, proven against them
//	backfill   analyses of conversations of the past
//
// It promises that what belongs to a business that was deleted goes with it.
package insight

import (
	"context"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/insight/analysis"
	"svc/app/insight/backfill"
	"svc/app/insight/cases"
	"svc/app/insight/story"
	"svc/app/insight/sums"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Tables are what a store that holds insights is opened with. It holds the inbox, businesses,
// the engine and the seller too.
func Tables() []store.AnyTable {
	return slices.Concat(cases.Tables(), sums.Conversations.Tables(), analysis.Tables(), story.Tables(), backfill.Tables())
}

// forgetting is the job that removes what belongs to a business that is gone.
type forgetting struct {
	Org      string `json:"org"`
	Business string `json:"business"`
}

// Kind implements queue.Args.
func (forgetting) Kind() string { return "insight.forget" }

// Queue implements queue.Args.
func (forgetting) Queue() queue.Name { return queue.Maintenance }

// forgottenAtOnce is how many records one transaction removes.
const forgottenAtOnce = 200

func subscribe(b *signal.Bus) {
	analysis.Subscribe(b)
	backfill.Subscribe(b)
	signal.On(b, func(tx *store.Tx, _ *api.Call, d business.Deleted) error {
		_, err := queue.Add(tx, forgetting{d.Org, d.Business}, time.Time{}, queue.Once(d.Business), queue.For(d.Org, d.Business))
		return err
	})
}

// forget works on the job.
func forget(db *store.DB) func(context.Context, queue.Job, forgetting) error {
	return func(ctx context.Context, _ queue.Job, a forgetting) error {
		for _, part := range []func(*store.Tx, string, string, int) (int, error){analysis.ForgetBusiness, cases.ForgetBusiness, story.ForgetBusiness} {
			for more := true; more; {
				err := db.Update(ctx, func(tx *store.Tx) error {
					n, err := part(tx, a.Org, a.Business, forgottenAtOnce)
					more = n == forgottenAtOnce
					return err
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
}
