// Package tagset numbers sets of attributes of features, so that a record of a build has
// a number instead of texts and equal sets have equal numbers.
//
// It promises that many may add at once. Numbers depend on who was first: they tell sets
// apart and nothing else. It refuses to be read while somebody adds.
package tagset

import (
	"encoding/binary"
	"hash/maphash"
	"strings"
	"sync"

	"svc/geo/mvt"
)

// Sets are numbered sets of attributes.
type Sets struct {
	keys   keyList
	values [shards]valueShard
	sets   [shards]setShard
	seed   maphash.Seed
}

const (
	shardBits = 4
	shards    = 1 << shardBits
)

// New makes an empty list.
func New() *Sets {
	return &Sets{seed: maphash.MakeSeed(), keys: keyList{index: map[string]uint32{}}}
}

// keyList numbers the names of attributes: a few hundred.
type keyList struct {
	mu    sync.RWMutex
	index map[string]uint32
	list  []string
}

func (k *keyList) id(key string) uint32 {
	k.mu.RLock()
	i, ok := k.index[key]
	k.mu.RUnlock()
	if ok {
		return i
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if i, ok := k.index[key]; ok {
		return i
	}
	key = strings.Clone(key)
	i = uint32(len(k.list))
	k.list = append(k.list, key)
	k.index[key] = i
	return i
}

// table is an open hash table of numbers from 1 up; 0 is a free place.
type table struct {
	slots []uint32
	count int
}

// find looks for an entry by its hash; where gives the place for it when it is
// not there.
func (t *table) find(hash uint64, same func(i uint32) bool) (i uint32, where int) {
	mask := len(t.slots) - 1
	if mask < 0 {
		return 0, -1
	}
	for where = int(hash>>shardBits) & mask; t.slots[where] != 0; where = (where + 1) & mask {
		if same(t.slots[where]) {
			return t.slots[where], where
		}
	}
	return 0, where
}

// put enters number i; rehash gives the hash of one that is there.
func (t *table) put(i uint32, where int, hash uint64, rehash func(i uint32) uint64) {
	if 3*(t.count+1) > 2*len(t.slots) {
		old := t.slots
		t.slots = make([]uint32, max(64, 2*len(old)))
		for _, o := range old {
			if o != 0 {
				_, at := t.find(rehash(o), func(uint32) bool { return false })
				t.slots[at] = o
			}
		}
		_, where = t.find(hash, func(uint32) bool { return false })
	}
	t.slots[where] = i
	t.count++
}

type valueShard struct {
	mu    sync.Mutex
	table table
	list  []mvt.Value
}

// value numbers a value.
func (t *Sets) value(v mvt.Value) uint32 {
	hash := maphash.Comparable(t.seed, v)
	shard := hash % shards
	s := &t.values[shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	i, where := s.table.find(hash, func(i uint32) bool { return s.list[i-1] == v })
	if i == 0 {
		s.list = append(s.list, v.Clone())
		i = uint32(len(s.list))
		s.table.put(i, where, hash, func(i uint32) uint64 { return maphash.Comparable(t.seed, s.list[i-1]) })
	}
	return i<<shardBits | uint32(shard)
}

type setShard struct {
	mu    sync.Mutex
	table table
	data  []byte   // key and value numbers, set after set
	ends  []uint32 // in data
}

func (s *setShard) set(i uint32) []byte {
	from := uint32(0)
	if i > 1 {
		from = s.ends[i-2]
	}
	return s.data[from:s.ends[i-1]]
}

// ID numbers a set. Equal sets list their attributes in the same order.
func (t *Sets) ID(tags []mvt.Tag) uint32 {
	var room [128]byte
	data := room[:0]
	for i := range tags {
		data = binary.AppendUvarint(data, uint64(t.keys.id(tags[i].Key)))
		data = binary.AppendUvarint(data, uint64(t.value(tags[i].Value)))
	}
	hash := maphash.Bytes(t.seed, data)
	shard := hash % shards
	s := &t.sets[shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	i, where := s.table.find(hash, func(i uint32) bool { return string(s.set(i)) == string(data) })
	if i == 0 {
		s.data = append(s.data, data...)
		s.ends = append(s.ends, uint32(len(s.data)))
		i = uint32(len(s.ends))
		s.table.put(i, where, hash, func(i uint32) uint64 { return maphash.Bytes(t.seed, s.set(i)) })
	}
	return i<<shardBits | uint32(shard)
}

// Tags appends the attributes of a set. Nothing may be added any more.
func (t *Sets) Tags(dst []mvt.Tag, id uint32) []mvt.Tag {
	in := t.sets[id%shards].set(id >> shardBits)
	number := func() uint64 {
		v, n := binary.Uvarint(in)
		in = in[n:]
		return v
	}
	for len(in) > 0 {
		k, v := number(), number()
		dst = append(dst, mvt.Tag{Key: t.keys.list[k], Value: t.values[v%shards].list[v>>shardBits-1]})
	}
	return dst
}
