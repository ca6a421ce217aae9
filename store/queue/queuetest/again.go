package queuetest

import (
	"context"
	"sync/atomic"
	"testing"

	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// Again fails the test unless a job that is asked for while one like it runs is done after that
// one: what it reads may have changed since the first one read it.
func Again[A queue.Args](tb testing.TB, ask func(*store.Tx) error, tables ...store.AnyTable) {
	tb.Helper()
	db := storetest.Open(tb, append(queue.Tables(), tables...)...)
	w := queue.New(db, queue.Options{})
	var ran atomic.Int32
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ A) error {
		if ran.Add(1) > 1 {
			return nil
		}
		return db.Update(ctx, ask)
	})
	storetest.Update(tb, db, ask)
	storetest.Run(tb, w.Run)
	storetest.Eventually(tb, "what was asked for while the job ran is never done", func() bool { return ran.Load() == 2 })
}
