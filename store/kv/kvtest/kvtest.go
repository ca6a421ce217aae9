// Package kvtest holds what tests of engines share: a wrapper that runs every
// closure twice, as an engine across a network may, and the conformance test that
// every engine must pass.
package kvtest

import (
	"context"
	"errors"

	"svc/store/kv"
)

// errAgain throws the first run of a closure away.
var errAgain = errors.New("kvtest: run again")

// Twice is an engine that runs each closure twice. The first run of an update is
// thrown away, so a closure with a side effect outside its transaction shows.
type Twice struct{ kv.Engine }

// View implements kv.Engine.
func (e Twice) View(ctx context.Context, fn func(kv.Tx) error) error {
	if err := e.Engine.View(ctx, fn); err != nil {
		return err
	}
	return e.Engine.View(ctx, fn)
}

// Update implements kv.Engine.
func (e Twice) Update(ctx context.Context, fn func(kv.Tx) error) error {
	err := e.Engine.Update(ctx, func(tx kv.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errAgain
	})
	if !errors.Is(err, errAgain) {
		return err
	}
	return e.Engine.Update(ctx, fn)
}

// Shared is an engine that several stores have open at a time, as several processes
// have one across a network: closing a store leaves the engine open, and none of them
// is alone. Close the engine below when all are done.
type Shared struct{ kv.Engine }

// Exclusive implements kv.Engine.
func (Shared) Exclusive() bool { return false }

// Close implements kv.Engine: it does nothing.
func (Shared) Close() error { return nil }
