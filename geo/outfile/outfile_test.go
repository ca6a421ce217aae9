package outfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "a")
	put := func(ctx context.Context, text string, fail error) error {
		return Write(ctx, out, func(f *os.File) error {
			_, err := f.WriteString(text)
			return errors.Join(err, fail)
		})
	}
	holds := func(want string) {
		t.Helper()
		if data, err := os.ReadFile(out); err != nil || string(data) != want {
			t.Errorf("the file holds %q, %v; want %q", data, err, want)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("the folder holds %v, %v", list, err)
		}
	}
	if err := os.WriteFile(out+".tmp", []byte("what a killed build left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := put(context.Background(), "first", nil); err != nil {
		t.Fatal(err)
	}
	holds("first")
	fault := errors.New("no more")
	if err := put(context.Background(), "second", fault); !errors.Is(err, fault) {
		t.Errorf("a failure is %v", err)
	}
	holds("first")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := put(ended, "third", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("when cancelled: %v", err)
	}
	holds("first")
	if err := put(context.Background(), "fourth", nil); err != nil {
		t.Error(err)
	}
	holds("fourth")
	err := Write(context.Background(), filepath.Join(dir, "no", "such", "a"), func(*os.File) error { return nil })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
}

// TestTwoWriters: a second writer of a file that is being written is refused,
// and harms nothing.
func TestTwoWriters(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a")
	f, err := create(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("the first"); err != nil {
		t.Fatal(err)
	}
	if _, err := create(out); err == nil || !strings.Contains(err.Error(), "another build is writing") {
		t.Errorf("the second: %v", err)
	}
	if data, err := os.ReadFile(out + ".tmp"); err != nil || string(data) != "the first" {
		t.Errorf("the first lost its bytes: %q, %v", data, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := create(out)
	if err != nil {
		t.Fatalf("after the first: %v", err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}
