package numbers

import (
	"encoding/binary"
	"slices"
	"testing"
)

// TestFrozenSets: a set is the same after it was frozen, and bytes that Encode never writes are
// refused.
func TestFrozenSets(t *testing.T) {
	var b Builder
	in := []uint32{1, 63, 64, ChunkSize - 1, ChunkSize, 5*ChunkSize + 7, Max}
	for _, n := range in {
		b = nil
		b.Add(n)
		got, err := Decode(b.Set().Encode())
		if err != nil || !slices.Equal(got.Pick(0, 0, 10, false), []uint32{n}) {
			t.Errorf("%d comes back as %v, %v", n, got.Pick(0, 0, 10, false), err)
		}
	}
	b = nil
	for _, n := range in[:6] {
		b.Add(n)
	}
	whole := b.Set().Encode()
	if got, err := Decode(whole); err != nil || !slices.Equal(got.Pick(0, 0, 10, false), in[:6]) {
		t.Errorf("%v comes back as %v, %v", in[:6], got, err)
	}
	if got, err := Decode(nil); err != nil || got.Count() != 0 {
		t.Errorf("nothing comes back as %v, %v", got, err)
	}
	for name, bad := range map[string][]byte{
		"cut":        whole[:len(whole)-1],
		"twice":      append(slices.Clone(whole), whole...),
		"a high one": append(binary.AppendUvarint(nil, Max>>Shift+1), 0),
		"no size":    {0},
	} {
		if got, err := Decode(bad); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
