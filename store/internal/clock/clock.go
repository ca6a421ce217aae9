// Package clock has the time that several nodes share.
//
// It promises that a time which one node stores means the same to the others, however the clocks
// of their machines are set. It refuses to correct what the delay of the answer may explain: the
// next look corrects that.
package clock

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"svc/store/kv"
)

// tolerance is by how much the clock of this machine may differ from that of the engine
// before it is corrected: less is the network's delay and the drift between two looks.
const tolerance = time.Second

// Clock is the clock of this machine, corrected to that of an engine.
type Clock struct {
	own        func() time.Time
	correction atomic.Int64 // what is added to own, in nanoseconds
}

// New is a clock that is not corrected yet; nil is time.Now.
func New(own func() time.Time) *Clock {
	if own == nil {
		own = time.Now
	}
	return &Clock{own: own}
}

// Now is the time.
func (c *Clock) Now() time.Time { return c.own().Add(time.Duration(c.correction.Load())) }

// Follow corrects the clock to that of the engine's machine, if the engine has one.
func (c *Clock) Follow(ctx context.Context, engine kv.Engine, log *slog.Logger) error {
	e, ok := engine.(kv.Clocked)
	if !ok {
		return nil
	}
	asked := time.Now()
	shared, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	// The answer was under way for as long as this, in one direction or the other.
	late := time.Since(asked)
	own := c.own()
	ahead := own.Add(time.Duration(c.correction.Load())).Sub(shared)
	if ahead.Abs() <= tolerance+late {
		return nil
	}
	c.correction.Store(int64(shared.Sub(own)))
	log.Warn("the clock of this machine differs from that of the database, which is used in its place; set the clock of this machine", "ahead", own.Sub(shared).Round(time.Millisecond).String())
	return nil
}
