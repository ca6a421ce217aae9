package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/kv"
	"svc/store/kv/bitset"
)

// Rules checks what an engine must refuse.
func Rules(t *testing.T, e kv.Engine) {
	t.Helper()
	ctx := t.Context()
	update := func(fn func(kv.Tx) error) error { return e.Update(ctx, fn) }
	put := func(k, v []byte) error { return update(func(tx kv.Tx) error { return tx.Put(k, v) }) }
	if put(nil, nil) == nil || put(make([]byte, kv.MaxKey+1), nil) == nil || put([]byte("k"), make([]byte, kv.MaxValue+1)) == nil {
		t.Error("an empty or too long key, or a too long value, was taken")
	}
	if err := put(bytes.Repeat([]byte("k"), kv.MaxKey), nil); err != nil {
		t.Errorf("the longest key: %v", err)
	}
	var kept kv.Tx
	if err := update(func(tx kv.Tx) error { kept = tx; return tx.Put([]byte("a"), nil) }); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Get([]byte("a")); !errors.Is(err, kv.ErrTxDone) {
		t.Errorf("get after the end: %v", err)
	}
	for _, err := range kept.Scan(kv.Range{}) {
		if !errors.Is(err, kv.ErrTxDone) {
			t.Errorf("scan after the end: %v", err)
		}
	}
	err := update(func(tx kv.Tx) error {
		for i := range kv.MaxWrites + 1 {
			if err := tx.Put([]byte(fmt.Sprint("n", i)), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, kv.ErrTooMany) {
		t.Errorf("too many writes: %v", err)
	}
	err = update(func(tx kv.Tx) error {
		for p, err := range tx.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			if err := tx.Put(bytes.Clone(p.Key), []byte("x")); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, kv.ErrScanned) {
		t.Errorf("a write while scanning: %v", err)
	}
	forms(t, e)
	messages(t, e)
	together(t, e)
	failures(t, e)
	waiting(t, e)
}

// waiting: while an update runs, reading goes on with what was there before, and another
// update waits no longer than its context.
func waiting(t *testing.T, e kv.Engine) {
	t.Helper()
	key, begun, release, ended := []byte("waiting"), make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		var once sync.Once
		ended <- e.Update(t.Context(), func(tx kv.Tx) error {
			err := tx.Put(key, []byte("x"))
			once.Do(func() { close(begun) })
			<-release
			return err
		})
	}()
	<-begun
	err := e.View(t.Context(), func(tx kv.Tx) error {
		if v, err := tx.Get(key); v != nil || err != nil {
			t.Errorf("reading while an update runs: %q, %v", v, err)
		}
		return nil
	})
	if err != nil {
		t.Errorf("reading while an update runs: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := e.Update(ctx, func(tx kv.Tx) error { return tx.Put(key, []byte("y")) }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an update that waits for another: %v", err)
	}
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	err = e.View(t.Context(), func(tx kv.Tx) error {
		if v, err := tx.Get(key); string(v) != "x" || err != nil {
			t.Errorf("after both: %q, %v", v, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// forms: Add, SetBits and ClearBits refuse values that they did not write, and sums
// and numbers that do not fit.
func forms(t *testing.T, e kv.Engine) {
	t.Helper()
	key := []byte("of a form")
	for what, f := range map[string]func(kv.Tx) error{
		"add": func(tx kv.Tx) error { return tx.Add(key, 1) }, "set": func(tx kv.Tx) error { return tx.SetBits(key, []uint16{1}) },
		"clear": func(tx kv.Tx) error { return tx.ClearBits(key, []uint16{1}) },
	} {
		err := e.Update(t.Context(), func(tx kv.Tx) error {
			return errors.Join(tx.Put(key, []byte("text that is neither")), f(tx))
		})
		if !errors.Is(err, bitset.ErrMalformed) {
			t.Errorf("%s to another value: %v", what, err)
		}
	}
	for what, f := range map[string]func(kv.Tx) error{
		"a sum of more than 64 bits": func(tx kv.Tx) error { return errors.Join(tx.Add(key, 1<<62), tx.Add(key, 1<<62)) },
		"a number beyond a set":      func(tx kv.Tx) error { return tx.SetBits(key, []uint16{bitset.Size}) },
		"an empty key":               func(tx kv.Tx) error { return tx.Add(nil, 1) },
		"no topic":                   func(tx kv.Tx) error { return tx.Publish("", "") },
		"a long topic":               func(tx kv.Tx) error { return tx.Publish(strings.Repeat("t", kv.MaxTopic+1), "") },
		"a malformed batch":          func(tx kv.Tx) error { return tx.Write(kv.Batch{Put: []kv.Pair{{}}}) },
		"a batch without a topic":    func(tx kv.Tx) error { return tx.Write(kv.Batch{Publish: []kv.Message{{}}}) },
		"a long message":             func(tx kv.Tx) error { return tx.Publish("t", strings.Repeat("m", kv.MaxPayload+1)) },
	} {
		if e.Update(t.Context(), f) == nil {
			t.Errorf("%s was taken", what)
		}
	}
}

// messages: equal ones of a closure are one, those of a closure that fails are none,
// too many become one that says so, and who stopped hears nothing.
func messages(t *testing.T, e kv.Engine) {
	t.Helper()
	var heard []kv.Message
	stop := e.Subscribe(func(m kv.Message) { heard = append(heard, m) })
	tell := func(n int, fail error) {
		err := e.Update(t.Context(), func(tx kv.Tx) error {
			for i := range n {
				if err := errors.Join(tx.Publish("t", fmt.Sprint(i)), tx.Publish("t", fmt.Sprint(i))); err != nil {
					return err
				}
			}
			return fail
		})
		if !errors.Is(err, fail) {
			t.Errorf("%d messages: %v", n, err)
		}
	}
	tell(2, nil)
	tell(5, errors.New("given up"))
	tell(kv.MaxMessages+2, nil)
	stop()
	tell(1, nil)
	if want := []kv.Message{{Topic: "t", Payload: "0"}, {Topic: "t", Payload: "1"}, {Lost: true}}; !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
}

// together: many add to one number and to one set at a time, and nothing is missing.
func together(t *testing.T, e kv.Engine) {
	t.Helper()
	const n = 100
	sum, set := []byte("sum of all"), []byte("set of all")
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			err := e.Update(context.Background(), func(tx kv.Tx) error {
				return errors.Join(tx.Add(sum, int64(i)), tx.SetBits(set, []uint16{uint16(i), n + uint16(i)}), tx.ClearBits(set, []uint16{uint16(i)}))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	err := e.View(t.Context(), func(tx kv.Tx) error {
		found, err := tx.GetMany([][]byte{sum, set})
		if err != nil {
			return err
		}
		if got, err := kv.DecodeNumber(found[0]); err != nil || got != n*(n-1)/2 {
			t.Errorf("the sum is %d: %v", got, err)
		}
		if members, err := bitset.Decode(found[1]); err != nil || members.Count() != n || members[n/64]>>(n%64)&1 == 0 {
			t.Errorf("the set: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// failures: closures that fail, panic or end their goroutine leave nothing, and
// contexts that ended are answered.
func failures(t *testing.T, e kv.Engine) {
	t.Helper()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Update(ended, func(kv.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("update of an ended context: %v", err)
	}
	if err := e.View(ended, func(kv.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("view of an ended context: %v", err)
	}
	boom := errors.New("boom")
	func() {
		defer func() {
			err, _ := recover().(error)
			if !errors.Is(err, boom) {
				t.Errorf("panic arrived as %v", err)
			}
		}()
		_ = e.Update(t.Context(), func(tx kv.Tx) error {
			_ = tx.Put([]byte("panicked"), nil)
			panic(boom)
		})
	}()
	err := e.View(t.Context(), func(tx kv.Tx) error {
		v, err := tx.Get([]byte("panicked"))
		if v != nil {
			t.Error("the write of a closure that panicked is there")
		}
		return err
	})
	if err != nil {
		t.Errorf("after a panic: %v", err)
	}
}
