package kvtest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"svc/store/kv"
	"svc/store/kv/bitset"
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
		o := op{kind: m.rnd.IntN(13), key: m.key(), value: fmt.Sprint(m.step, ".", i)}
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
		o.n, o.numbers = int64(m.rnd.IntN(7)-3), []uint16{uint16(m.rnd.IntN(4)), uint16(m.rnd.IntN(bitset.Size))}
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
			if x := (kv.Message{Topic: "t " + o.key, Payload: o.value}); o.kind >= publish && !slices.Contains(told, x) {
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
				"write": tx.Write(kv.Batch{}), "put": tx.Put(key, nil), "add": tx.Add(key, o.n), "set": tx.SetBits(key, o.numbers), "clear": tx.ClearBits(key, nil), "publish": tx.Publish("t", ""),
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

// Kinds of operations that tell: publish alone, those above it with other writes.
const publish = 10

func (m *model) do(tx kv.Tx, now map[string]string, o op) {
	var err error
	switch o.kind {
	case 7: // numbers and sets have keys of their own: their values have a form
		key := "n" + o.key
		err = tx.Add([]byte(key), o.n)
		addTo(now, key, o.n)
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
	default:
		err = m.write(tx, now, o)
	}
	if err != nil {
		m.t.Errorf("%+v: %v", o, err)
	}
}

// write does in one batch what the other operations do, some of it to the same keys.
func (m *model) write(tx kv.Tx, now map[string]string, o op) error {
	number, set := "n"+o.key, "s"+o.key
	addTo(now, number, o.n)
	addTo(now, number, 1)
	changeSet(now, set, o.numbers, true)
	changeSet(now, set, o.numbers[:1], false)
	delete(now, o.keys[0])
	b := kv.Batch{
		Add:       []kv.Addition{{Key: []byte(number), N: o.n}, {Key: []byte(number), N: 1}},
		SetBits:   []kv.Members{{Key: []byte(set), Numbers: o.numbers}},
		ClearBits: []kv.Members{{Key: []byte(set), Numbers: o.numbers[:1]}},
		Delete:    [][]byte{[]byte(o.keys[0])},
		Publish:   []kv.Message{{Topic: "t " + o.key, Payload: o.value}},
	}
	for _, k := range o.keys[1:] {
		b.Put = append(b.Put, kv.Pair{Key: []byte(k), Value: []byte(o.value)})
		now[k] = o.value
	}
	return tx.Write(b)
}

// addTo is what Add does.
func addTo(now map[string]string, key string, n int64) {
	sum, _ := binary.Varint([]byte(now[key]))
	if now[key] = string(binary.AppendVarint(nil, sum+n)); sum+n == 0 {
		delete(now, key)
	}
}

// changeSet is what SetBits and ClearBits do.
func changeSet(now map[string]string, key string, numbers []uint16, member bool) {
	set := &bitset.Set{}
	if old, ok := now[key]; ok {
		set, _ = bitset.Decode([]byte(old))
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
