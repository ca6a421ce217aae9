package kv_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"svc/store/kv"
	"svc/store/kv/bitset"
)

// count is one step of a history that shows when a part of it is missing: key n, the
// number of steps in three forms, and one key that every step replaces.
func count(tx kv.Tx, n int) error {
	return errors.Join(
		tx.Put(fmt.Appendf(nil, "key/%08d", n), []byte(strconv.Itoa(n))),
		tx.Add([]byte("sum"), 1),
		tx.SetBits([]byte("set"), []uint16{uint16(n % bitset.Size)}),
		tx.ClearBits([]byte("odd"), []uint16{uint16((n + 63) % 64)}),
		tx.SetBits([]byte("odd"), []uint16{uint16(n % 64)}),
		tx.Delete(fmt.Appendf(nil, "key/%08d", n-1000)),
		tx.Put([]byte("last"), binary.BigEndian.AppendUint64(nil, uint64(n))),
	)
}

// counted is how many steps there are; every form of it has to agree.
func counted(t *testing.T, e kv.Engine) (last int) {
	t.Helper()
	err := e.View(t.Context(), func(tx kv.Tx) error {
		b, err := tx.Get([]byte("last"))
		if err != nil || b == nil {
			return err
		}
		last = int(binary.BigEndian.Uint64(b))
		b, err = tx.Get([]byte("sum"))
		if err != nil {
			return err
		}
		if sum, err := kv.DecodeNumber(b); err != nil || int(sum) != last {
			t.Errorf("the sum is %d after %d steps: %v", sum, last, err)
		}
		for name, want := range map[string]int{"set": min(last, bitset.Size), "odd": 1} {
			if b, err = tx.Get([]byte(name)); err != nil {
				return err
			}
			if bits, err := bitset.Decode(b); err != nil || bits.Count() != want {
				t.Errorf("the set %s has not %d members after %d steps: %v", name, want, last, err)
			}
		}
		want := max(1, last-999)
		for p, err := range tx.Scan(kv.Under([]byte("key/"))) {
			if err != nil {
				return err
			}
			if string(p.Key) != fmt.Sprintf("key/%08d", want) || string(p.Value) != strconv.Itoa(want) {
				t.Fatalf("%s has %q where step %d should stand", p.Key, p.Value, want)
			}
			want++
		}
		if want != last+1 {
			t.Errorf("there are keys up to step %d of %d", want-1, last)
		}
		back := last
		for p, err := range tx.Scan(kv.Range{From: []byte("key/"), To: []byte("key0"), Reverse: true, Limit: 20}) {
			if err != nil || string(p.Value) != strconv.Itoa(back) {
				t.Fatalf("backwards %s has %q where step %d should stand: %v", p.Key, p.Value, back, err)
			}
			back--
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// steps makes steps in a row.
func steps(t *testing.T, b *kv.Bolt, from, to int) {
	t.Helper()
	for n := from; n <= to; n++ {
		if err := b.Update(t.Context(), func(tx kv.Tx) error { return count(tx, n) }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLogIsReplayed: what was committed and is not in the tree is there after a kill,
// whichever of the two logs it stands in, and once only.
func TestLogIsReplayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for round := range 4 {
		from := round*300 + 1
		steps(t, b, from, from+199)
		for range 2 { // what was opened once is opened again
			copied, _ := killed(t, path)
			for range 2 {
				again, err := kv.OpenBolt(copied)
				if err != nil {
					t.Fatal(err)
				}
				if n := counted(t, again); n != from+199 {
					t.Errorf("%d steps are left of %d", n, from+199)
				}
				if err := again.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		copied, _ := killed(t, path)
		r, err := kv.OpenReadOnly(copied)
		if err != nil {
			t.Fatal(err)
		}
		if n := counted(t, r); n != from+199 {
			t.Errorf("%d steps are read of %d", n, from+199)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if err := b.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		steps(t, b, from+200, from+299)
	}
	if n := counted(t, b); n != 1200 {
		t.Errorf("%d steps of 1200", n)
	}
}

// TestLogIsCut: a record that is not whole is that of a commit which nobody was told of.
func TestLogIsCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	steps(t, b, 1, 3)
	sound, _ := killed(t, path)
	log := kv.Logs(sound)[1]
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	end := len(strings.TrimRight(string(data), "\x00"))
	for cut := 0; cut < end; cut += 7 {
		dir := t.TempDir()
		copied := filepath.Join(dir, "a.db")
		file, err := os.ReadFile(sound)
		if err == nil {
			err = errors.Join(os.WriteFile(copied, file, 0o600), os.WriteFile(kv.Logs(copied)[1], data[:cut], 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := kv.OpenBolt(copied)
		if errors.Is(err, kv.ErrDamaged) && 0 < cut && cut < 64 {
			continue // the head is written whole
		}
		if err != nil {
			t.Fatalf("cut to %d of %d bytes: %v", cut, end, err)
		}
		if n := counted(t, again); n > 2 || n == 2 && cut < end/2 {
			t.Errorf("cut to %d of %d bytes: %d steps", cut, end, n)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLogIsDamaged: a record that misses in the middle is told, and nothing is done with
// what stands behind it.
func TestLogIsDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	steps(t, b, 1, 50)
	places := []int64{0, 30, 70, 90, 1000}
	copies := make([]string, len(places))
	copies[0], _ = killed(t, path) // before a checkpoint, which comes when nobody commits for a while
	for i := range copies[1:] {
		copies[i+1], _ = killed(t, copies[0])
	}
	for i, at := range places {
		copied := copies[i]
		f, err := os.OpenFile(kv.Logs(copied)[1], os.O_RDWR, 0)
		if err == nil {
			var was [1]byte
			_, err = f.ReadAt(was[:], at)
			was[0] ^= 0x40
			_, failed := f.WriteAt(was[:], at)
			err = errors.Join(err, failed, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := kv.OpenBolt(copied)
			if !errors.Is(err, kv.ErrDamaged) || !strings.Contains(err.Error(), "restore a backup") {
				t.Errorf("byte %d changed: %v", at, err)
			}
		}
	}
}

// TestLogOfAnother: a log that belongs to another state of a database is not replayed
// over it.
func TestLogOfAnother(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	steps(t, b, 1, 10)
	amend := func(tmp string) error {
		return kv.Amend(t.Context(), tmp, func(kv.Tx) error { return nil })
	}
	if err := b.Backup(t.Context(), backup, amend); err != nil {
		t.Fatal(err)
	}
	steps(t, b, 11, 20)
	copied, _ := killed(t, path)
	data, err := os.ReadFile(backup)
	if err == nil {
		err = os.WriteFile(copied, data, 0o600) // by hand, and the logs are still there
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.OpenBolt(copied); err == nil || !strings.Contains(err.Error(), "belongs to another state") {
		t.Errorf("a backup beside logs of later: %v", err)
	}
	for _, log := range kv.Logs(copied) {
		_ = os.Remove(log)
	}
	again, err := kv.OpenBolt(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if n := counted(t, again); n != 10 {
		t.Errorf("the backup has %d steps, want 10", n)
	}
}

// TestReadersSeeOneState: while steps are committed and moved into the tree, every reader
// finds one of them whole.
func TestReadersSeeOneState(t *testing.T) {
	b := openBolt(t)
	const all = 500
	var done atomic.Bool
	var working sync.WaitGroup
	working.Go(func() {
		defer done.Store(true)
		steps(t, b, 1, all)
	})
	working.Go(func() {
		for !done.Load() {
			if err := b.Checkpoint(context.Background()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 3 {
		working.Go(func() {
			for before := 0; !done.Load(); {
				now := counted(t, b)
				if now < before {
					t.Errorf("step %d is seen after step %d", now, before)
				}
				before = now
			}
		})
	}
	working.Wait()
	if n := counted(t, b); n != all {
		t.Errorf("%d steps of %d", n, all)
	}
}

// TestLargerThanAChunk: a checkpoint of several transactions of the tree is whole for
// readers, and after a kill in the middle of it.
func TestLargerThanAChunk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for from := 0; from < 3*kv.Chunk; from += 5000 {
		err := b.Update(t.Context(), func(tx kv.Tx) error {
			for n := from; n < from+5000; n++ {
				if err := tx.Put(fmt.Appendf(nil, "%08d", n*7919%(3*kv.Chunk)), []byte{1}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- b.Checkpoint(context.Background()) }()
	for over := false; !over; {
		select {
		case err := <-ended:
			if over = true; err != nil {
				t.Fatal(err)
			}
		default:
		}
		if n := keys(t, b); n != 3*kv.Chunk {
			t.Fatalf("a reader finds %d keys, want %d", n, 3*kv.Chunk)
		}
	}
}
