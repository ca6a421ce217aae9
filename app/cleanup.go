package app

import (
	"context"
	"time"

	"svc/app/module"
	"svc/store"
	"svc/store/queue"
)

// cleanup is the hourly job that removes what slices keep for a time only.
type cleanup struct{}

// Kind implements queue.Args. The name on disk is older than that of the type.
func (cleanup) Kind() string { return "housekeeping" }

// Queue implements queue.Args.
func (cleanup) Queue() queue.Name { return queue.Maintenance }

const (
	cleanupEvery = time.Hour
	cleanupChunk = 200 // records a transaction
)

// clean runs every cleanup of every slice. The job comes back every hour.
func (a *App) clean(ctx context.Context, _ queue.Job, _ cleanup) error {
	if err := a.cleanEach(ctx, func(c module.Cleanup) bool { return !c.AtStart && c.Platform != nil }); err != nil {
		return err
	}
	err := eachOrg(ctx, a.DB, func(id string) error {
		return a.eachCleanup(func(c module.Cleanup) error {
			if c.EachOrg == nil {
				return nil
			}
			return a.removeAll(ctx, func(tx *store.Tx, limit int) (int, error) { return c.EachOrg(tx, id, limit) })
		})
	})
	if err != nil {
		return err
	}
	return queue.Snooze(cleanupEvery)
}

// cleanAtStart runs the cleanups that belong to opening the service.
func (a *App) cleanAtStart(ctx context.Context) error {
	return a.cleanEach(ctx, func(c module.Cleanup) bool { return c.AtStart })
}

// cleanEach runs the platform's cleanups that are chosen.
func (a *App) cleanEach(ctx context.Context, chosen func(module.Cleanup) bool) error {
	return a.eachCleanup(func(c module.Cleanup) error {
		if !chosen(c) {
			return nil
		}
		return a.removeAll(ctx, c.Platform)
	})
}

func (a *App) eachCleanup(do func(module.Cleanup) error) error {
	for _, m := range a.modules {
		for _, c := range m.Cleanup {
			if err := do(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeAll repeats a removal until nothing is left to remove.
func (a *App) removeAll(ctx context.Context, remove func(*store.Tx, int) (int, error)) error {
	for n := cleanupChunk; n == cleanupChunk; {
		err := a.DB.Update(ctx, func(tx *store.Tx) (err error) {
			n, err = remove(tx, cleanupChunk)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
