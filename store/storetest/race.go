//go:build race

package storetest

import "runtime/debug"

// With the race detector a collection of garbage costs several times as much: tests of
// stores collect less often, in a few hundred megabytes.
func init() { debug.SetGCPercent(300) }
