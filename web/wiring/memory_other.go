//go:build !linux

package wiring

// unmapProgram is for Linux, where pages of the program count as memory of the process.
func unmapProgram() error { return nil }
