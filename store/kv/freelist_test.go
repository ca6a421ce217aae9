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

// killed gives a copy of a database as a kill at this moment would leave it, whose pages
// are sound, and says whether it has the list of its free pages.
func killed(t *testing.T, path string) (copied string, listed bool) {
	t.Helper()
	copied = filepath.Join(t.TempDir(), "killed.db")
	// The logs first: what a checkpoint moves meanwhile is in the tree by then.
	names := append(kv.Logs(path), path)
	for i, to := range append(kv.Logs(copied), copied) {
		data, err := os.ReadFile(names[i])
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := kv.VerifyFile(copied, true); err != nil {
		t.Fatal(err)
	}
	listed, err := kv.Listed(copied)
	if err != nil {
		t.Fatal(err)
	}
	return copied, listed
}

// TestFreePagesAreListed: a checkpoint comes when all is quiet, and at the latest at the
// end, and lists the free pages.
func TestFreePagesAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		b, err := kv.OpenBolt(path)
		if err != nil {
			t.Fatal(err)
		}
		count := func() int {
			copied, listed := killed(t, path)
			if !listed {
				t.Error("the list is not there")
			}
			for _, log := range kv.Logs(copied) { // the file alone
				_ = os.Remove(log)
			}
			e, err := kv.OpenReadOnly(copied)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			return keys(t, e)
		}
		for round := range 3 {
			fill(t, b, round*1000, round*1000+1000)
			if n := count(); n != round*1000 {
				t.Errorf("the tree has %d keys before the checkpoint, want %d", n, round*1000)
			}
			<-time.After(kv.Quiet)
			synctest.Wait()
			if n := count(); n != round*1000+1000 {
				t.Errorf("the tree has %d keys after the checkpoint, want %d", n, round*1000+1000)
			}
		}
		fill(t, b, 3000, 3500)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != 3500 {
			t.Errorf("the tree has %d keys at the end, want 3500", n)
		}
	})
}

// TestKilledWithoutList: a file that was killed before its free pages were listed
// has everything, finds its free pages again, and has their list from then on.
func TestKilledWithoutList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, b, 0, 5000)
	if err := b.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill(t, b, 0, 5000) // free pages
	copied, _ := killed(t, path)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := kv.Unlist(copied); err != nil {
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
	if after, _ := os.Stat(copied); after.Size() > before.Size()*11/10 {
		t.Errorf("the file grew from %d to %d for pages that it had", before.Size(), after.Size())
	}
}
