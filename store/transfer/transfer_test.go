package transfer_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"svc/store/kv"
	"svc/store/kv/postgres"
	"svc/store/kv/postgres/pgtest"
	"svc/store/transfer"
)

func bolt(t *testing.T, path string) *kv.Bolt {
	t.Helper()
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func server(t *testing.T) *postgres.Engine {
	t.Helper()
	e, err := postgres.Open(t.Context(), pgtest.Address(t), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestMain(m *testing.M) {
	defer pgtest.Stop()
	m.Run()
}

// fill writes pairs of many lengths, numbers and sets among them.
func fill(t *testing.T, e kv.Engine, n int) {
	t.Helper()
	for from := 0; from < n; from += 1000 {
		err := e.Update(t.Context(), func(tx kv.Tx) error {
			for i := from; i < min(from+1000, n); i++ {
				key := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 1}, uint32(i*7))
				if err := tx.Put(key, make([]byte, i%300)); err != nil {
					return err
				}
			}
			return errors.Join(tx.Add([]byte("number"), int64(n)), tx.SetBits([]byte("set"), []uint16{uint16(from / 1000)}))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestThereAndBack: a file, copied to a server and back into another file, is the same.
func TestThereAndBack(t *testing.T) {
	dir := t.TempDir()
	file, back, middle := bolt(t, filepath.Join(dir, "a.db")), bolt(t, filepath.Join(dir, "b.db")), server(t)
	fill(t, file, 5500)
	steps := 0
	there, err := transfer.Copy(t.Context(), file, middle, func(transfer.Progress) { steps++ })
	if err != nil {
		t.Fatal(err)
	}
	again, err := transfer.Copy(t.Context(), middle, back, nil)
	if err != nil {
		t.Fatal(err)
	}
	if there != again || there.Pairs != 5502 || steps < 6 {
		t.Errorf("there %+v, back %+v, in %d steps", there, again, steps)
	}
	if _, err := transfer.Copy(t.Context(), file, middle, nil); !errors.Is(err, transfer.ErrNotEmpty) {
		t.Errorf("into what is full: %v", err)
	}
}

// TestInterrupted: a copy that was stopped goes on where it stood, and one of another
// source does not.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	file, other, to := bolt(t, filepath.Join(dir, "a.db")), bolt(t, filepath.Join(dir, "b.db")), kv.NewMemory()
	fill(t, file, 7000)
	fill(t, other, 10)
	ctx, stop := context.WithCancel(t.Context())
	_, err := transfer.Copy(ctx, file, to, func(transfer.Progress) { stop() })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if _, err := transfer.Copy(t.Context(), other, to, nil); !errors.Is(err, transfer.ErrNotEmpty) {
		t.Errorf("another source: %v", err)
	}
	var first transfer.Progress
	sum, err := transfer.Copy(t.Context(), file, to, func(p transfer.Progress) {
		if first.Pairs == 0 {
			first = p
		}
	})
	if err != nil || sum.Pairs != 7002 || first.Pairs <= 2000 {
		t.Errorf("%+v after %+v: %v", sum, first, err)
	}
}

// TestAChangedCopyIsRefused: a pair that differs at the end is found.
func TestAChangedCopyIsRefused(t *testing.T) {
	file, to := bolt(t, filepath.Join(t.TempDir(), "a.db")), kv.NewMemory()
	fill(t, file, 3000)
	_, err := transfer.Copy(t.Context(), file, to, func(p transfer.Progress) {
		if p.Step != "copied" || p.Pairs < 3000 {
			return
		}
		err := to.Update(t.Context(), func(tx kv.Tx) error { return tx.Put([]byte("number"), []byte(fmt.Sprint(p.Pairs))) })
		if err != nil {
			t.Error(err)
		}
	})
	if err == nil {
		t.Error("a copy with another value was taken for the same")
	}
}
