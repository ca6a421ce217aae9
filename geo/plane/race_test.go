//go:build race

package plane

// The race detector makes pools forget what they hold.
const pooled = false
