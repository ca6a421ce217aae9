package messengertest

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// Resident is the memory of this process in MB after a collection: what the system says,
// or, where it says nothing, what the runtime holds.
func Resident() int {
	runtime.GC()
	debug.FreeOSMemory()
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmRSS:" {
			kb, _ := strconv.Atoi(f[1])
			return kb >> 10
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int((m.Sys - m.HeapReleased) >> 20)
}
