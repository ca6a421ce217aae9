package index

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestCutWhileRead: pages that are gone are an error of Verify, and of the
// reading of the head, never the end of the process.
func TestCutWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svcmap")
	model, err := os.ReadFile(write(t, testModel(300, 2)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, model, 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	if err := x.Verify(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	const want = "changed while it was read"
	if err := x.Verify(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
		t.Errorf("Verify: %v", err)
	}
	err = guarded(path, func() error {
		_, err := parse(x.data)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("parse: %v", err)
	}
	if err := os.WriteFile(path, bytes.Clone(model), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := x.Verify(); err != nil {
		t.Errorf("whole again: %v", err)
	}
}

// TestPipe: a named pipe is refused at once; opening one would wait for a writer.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svcmap")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("%v", err)
	}
}
