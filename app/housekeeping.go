package app

import (
	"context"
	"time"

	"svc/app/api/replay"
	"svc/app/event"
	"svc/app/hook"
	"svc/app/mail"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/send"
	"svc/store"
	"svc/store/queue"
)

// housekeeping is the hourly job that removes what is kept for a time only.
type housekeeping struct{}

// Kind implements queue.Args.
func (housekeeping) Kind() string { return "housekeeping" }

// Queue implements queue.Args.
func (housekeeping) Queue() queue.Name { return queue.Maintenance }

const (
	housekeepingEvery = time.Hour
	purgeChunk        = 200
)

// housekeep removes what is too old. The job goes on for ever.
func (a *App) housekeep(ctx context.Context, _ queue.Job, _ housekeeping) error {
	if err := a.purge(ctx, replay.Purge); err != nil {
		return err
	}
	if err := a.purge(ctx, mail.Purge); err != nil {
		return err
	}
	if err := eachOrg(ctx, a.DB, func(id string) error { return a.tend(ctx, id) }); err != nil {
		return err
	}
	return queue.Snooze(housekeepingEvery)
}

// purge repeats a removal until nothing is left to remove.
func (a *App) purge(ctx context.Context, remove func(*store.Tx, int) (int, error)) error {
	for n := purgeChunk; n == purgeChunk; {
		err := a.DB.Update(ctx, func(tx *store.Tx) (err error) {
			n, err = remove(tx, purgeChunk)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tend does what one organization needs by the hour.
func (a *App) tend(ctx context.Context, id string) error {
	if err := a.DB.Update(ctx, func(tx *store.Tx) error { return a.orgs.WarnNearLimits(tx, id) }); err != nil {
		return err
	}
	err := a.purge(ctx, func(tx *store.Tx, limit int) (int, error) { return notify.Purge(tx, id, limit) })
	if err != nil {
		return err
	}
	err = a.purge(ctx, func(tx *store.Tx, limit int) (int, error) { return hook.Purge(tx, id, limit) })
	if err != nil {
		return err
	}
	err = a.purge(ctx, func(tx *store.Tx, limit int) (int, error) { return send.Purge(tx, id, limit) })
	if err != nil {
		return err
	}
	return a.purge(ctx, func(tx *store.Tx, limit int) (int, error) {
		o, err := org.Get(tx, id)
		if err != nil {
			return 0, err
		}
		return event.Purge(tx, id, tx.DB().Now().AddDate(0, 0, -o.EventsDays()), limit)
	})
}
