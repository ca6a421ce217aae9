package kv

import (
	"bytes"

	"github.com/tidwall/btree"
)

const (
	// arenaBlock is how many bytes of keys and values are allocated at a time.
	arenaBlock = 32 << 10
	// entryBytes is about what an entry takes besides its key and value.
	entryBytes = 96
	// nodeEntries is how many entries a node of a memtable has at the most: each commit
	// copies the nodes that it changes.
	nodeEntries = 16
)

// entry is a key with its value, nil for one that was deleted.
type entry struct{ key, value []byte }

// memtable holds what is committed and not in the tree of the file yet, by key. One that
// readers see is never changed: a commit changes a copy, which shares what stays as it is.
type memtable struct {
	entries *btree.BTreeG[entry]
	bytes   int
}

func newMemtable() *memtable {
	less := func(a, b entry) bool { return bytes.Compare(a.key, b.key) < 0 }
	return &memtable{entries: btree.NewBTreeGOptions(less, btree.Options{Degree: nodeEntries / 2, NoLocks: true})}
}

func (m *memtable) copy() *memtable { return &memtable{m.entries.IsoCopy(), m.bytes} }

func (m *memtable) empty() bool { return m.entries.Len() == 0 }

// get answers found for a key that was written, with nil when it was deleted.
func (m *memtable) get(key []byte) (value []byte, found bool) {
	e, found := m.entries.Get(entry{key: key})
	return e.value, found
}

// set keeps an entry, and answers the one that it replaces.
func (m *memtable) set(e entry) (old entry, replaced bool) {
	old, replaced = m.entries.Set(e)
	m.bytes += e.size()
	if replaced {
		m.bytes -= old.size()
	}
	return old, replaced
}

// forget takes the entry of a key away, as if the key had never been written.
func (m *memtable) forget(key []byte) {
	if old, was := m.entries.Delete(entry{key: key}); was {
		m.bytes -= old.size()
	}
}

func (e entry) size() int { return entryBytes + len(e.key) + len(e.value) }

// arena copies bytes that memtables keep. What it gave out is never written again.
type arena struct{ free []byte }

func (a *arena) clone(b []byte) []byte {
	if a.free == nil || len(b) > len(a.free) {
		if len(b) > arenaBlock/4 {
			return append(make([]byte, 0, len(b)), b...)
		}
		a.free = make([]byte, arenaBlock)
	}
	out := a.free[:len(b):len(b)]
	copy(out, b)
	a.free = a.free[len(b):]
	return out
}
