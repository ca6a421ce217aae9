package numbers

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// shapes are chunks of different density.
func shapes(rnd *rand.Rand) []*Words {
	out := []*Words{new(Words)}
	for _, n := range []int{1, 5, 600, 2000, 16000} {
		w := new(Words)
		for range n {
			at := rnd.IntN(ChunkSize)
			w[at/64] |= 1 << (at % 64)
		}
		out = append(out, w)
	}
	full, run := new(Words), new(Words)
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
		b := w.Encode()
		if w.count() == 0 {
			if b != nil {
				t.Error("an empty chunk is stored")
			}
			continue
		}
		got, err := DecodeWords(b)
		if err != nil || *got != *w || len(b) > 1+ChunkSize/8 {
			t.Errorf("shape %d, %d bits in %d bytes: %v, same %v", i, w.count(), len(b), err, got != nil && *got == *w)
		}
	}
}

func FuzzDecodeWords(f *testing.F) {
	for _, w := range shapes(rand.New(rand.NewPCG(3, 4))) {
		f.Add(w.Encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := DecodeWords(b)
		if err != nil {
			return
		}
		again, err := DecodeWords(w.Encode())
		if w.count() > 0 && (err != nil || *again != *w) {
			t.Errorf("%d bits do not survive: %v", w.count(), err)
		}
	})
}

// TestSelectingNumbers compares selection by position with a plain list.
func TestSelectingNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var in Builder
		var list []uint32
		for range rnd.IntN(200) {
			n := uint32(1 + rnd.IntN(5*ChunkSize))
			if rnd.IntN(3) == 0 {
				n = uint32(1 + rnd.IntN(300))
			}
			in.Add(n)
			list = append(list, n)
		}
		s := in.Set()
		slices.Sort(list)
		list = slices.Compact(list)
		if s.Count() != len(list) {
			t.Fatalf("count %d, want %d", s.Count(), len(list))
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
		if got := s.Pick(after, offset, limit, reverse); !slices.Equal(got, want) {
			t.Fatalf("after %d offset %d limit %d reverse %v: %v, want %v", after, offset, limit, reverse, got, want)
		}
		for range 20 {
			n := uint32(rnd.IntN(5 * ChunkSize))
			if s.Has(n) != slices.Contains(list, n) {
				t.Fatalf("has %d: %v", n, s.Has(n))
			}
		}
	}
}
