package buffer

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"svc/store/internal/layout"
	"svc/store/kv"
	"svc/store/kv/bitset"
)

// Spoil keeps a transaction whose write failed half-way from committing, also when
// its closure goes on as if nothing had happened.
func (tx *Tx) Spoil(err error) error {
	if tx.spoiled == nil {
		tx.spoiled = err
	}
	return err
}

// flush settles what was gathered: a count or a chunk that changed a thousand times
// is written once, by operations that two writers can do at a time (kv.Tx.Add).
func (tx *Tx) flush() error {
	var b kv.Batch
	if err := tx.gather(&b); err != nil {
		return tx.Spoil(err)
	}
	if len(b.Add)+len(b.SetBits)+len(b.ClearBits) == 0 {
		return nil
	}
	return tx.Spoil(malformed(tx.kv.Write(b)))
}

// Flush hands the engine all that it lacks, in one journey, together with messages and with
// additions to keys that nothing else of the transaction has.
func (tx *Tx) Flush(messages []kv.Message, more []kv.Addition) error {
	if tx.spoiled != nil {
		return tx.spoiled
	}
	var b kv.Batch
	if err := tx.gather(&b); err != nil {
		return tx.Spoil(err)
	}
	tx.buffer.gather(&b, tx.buffer.sortedGroups()...)
	b.Publish, b.Add = messages, append(b.Add, more...)
	return tx.Spoil(malformed(tx.kv.Write(b)))
}

// gather adds what changed of counts and sets to a batch. Next numbers become writes of the
// buffer.
func (tx *Tx) gather(b *kv.Batch) error {
	for key, n := range tx.next {
		if err := tx.Put([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	clear(tx.next)
	if err := tx.gatherCounts(b); err != nil {
		return err
	}
	return tx.gatherMembers(b)
}

func (tx *Tx) gatherCounts(b *kv.Batch) error {
	if len(tx.counts) == 0 {
		return nil
	}
	keys := make(map[string]int64, len(tx.counts))
	for c, by := range tx.counts {
		if by != 0 {
			keys[string(c.Key())] = by
		}
	}
	clear(tx.counts)
	for _, key := range slices.Sorted(maps.Keys(keys)) { // a tree likes that order best
		if err := tx.writesDirectly([]byte(key)); err != nil {
			return err
		}
		b.Add = append(b.Add, kv.Addition{Key: []byte(key), N: keys[key]})
	}
	return nil
}

func (tx *Tx) gatherMembers(b *kv.Batch) error {
	if len(tx.members) == 0 {
		return nil
	}
	keys := make(map[string]members, len(tx.members))
	for p, m := range tx.members {
		keys[string(p.key())] = m
	}
	clear(tx.members)
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		var in, out []uint16
		for n, member := range keys[name] {
			if member {
				in = append(in, n)
			} else {
				out = append(out, n)
			}
		}
		key := []byte(name)
		if err := tx.writesDirectly(key); err != nil {
			return err
		}
		if len(in) > 0 {
			b.SetBits = append(b.SetBits, kv.Members{Key: key, Numbers: in})
		}
		if len(out) > 0 {
			b.ClearBits = append(b.ClearBits, kv.Members{Key: key, Numbers: out})
		}
	}
	return nil
}

// malformed says that what is stored contradicts itself, if that is what went wrong.
func malformed(err error) error {
	if errors.Is(err, bitset.ErrMalformed) {
		return layout.Corrupt("a count or a chunk of a facet: %w", err)
	}
	return err
}
