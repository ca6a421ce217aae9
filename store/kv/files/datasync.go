//go:build !linux

package files

import "os"

// Datasync makes what was written to a file durable.
func Datasync(f *os.File) error { return f.Sync() }
