package store

import (
	"context"
	"time"

	"svc/store/kv"
)

// clockTolerance is by how much the clock of this machine may differ from that of the engine
// before it is corrected: less is the network's delay and the drift between two looks.
const clockTolerance = time.Second

// FollowClock corrects Now to the clock of the engine's machine, where several nodes share
// one (kv.Clocked): a time that one node stores means the same to the others, however their
// own clocks are set. Open calls it, and package coord at intervals. Without such an engine
// it does nothing.
func (db *DB) FollowClock(ctx context.Context) error {
	e, ok := db.engine.(kv.Clocked)
	if !ok {
		return nil
	}
	shared, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	own := db.clock()
	ahead := own.Add(time.Duration(db.correction.Load())).Sub(shared)
	if ahead.Abs() <= clockTolerance {
		return nil
	}
	db.correction.Store(int64(shared.Sub(own)))
	db.log.Warn("the clock of this machine differs from that of the database, which is used in its place; set the clock of this machine", "ahead", own.Sub(shared).Round(time.Millisecond).String())
	return nil
}

// corrected is the clock of this machine, corrected.
func (db *DB) corrected() time.Time { return db.clock().Add(time.Duration(db.correction.Load())) }
