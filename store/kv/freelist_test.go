package kv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"svc/store/kv"
)

// killed gives a copy of the file as a kill at this moment would leave it, which is
// sound, and says whether it has the list of its free pages.
func killed(t *testing.T, path string) (copied string, listed bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied = filepath.Join(t.TempDir(), "killed.db")
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := kv.VerifyFile(copied, true); err != nil {
		t.Fatal(err)
	}
	if listed, err = kv.Listed(copied); err != nil {
		t.Fatal(err)
	}
	return copied, listed
}

// TestFreePagesAreListed: each commit lists the free pages while they are few, and
// otherwise nobody has to ask for the list: it comes when all is quiet, and at the
// latest at the end.
func TestFreePagesAreListed(t *testing.T) {
	for _, tt := range []struct {
		name string
		many int
		soon bool // listed by the commit
	}{{"few", 1000, true}, {"many", -1, false}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a.db")
				b, err := kv.OpenBolt(path)
				if err != nil {
					t.Fatal(err)
				}
				b.SetMany(tt.many)
				for round := range 3 {
					fill(t, b, round*1000, round*1000+2000)
					if _, listed := killed(t, path); listed != tt.soon {
						t.Errorf("after a commit the list is there: %v, want %v", listed, tt.soon)
					}
					<-time.After(kv.Quiet)
					synctest.Wait()
					if _, listed := killed(t, path); !listed {
						t.Error("the list is not there, and all is quiet")
					}
				}
				fill(t, b, 0, 500)
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
				if _, listed := killed(t, path); !listed {
					t.Error("the list is not there at the end")
				}
			})
		})
	}
}

// TestKilledWithoutList: a file that was killed before its free pages were listed
// has everything, finds its free pages again, and has their list from then on.
func TestKilledWithoutList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	b.SetMany(-1)
	fill(t, b, 0, 5000)
	copied, listed := killed(t, path)
	if listed {
		t.Fatal("the list is there already")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(copied)
	again, err := kv.OpenBolt(copied)
	if err != nil {
		t.Fatal(err)
	}
	if listed, err := kv.Listed(copied); err != nil || !listed {
		t.Errorf("the file is open, and its free pages are listed: %v, %v", listed, err)
	}
	for i := range 10 { // in the pages that were free
		if err := put(t.Context(), again, fmt.Sprintf("%08d", i), "changed"); err != nil {
			t.Fatal(err)
		}
	}
	if err := again.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for i := range 5000 {
		if _, ok := get(t, again, fmt.Sprintf("%08d", i)); !ok {
			t.Fatalf("record %d is lost", i)
		}
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(copied); after.Size() > before.Size() {
		t.Errorf("the file grew from %d to %d for pages that it had", before.Size(), after.Size())
	}
}
