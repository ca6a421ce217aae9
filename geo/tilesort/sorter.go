// Package tilesort brings the records of all tiles of a map into the order of the tiles,
// in bounded memory: workers gather batches, which are sorted one by one, kept or
// written to a temporary file, and merged at the end.
//
// It promises that every record comes out once for each tile that it covers, that no
// file is left lying however a build ends, and an error for a source that was made to
// fill the disk. It refuses to know what a record means beyond how many tiles it covers.
package tilesort

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

const (
	// batchBytes is how many bytes of records a worker gathers before they are
	// sorted.
	batchBytes = 12 << 20
	// keptBytes is how many bytes of sorted records stay in memory; later ones
	// go to a temporary file.
	keptBytes = 64 << 20
)

// Sorter brings the records of all tiles into the order of the tiles. What
// does not fit into memory waits in one temporary file that has no name, so
// that nothing is left lying however a build ends.
type Sorter struct {
	dir   string
	Limit int   // bytes of a batch that is full
	Keep  int64 // bytes that may stay in memory
	Most  int64 // bytes of all records; more is a source made to fill the disk

	mu      sync.Mutex
	file    *os.File
	end     int64 // of the file
	kept    int64
	batches []*Batch
	runs    []span
	spare   []*Batch
	records int64
	bytes   int64
}

// span is a part of the temporary file.
type span struct{ from, to int64 }

// Batch is what one worker gathers: records one behind the other, each after
// its length, and a key for each: the tile's code in the upper half, the
// position in data in the lower.
type Batch struct {
	data []byte
	keys []uint64
}

// Records take one to two times the bytes of a real source. A small one may hold an
// area as large as a country, which takes 40 MB.
const (
	sourceTimes = 200
	sourceLeast = 128 << 20
)

// New makes a Sorter for the records of so many bytes of source.
func New(dir string, source int64) *Sorter {
	return &Sorter{dir: dir, Limit: batchBytes, Keep: keptBytes, Most: max(sourceTimes*source, sourceLeast)}
}

// Add appends the record of a tile.
func (b *Batch) Add(code uint32, record []byte) {
	b.keys = append(b.keys, uint64(code)<<32|uint64(len(b.data)))
	b.data = binary.AppendUvarint(b.data, uint64(len(record)))
	b.data = append(b.data, record...)
}

// record gives the record that a key stands for.
func (b *Batch) record(key uint64) []byte {
	data := b.data[uint32(key):]
	n, size := binary.Uvarint(data)
	return data[size:][:n]
}

// Fresh gives an empty Batch.
func (s *Sorter) Fresh() *Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.spare); n > 0 {
		b := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return b
	}
	return &Batch{}
}

// Take sorts a Batch and keeps it or writes it away. The Batch belongs to the
// Sorter after that. Workers call it at once.
func (s *Sorter) Take(b *Batch) error {
	if len(b.keys) == 0 {
		return nil
	}
	slices.Sort(b.keys)
	size := int64(len(b.data) + 8*len(b.keys))
	s.mu.Lock()
	s.records += int64(len(b.keys))
	s.bytes += size
	if s.bytes > s.Most {
		s.mu.Unlock()
		return fmt.Errorf("these extracts draw %d MB, far more than maps of their size do: they hold lines or areas that span the world; check them, or build with --bounds", s.bytes>>20)
	}
	if s.kept+size <= s.Keep {
		s.kept += size
		s.batches = append(s.batches, b)
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	packed := b.pack()
	err := s.spill(packed)
	b.data, b.keys = b.data[:0], b.keys[:0]
	s.mu.Lock()
	s.spare = append(s.spare, b)
	s.mu.Unlock()
	return err
}

// pack lays the records out in order, each after the step from the code
// before and its length.
func (b *Batch) pack() []byte {
	out := make([]byte, 0, len(b.data)+3*len(b.keys))
	var last uint32
	for _, k := range b.keys {
		code, r := uint32(k>>32), b.record(k)
		out = binary.AppendUvarint(out, uint64(code-last))
		out = binary.AppendUvarint(out, uint64(len(r)))
		out = append(out, r...)
		last = code
	}
	return out
}

func (s *Sorter) spill(packed []byte) error {
	s.mu.Lock()
	if s.file == nil {
		f, err := namelessFile(s.dir)
		if err != nil {
			s.mu.Unlock()
			return fmt.Errorf("create a temporary file for the tiles: %w", err)
		}
		s.file = f
	}
	at := s.end
	s.end += int64(len(packed))
	s.runs = append(s.runs, span{at, s.end})
	f := s.file
	s.mu.Unlock()
	if _, err := f.WriteAt(packed, at); err != nil {
		return fmt.Errorf("write a temporary file of %d MB for the tiles: %w", (at+int64(len(packed)))>>20, err)
	}
	return nil
}

// namelessFile opens a file that ends with the process.
func namelessFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "svc-tiles-*.tmp")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close gives the memory and the temporary file back.
func (s *Sorter) Close() error {
	s.batches, s.spare = nil, nil
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}

// Stream is a sorted run while it is merged.
type Stream struct {
	code   uint32
	record []byte // of the current position; valid until next
	next   func(*Stream) (bool, error)
}

// Streams opens all runs; nothing may be added after that.
func (s *Sorter) Streams() []*Stream {
	s.spare = nil
	var out []*Stream
	for _, b := range s.batches {
		out = append(out, b.stream())
	}
	for _, r := range s.runs {
		out = append(out, fileStream(s.file, r))
	}
	return out
}

func (b *Batch) stream() *Stream {
	at := 0
	return &Stream{next: func(st *Stream) (bool, error) {
		if at == len(b.keys) {
			b.data, b.keys = nil, nil
			return false, nil
		}
		st.code, st.record = uint32(b.keys[at]>>32), b.record(b.keys[at])
		at++
		return true, nil
	}}
}

// runBuffer is how much of a run is read at once.
const runBuffer = 64 << 10

func fileStream(f *os.File, r span) *Stream {
	in := bufio.NewReaderSize(io.NewSectionReader(f, r.from, r.to-r.from), runBuffer)
	left := r.to - r.from
	var buf []byte
	return &Stream{next: func(st *Stream) (bool, error) {
		if left == 0 {
			return false, nil
		}
		step, err1 := binary.ReadUvarint(in)
		n, err2 := binary.ReadUvarint(in)
		if err := errors.Join(err1, err2); err != nil {
			return false, fmt.Errorf("read the temporary file of the tiles: %w", err)
		}
		if uint64(cap(buf)) < n {
			buf = make([]byte, n+n/2)
		}
		st.code += uint32(step)
		st.record = buf[:n]
		if _, err := io.ReadFull(in, st.record); err != nil {
			return false, fmt.Errorf("read the temporary file of the tiles: %w", err)
		}
		left -= int64(uvarintSize(step) + uvarintSize(n) + int(n))
		return true, nil
	}}
}

func uvarintSize(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// Full reports whether a batch is to be taken.
func (s *Sorter) Full(b *Batch) bool { return len(b.data) >= s.Limit }

// Records is the number of records that were taken.
func (s *Sorter) Records() int64 { return s.records }

// Bytes is the number of bytes that were taken.
func (s *Sorter) Bytes() int64 { return s.bytes }
