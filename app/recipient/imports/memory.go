package imports

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"svc/app/api"
)

// What imports may cost together while they are read, and how long one waits for its
// turn (contract 21.3). A large one costs up to 60 MB and has the memory to
// itself; small ones share it.
const (
	importMemory     = 64 << 20 // bytes
	importBase       = 2 << 20  // of the smallest
	importPerByte    = 5        // for each byte of an upload
	importMemoryWait = 5 * time.Minute
)

// errNoMemory refuses an import that waited too long for others.
var errNoMemory = api.ErrTimeout.WithMessage("Other imports are being read; send the file again in a minute.").After(time.Minute)

// collectEvery is after how many chunks of rows of a large import garbage is collected.
const collectEvery = 4

// isLarge says whether an upload of that many bytes has the memory to itself.
func isLarge(bytes int) bool { return importBase+importPerByte*bytes > importMemory/2 }

// memoryGate lets uploads be read while there is memory for them, in the order in which
// they came.
type memoryGate struct {
	weights  *semaphore.Weighted
	patience time.Duration
}

func newMemoryGate() *memoryGate {
	return &memoryGate{semaphore.NewWeighted(importMemory), importMemoryWait}
}

// wait waits until an upload of that many bytes may be read; done gives its memory back.
// The error is errNoMemory when that took too long, or the context's.
func (g *memoryGate) wait(ctx context.Context, bytes int) (done func(), err error) {
	weight := min(int64(importBase+importPerByte*bytes), importMemory)
	patient, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	if err := g.weights.Acquire(patient, weight); err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = errNoMemory
		}
		return nil, err
	}
	if isLarge(bytes) {
		// What reading the bodies and the last import left behind is given back before
		// this one takes as much again: the collector lets garbage grow to twice of what is
		// in use (main, gcPercent), and that is a lot with ten bodies in memory.
		debug.FreeOSMemory()
	}
	return func() { g.weights.Release(weight) }, nil
}
