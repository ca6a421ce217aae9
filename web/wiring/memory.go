package wiring

import (
	"context"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"svc/app/cli"
	"svc/app/cli/memory"
)

// gcPercent lets the heap become three times what is in use before it is collected,
// not twice as Go has it: imports and campaigns then spend a tenth less of the
// processor. What is in use of an idle server is small, so it stays far below its 70 MB.
const gcPercent = 200

// What is left to the process of the memory that there is: of a container, where little
// else runs, and of a machine, which others use too (contract 21.3, Memory).
const (
	ofContainer = 0.9
	ofMachine   = 0.75
)

// startTime is how long a server starts: what only its start needed is let go after it.
const startTime = 10 * time.Second

// afterStart gives back what only the start of the server needed. The error is nil: a
// server that takes more memory than it must goes on.
func afterStart(log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(startTime):
		case <-ctx.Done():
			return nil
		}
		debug.FreeOSMemory()
		if err := unmapProgram(); err != nil {
			log.Warn("pages of the program stay in memory", "error", err)
		}
		return nil
	}
}

// limitMemory bounds the memory that Go takes from the system. What the operator says
// goes first, then GOMEMLIMIT, then what the container or the machine has. It is a limit
// for the collector, which works harder near it; nothing fails at it.
func limitMemory(c cli.Config, log *slog.Logger) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	limit, from := c.MemoryLimit, "memory-limit"
	if limit == 0 && os.Getenv("GOMEMLIMIT") != "" {
		return // the runtime has read it
	}
	if limit == 0 {
		limit, from = limitOf(memlimit.FromCgroup, memlimit.FromSystem)
	}
	debug.SetMemoryLimit(limit)
	if limit != memory.NoLimit {
		log.Info("memory is limited", "mb", limit>>20, "from", from)
	}
}

// limitOf is the limit that a container and a machine give. A container without a limit,
// or with one above the machine's memory, counts as none; when nothing can be read there
// is no limit.
func limitOf(container, machine memlimit.Provider) (limit int64, from string) {
	all, failed := machine()
	if n, err := container(); err == nil && n > 0 && (failed != nil || n < all) {
		return int64(float64(n) * ofContainer), "container"
	}
	if failed != nil || all == 0 {
		return memory.NoLimit, ""
	}
	return int64(float64(all) * ofMachine), "machine"
}
