package store

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// shapes are chunks of different density.
func shapes(rnd *rand.Rand) []*words {
	out := []*words{new(words)}
	for _, n := range []int{1, 5, 600, 2000, 16000} {
		w := new(words)
		for range n {
			at := rnd.IntN(chunkBits)
			w[at/64] |= 1 << (at % 64)
		}
		out = append(out, w)
	}
	full, run := new(words), new(words)
	for i := range full {
		full[i] = ^uint64(0)
		if i > 3 && i < 200 {
			run[i] = ^uint64(0)
		}
	}
	run[3], run[200], full[7] = 1<<63, 1, ^uint64(1)
	return append(out, full, run)
}

func TestChunksSurviveStorage(t *testing.T) {
	for i, w := range shapes(rand.New(rand.NewPCG(1, 2))) {
		b := w.encode()
		if w.count() == 0 {
			if b != nil {
				t.Error("an empty chunk is stored")
			}
			continue
		}
		got, err := decodeWords(b)
		if err != nil || *got != *w || len(b) > 1+chunkBits/8 {
			t.Errorf("shape %d, %d bits in %d bytes: %v, same %v", i, w.count(), len(b), err, got != nil && *got == *w)
		}
	}
}

func FuzzDecodeWords(f *testing.F) {
	for _, w := range shapes(rand.New(rand.NewPCG(3, 4))) {
		f.Add(w.encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := decodeWords(b)
		if err != nil {
			return
		}
		again, err := decodeWords(w.encode())
		if w.count() > 0 && (err != nil || *again != *w) {
			t.Errorf("%d bits do not survive: %v", w.count(), err)
		}
	})
}

// TestSelectingNumbers compares selection by position with a plain list.
func TestSelectingNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var in sparse
		var list []uint32
		for range rnd.IntN(200) {
			n := uint32(1 + rnd.IntN(5*chunkBits))
			if rnd.IntN(3) == 0 {
				n = uint32(1 + rnd.IntN(300))
			}
			in.add(n)
			list = append(list, n)
		}
		s := in.set()
		slices.Sort(list)
		list = slices.Compact(list)
		if s.count() != len(list) {
			t.Fatalf("count %d, want %d", s.count(), len(list))
		}
		reverse, offset, limit, after := rnd.IntN(2) == 0, rnd.IntN(60), 1+rnd.IntN(60), uint32(0)
		if len(list) > 0 && rnd.IntN(2) == 0 {
			after, offset = list[rnd.IntN(len(list))], 0
		}
		want := slices.DeleteFunc(slices.Clone(list), func(n uint32) bool {
			return after != 0 && (reverse && n >= after || !reverse && n <= after)
		})
		if reverse {
			slices.Reverse(want)
		}
		want = want[min(offset, len(want)):]
		want = want[:min(limit, len(want))]
		if got := s.numbers(after, offset, limit, reverse); !slices.Equal(got, want) {
			t.Fatalf("after %d offset %d limit %d reverse %v: %v, want %v", after, offset, limit, reverse, got, want)
		}
		for range 20 {
			n := uint32(rnd.IntN(5 * chunkBits))
			if s.has(n) != slices.Contains(list, n) {
				t.Fatalf("has %d: %v", n, s.has(n))
			}
		}
	}
}

func TestKeysSortAsValuesDo(t *testing.T) {
	lists := map[string][]Key{
		"texts":  {Text(""), Text("\x00"), Text("\x00\x00"), Text("\x00a"), Text("\x01"), Text("a"), Text("a\x00"), Text("a\x00b"), Text("ab"), Text("b"), Text("ю"), Text("\xff"), Text("\xff\xff")},
		"ints":   {Int(-1 << 63), Int(-5), Int(-1), Int(0), Int(1), Int(300), Int(1<<63 - 1)},
		"bools":  {Bool(false), Bool(true)},
		"tuples": {Tuple(nil, Int(9)), Tuple(Text("a"), nil), Tuple(Text("a"), Int(1)), Tuple(Text("a"), Int(2)), Tuple(Text("ab"), nil)},
		"mixed":  {Tuple(Text("a"), Desc(Int(5))), Tuple(Text("a"), Desc(Int(-5))), Tuple(Text("b"), Desc(Int(7)))},
	}
	var down []Key
	for _, k := range slices.Backward(lists["texts"]) {
		down = append(down, Desc(k))
	}
	lists["texts down"] = down
	for name, keys := range lists {
		for i := range keys {
			for j := range keys {
				if i != j && bytes.HasPrefix(keys[i], keys[j]) {
					t.Errorf("%s: %x begins with %x", name, keys[i], keys[j])
				}
				if (i < j) != (bytes.Compare(keys[i], keys[j]) < 0) {
					t.Errorf("%s: %x and %x are in the wrong order", name, keys[i], keys[j])
				}
			}
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("", "a")
	f.Add("a\x00", "a\x00\x01")
	f.Add("\xff", "\x00\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		ka, kb := Text(a), Text(b)
		if bytes.Compare(ka, kb) != bytes.Compare([]byte(a), []byte(b)) {
			t.Errorf("%q and %q sort differently", a, b)
		}
		got, rest, ok := readText(append(slices.Clone(ka), kb...))
		if !ok || got != a || !bytes.Equal(rest, kb) {
			t.Errorf("%q reads back as %q, %x, %v", a, got, rest, ok)
		}
		s := HasPrefix(a)
		if in := s.holds(appendPart(nil, kb)); in != bytes.HasPrefix([]byte(b), []byte(a)) {
			t.Errorf("prefix %q holds %q: %v", a, b, in)
		}
	})
}
