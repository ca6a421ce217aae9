//go:build !race

package plane

const pooled = true
