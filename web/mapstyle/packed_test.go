package mapstyle

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// TestTail: another implementation of gzip reads what is put together here, for
// beginnings on both sides of the size of a stored block.
func TestTail(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, end := range []int{0, 1, 255, 256, 100_000} {
		text := make([]byte, end)
		for i := range text {
			text[i] = byte(random.IntN(4))
		}
		packed, err := newTail(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 500, maxStored - 1, maxStored, maxStored + 1, 3 * maxStored} {
			head := bytes.Repeat([]byte{'h', 'e', byte(n)}, n/3+1)[:n]
			if got := unpack(t, packed.after(head)); !bytes.Equal(got, append(bytes.Clone(head), text...)) {
				t.Errorf("%d bytes before %d bytes: %d bytes come back", n, end, len(got))
			}
		}
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte("one"), []byte("two"))
	f.Add([]byte{}, []byte{0})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		got := multiply(power(len(b)), crc32.ChecksumIEEE(a)) ^ crc32.ChecksumIEEE(b)
		if want := crc32.ChecksumIEEE(append(bytes.Clone(a), b...)); got != want {
			t.Errorf("sum of %q and %q: %08x, want %08x", a, b, got, want)
		}
	})
}

// TestInflateIsBounded: a small file does not become an endless one.
func TestInflateIsBounded(t *testing.T) {
	bomb := pack(string(make([]byte, maxInflated+1))).Data
	if _, err := inflate(bomb); err == nil {
		t.Error("16 MB and one byte are accepted")
	}
	if _, err := inflate([]byte("no gzip")); err == nil {
		t.Error("rubbish is accepted")
	}
}
