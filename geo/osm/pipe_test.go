package osm

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: a named pipe is refused at once; opening one would wait for a writer.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.osm.pbf")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("%v", err)
	}
}
