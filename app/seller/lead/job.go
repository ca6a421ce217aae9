package lead

import (
	"context"
	"maps"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/inbox/conversation"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// stages is the job that moves what is in stages of a funnel that are gone.
type stages struct {
	Org      string            `json:"org"`
	Business string            `json:"business"`
	Funnel   string            `json:"funnel"`
	Moved    map[string]string `json:"moved"`
}

// Kind implements queue.Args.
func (stages) Kind() string { return "seller.stages" }

// Queue implements queue.Args.
func (stages) Queue() queue.Name { return queue.Maintenance }

// clear is the job that removes the leads of a business that was deleted.
type clear struct {
	Org      string `json:"org"`
	Business string `json:"business"`
}

// Kind implements queue.Args.
func (clear) Kind() string { return "seller.clear" }

// Queue implements queue.Args.
func (clear) Queue() queue.Name { return queue.Maintenance }

// Subscribe subscribes to what happens to businesses.
func Subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, x business.StagesReplaced) error {
		// One after the other: a stage that is gone may have been the place of another.
		_, err := queue.Add(tx, stages{x.Org, x.Business, x.Funnel, x.Moved}, time.Time{}, queue.For(x.Org, x.Funnel), queue.InLane(x.Funnel))
		return err
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x business.Deleted) error {
		_, err := queue.Add(tx, clear{x.Org, x.Business}, time.Time{}, queue.For(x.Org, x.Business))
		return err
	})
}

// Work registers the jobs.
func Work(db *store.DB, w *queue.Workers) {
	queue.Register(w, func(ctx context.Context, j queue.Job, a stages) error {
		return repeat(ctx, db, j, a.step)
	})
	queue.Register(w, func(ctx context.Context, j queue.Job, a clear) error {
		return repeat(ctx, db, j, a.step)
	})
}

// atOnce is how many records one transaction of a job changes.
const atOnce = 100

// repeat does the steps of a job until nothing is left.
func repeat(ctx context.Context, db *store.DB, j queue.Job, step func(*store.Tx) (more bool, err error)) error {
	for more := true; more; {
		err := db.Update(ctx, func(tx *store.Tx) (err error) {
			if more, err = step(tx); err == nil && !more {
				err = queue.Finish(tx, j)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// step moves some of what is in stages that are gone. A stage that is there again stays.
func (a *stages) step(tx *store.Tx) (more bool, err error) {
	f, err := business.FunnelOf(tx, a.Org, a.Business, a.Funnel)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	gone := slices.Sorted(maps.Keys(a.Moved))
	gone = slices.DeleteFunc(gone, func(key string) bool {
		_, _, there := f.Stage(key)
		return there
	})
	page, err := leads.Page(tx, a.Org, store.Query[Lead]{Where: []store.Cond[Lead]{funnelFacet.Any(a.Funnel), stageFacet.Any(gone...)}, Limit: atOnce})
	if err != nil {
		return false, err
	}
	for i := range page.Data {
		if err := a.moveLead(tx, &page.Data[i]); err != nil {
			return false, err
		}
	}
	if len(page.Data) == atOnce {
		return true, nil
	}
	used, err := business.FunnelInUse(tx, a.Org, a.Business)
	if err != nil || used.ID != a.Funnel {
		return false, store.IgnoreNotFound(err)
	}
	accounts, err := business.AccountsOf(tx, a.Org, a.Business)
	if err != nil {
		return false, err
	}
	list, err := conversation.InStage(tx, a.Org, accounts, gone, atOnce)
	for i := range list {
		if err == nil {
			err = move(tx, a.Org, &list[i], a.Moved[list[i].Stage], list[i].LeadQuality, BySystem, nil)
		}
	}
	return len(list) == atOnce, err
}

func (a *stages) moveLead(tx *store.Tx, was *Lead) error {
	l := *was
	l.Stage, l.UpdatedAt = a.Moved[was.Stage], tx.DB().Now()
	if err := put(tx, a.Org, was, &l); err != nil {
		return err
	}
	k, err := conversation.Get(tx, a.Org, l.Conversation)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if k.Stage != was.Stage {
		return nil
	}
	return move(tx, a.Org, &k, l.Stage, k.LeadQuality, BySystem, &l)
}

// step removes some leads of a business that is gone.
func (a *clear) step(tx *store.Tx) (more bool, err error) {
	page, err := leads.Page(tx, a.Org, store.Query[Lead]{Where: []store.Cond[Lead]{businessFacet.Any(a.Business)}, Limit: atOnce})
	if err != nil {
		return false, err
	}
	for i := range page.Data {
		l := &page.Data[i]
		if err := put(tx, a.Org, l, nil); err != nil {
			return false, err
		}
		if err := unset(tx, a.Org, l.Conversation); err != nil {
			return false, err
		}
	}
	return len(page.Data) == atOnce, nil
}
