package kvtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/store/kv"
)

// Conformance runs one random history of transactions on an engine and on a map,
// and compares everything that can be read after each step.
func Conformance(t *testing.T, e kv.Engine, seed uint64, steps int) {
	t.Helper()
	m := &model{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), state: map[string]string{}}
	defer e.Subscribe(func(x kv.Message) { m.heard = append(m.heard, x) })()
	for i := range steps {
		m.step = i
		switch m.rnd.IntN(10) {
		case 0:
			m.view(e)
		case 1:
			m.update(e, errors.New("given up"))
		default:
			m.update(e, nil)
		}
		if t.Failed() {
			t.Fatalf("seed %d, step %d", seed, i)
		}
	}
	m.view(e)
}

type model struct {
	t     *testing.T
	rnd   *rand.Rand
	step  int
	state map[string]string // what is committed
	heard []kv.Message
	told  []kv.Message // what should have been heard
}

// op is decided before the closure, so that a second run does the same.
type op struct {
	kind    int
	key     string
	value   string
	keys    []string
	r       kv.Range
	n       int64
	numbers []uint16
}

func (m *model) key() string {
	b := make([]byte, 1+m.rnd.IntN(3))
	for i := range b {
		b[i] = "\x00ab\xff"[m.rnd.IntN(4)]
	}
	return string(b)
}

func (m *model) ops() []op {
	out := make([]op, 1+m.rnd.IntN(12))
	for i := range out {
		o := op{kind: m.rnd.IntN(11), key: m.key(), value: fmt.Sprint(m.step, ".", i)}
		if m.rnd.IntN(8) == 0 {
			o.value = ""
		}
		for range 3 {
			o.keys = append(o.keys, m.key())
		}
		o.r = kv.Range{Limit: m.rnd.IntN(4), Reverse: m.rnd.IntN(2) == 0, KeysOnly: m.rnd.IntN(4) == 0}
		if m.rnd.IntN(4) > 0 {
			o.r.From = []byte(m.key())
		}
		if m.rnd.IntN(4) > 0 {
			o.r.To = []byte(m.key())
		}
		o.n, o.numbers = int64(m.rnd.IntN(7)-3), []uint16{uint16(m.rnd.IntN(4)), uint16(m.rnd.IntN(kv.SetSize))}
		out[i] = o
	}
	return out
}

func (m *model) update(e kv.Engine, fail error) {
	ops := m.ops()
	var after map[string]string
	var told []kv.Message
	err := e.Update(m.t.Context(), func(tx kv.Tx) error {
		now := maps.Clone(m.state)
		told = nil
		for _, o := range ops {
			if x := (kv.Message{Topic: "t " + o.key, Payload: o.value}); o.kind == publish && !slices.Contains(told, x) {
				told = append(told, x)
			}
			m.do(tx, now, o)
		}
		after = now
		return fail
	})
	if !errors.Is(err, fail) {
		m.t.Errorf("update: %v, want %v", err, fail)
	}
	if fail == nil {
		m.state, m.told = after, append(m.told, told...)
	}
	if !slices.Equal(m.heard, m.told) {
		m.t.Errorf("heard %v, want %v", m.heard, m.told)
	}
}

func (m *model) view(e kv.Engine) {
	ops := m.ops()
	ops = append(ops, op{kind: 6})
	err := e.View(m.t.Context(), func(tx kv.Tx) error {
		for _, o := range ops {
			if o.kind > 3 && o.kind <= 6 {
				m.do(tx, m.state, o)
				continue
			}
			key := []byte(o.key)
			for what, err := range map[string]error{
				"put": tx.Put(key, nil), "add": tx.Add(key, o.n), "set": tx.SetBits(key, o.numbers), "clear": tx.ClearBits(key, nil), "publish": tx.Publish("t", ""),
			} {
				if !errors.Is(err, kv.ErrReadOnly) {
					m.t.Errorf("%s in a view: %v", what, err)
				}
			}
		}
		return nil
	})
	if err != nil {
		m.t.Errorf("view: %v", err)
	}
}

// publish is the kind of operation that tells.
const publish = 10

func (m *model) do(tx kv.Tx, now map[string]string, o op) {
	var err error
	switch o.kind {
	case 7: // numbers and sets have keys of their own: their values have a form
		key := "n" + o.key
		err = tx.Add([]byte(key), o.n)
		sum, _ := binary.Varint([]byte(now[key]))
		if now[key] = string(binary.AppendVarint(nil, sum+o.n)); sum+o.n == 0 {
			delete(now, key)
		}
	case 8, 9:
		key, change := "s"+o.key, tx.SetBits
		if o.kind == 9 {
			change = tx.ClearBits
		}
		err = change([]byte(key), o.numbers)
		changeSet(now, key, o.numbers, o.kind == 8)
	case publish:
		err = tx.Publish("t "+o.key, o.value)
	case 0, 1:
		err = tx.Put([]byte(o.key), []byte(o.value))
		now[o.key] = o.value
	case 2:
		err = tx.Delete([]byte(o.key))
		delete(now, o.key)
	case 3:
		var pairs []kv.Pair
		for _, k := range o.keys {
			pairs = append(pairs, kv.Pair{Key: []byte(k), Value: []byte(o.value)})
			now[k] = o.value
		}
		err = tx.PutMany(pairs)
	case 4:
		var got []byte
		got, err = tx.Get([]byte(o.key))
		m.same(now, o.key, got)
	case 5:
		var got [][]byte
		keys := [][]byte{[]byte(o.keys[0]), []byte(o.keys[1]), []byte(o.keys[2])}
		got, err = tx.GetMany(keys)
		for i, v := range got {
			m.same(now, o.keys[i], v)
		}
	case 6:
		m.scan(tx, now, o.r)
	}
	if err != nil {
		m.t.Errorf("%+v: %v", o, err)
	}
}

// changeSet is what SetBits and ClearBits do.
func changeSet(now map[string]string, key string, numbers []uint16, member bool) {
	set := &kv.Bits{}
	if old, ok := now[key]; ok {
		set, _ = kv.DecodeBits([]byte(old))
	}
	for _, n := range numbers {
		if set[n/64] &^= 1 << (n % 64); member {
			set[n/64] |= 1 << (n % 64)
		}
	}
	if now[key] = string(set.Encode()); set.Count() == 0 {
		delete(now, key)
	}
}

func (m *model) same(now map[string]string, key string, got []byte) {
	want, ok := now[key]
	if ok != (got != nil) || want != string(got) {
		m.t.Errorf("get %q: %q (nil %v), want %q (there %v)", key, got, got == nil, want, ok)
	}
}

func (m *model) scan(tx kv.Tx, now map[string]string, r kv.Range) {
	var want []string
	for k := range now {
		if bytes.Compare([]byte(k), r.From) >= 0 && (r.To == nil || k < string(r.To)) {
			want = append(want, k)
		}
	}
	slices.Sort(want)
	if r.Reverse {
		slices.Reverse(want)
	}
	if r.Limit > 0 {
		want = want[:min(r.Limit, len(want))]
	}
	var got []string
	for p, err := range tx.Scan(r) {
		if err != nil {
			m.t.Errorf("scan: %v", err)
			return
		}
		if r.KeysOnly && p.Value != nil || !r.KeysOnly && now[string(p.Key)] != string(p.Value) {
			m.t.Errorf("scan %+v: %q = %q, want %q", r, p.Key, p.Value, now[string(p.Key)])
		}
		got = append(got, string(p.Key))
	}
	if !slices.Equal(got, want) {
		m.t.Errorf("scan %+v: %q, want %q", r, got, want)
	}
}

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
		if !errors.Is(err, kv.ErrMalformed) {
			t.Errorf("%s to another value: %v", what, err)
		}
	}
	for what, f := range map[string]func(kv.Tx) error{
		"a sum of more than 64 bits": func(tx kv.Tx) error { return errors.Join(tx.Add(key, 1<<62), tx.Add(key, 1<<62)) },
		"a number beyond a set":      func(tx kv.Tx) error { return tx.SetBits(key, []uint16{kv.SetSize}) },
		"an empty key":               func(tx kv.Tx) error { return tx.Add(nil, 1) },
		"no topic":                   func(tx kv.Tx) error { return tx.Publish("", "") },
		"a long topic":               func(tx kv.Tx) error { return tx.Publish(strings.Repeat("t", kv.MaxTopic+1), "") },
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
		if members, err := kv.DecodeBits(found[1]); err != nil || members.Count() != n || members[n/64]>>(n%64)&1 == 0 {
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
