package storetest

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// PeakMemory runs f and answers how many bytes the process took from the system at the
// most, beyond what it had before.
func PeakMemory(f func()) uint64 {
	runtime.GC()
	debug.FreeOSMemory()
	before := resident()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		high := before
		for {
			high = max(high, resident())
			select {
			case <-tick.C:
			case <-stop:
				most <- high
				return
			}
		}
	}()
	f()
	close(stop)
	return <-most - before
}

// resident is the memory that the process has from the system and did not give back.
func resident() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
