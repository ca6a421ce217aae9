package index

import (
	"errors"
	"math"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// Interner keeps each distinct text once and numbers it by first use; text 0
// is the empty one. It costs about the bytes of the texts plus nine a text.
type Interner struct {
	bytes []byte
	ends  []uint32
	slots []uint32 // id+1, open addressing
	over  bool
}

// NewInterner is an interner that knows only the empty text.
func NewInterner() *Interner {
	t := &Interner{slots: make([]uint32, 1<<12)}
	t.ID("")
	return t
}

// ID is the number of s, given on first use.
func (t *Interner) ID(s string) uint32 {
	if len(t.ends)*4 >= len(t.slots)*3 {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	i := xxhash.Sum64String(s) & mask
	for t.slots[i] != 0 {
		if id := t.slots[i] - 1; t.String(id) == s {
			return id
		}
		i = (i + 1) & mask
	}
	if uint64(len(t.bytes))+uint64(len(s)) > math.MaxUint32 {
		t.over = true
		return 0
	}
	id := uint32(len(t.ends))
	t.bytes = append(t.bytes, s...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	t.slots[i] = id + 1
	return id
}

func (t *Interner) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for id := range t.ends {
		i := xxhash.Sum64String(t.String(uint32(id))) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(id) + 1
	}
}

// String is the text of id, valid until the next ID.
func (t *Interner) String(id uint32) string { return textAt(t.bytes, t.ends, id) }

// Len is the number of texts.
func (t *Interner) Len() int { return len(t.ends) }

func (t *Interner) err() error {
	if t.over {
		return errors.New("the names of this map exceed 4 GiB: build it from smaller extracts")
	}
	return nil
}

// textAt is text id of a blob; ends[id] is where it ends.
func textAt(blob []byte, ends []uint32, id uint32) string {
	var from uint32
	if id > 0 {
		from = ends[id-1]
	}
	return view(blob[from:ends[id]])
}

// view shows bytes as a string without copying them.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Text is string id of the file. It shows the file's own bytes: valid only
// while the index is held, cloned by whoever keeps it longer.
func (x *Index) Text(id uint32) string {
	if id == 0 {
		return ""
	}
	return textAt(x.strings, x.stringEnds, id)
}
