package transfer_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
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
	return open(t, pgtest.Address(t))
}

func open(t *testing.T, address string) *postgres.Engine {
	t.Helper()
	e, err := postgres.Open(t.Context(), address, postgres.Options{})
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

// TestDumpIsWhole: pg_restore makes a database of what pg_dump copied while the first was
// written to, and it has whole transactions only.
func TestDumpIsWhole(t *testing.T) {
	from, to, file := pgtest.Address(t), pgtest.Address(t), filepath.Join(t.TempDir(), "svc.dump")
	tool := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), pgtest.Tool(t, name), args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	source := open(t, from)
	fill(t, source, 5500)
	ctx, stop := context.WithCancel(t.Context())
	wrote := make(chan error)
	go func() {
		for i := 0; ; i++ {
			err := source.Update(ctx, func(tx kv.Tx) error {
				return errors.Join(tx.Put(fmt.Appendf(nil, "w%08d", i), []byte("x")), tx.Add([]byte("writes"), 1))
			})
			if err != nil {
				wrote <- err
				return
			}
		}
	}()
	tool("pg_dump", "--format=custom", "--serializable-deferrable", "--no-owner", "--file", file, from)
	stop()
	if err := <-wrote; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	tool("pg_restore", "--no-owner", "--exit-on-error", "--dbname", to, file)
	var rest, writes int
	var counted []byte
	err := open(t, to).View(t.Context(), func(tx kv.Tx) error {
		rest, writes = 0, 0
		for p, err := range tx.Scan(kv.Range{}) {
			switch {
			case err != nil:
				return err
			case p.Key[0] == 'w' && string(p.Key) != "writes":
				writes++
			default:
				rest++
			}
		}
		var err error
		counted, err = tx.Get([]byte("writes"))
		return err
	})
	count, _ := binary.Varint(counted)
	if err != nil || rest < 5502 || int64(writes) != count {
		t.Errorf("%d pairs, %d writes of which %d are counted: %v", rest, writes, count, err)
	}
}
