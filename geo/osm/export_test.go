package osm

import "io"

// OpenReader opens an extract in memory.
func OpenReader(src io.ReaderAt, size int64, path string) (*File, error) {
	return open(src, size, path)
}

// DecodeBlock decodes one uncompressed block.
func DecodeBlock(data []byte, want Kinds) (*Block, Kinds, error) {
	var d decoder
	kinds, err := d.decode(data, want)
	return &d.block, kinds, err
}

// BlobStarts gives where each data blob begins.
func BlobStarts(f *File) []int64 {
	var out []int64
	for i := range f.blobs {
		out = append(out, f.blobs[i].start)
	}
	return out
}

// Known gives the number of data blobs that were looked into.
func Known(f *File) int {
	n := 0
	for i := range f.blobs {
		if _, seen := f.blobs[i].holds(); seen {
			n++
		}
	}
	return n
}

// Varint is the fast reader of numbers.
func Varint(b []byte, p int) (uint64, int) { return varint(b, p) }

// Count counts the numbers of a packed list.
func Count(b []byte) int { return packed(b).count() }

// Place turns a stored coordinate into 1e-7 degrees; false outside the world.
func Place(granularity, offset, world, v int64) (int32, bool) {
	s := newScale(granularity, offset, world)
	if !s.fits(v) {
		return 0, false
	}
	return s.apply(v), true
}
