package store

import "encoding/binary"

// Or holds for the records for which at least one of the conditions holds; for none
// when there are none. None of them may be turned around (Not).
func Or[T any](conds ...Cond[T]) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org orgID) (set, error) {
		var out set
		for _, c := range conds {
			s, err := c.load(tx, org)
			if err != nil {
				return nil, err
			}
			if c.not {
				return nil, errNot
			}
			out = combine(out, s, or)
		}
		return out, nil
	}}
}

// Records holds for the records of these ids; an id that no record has is passed
// over. It reads one key for each.
func (t *Table[T]) Records(ids []string) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org orgID) (set, error) {
		keys := make([][]byte, 0, len(ids))
		for _, id := range ids {
			if b, ok := t.idBytes(id); ok {
				keys = append(keys, t.recordKey(org, b))
			}
		}
		values, err := tx.getMany(keys)
		if err != nil {
			return nil, err
		}
		var found sparse
		for _, v := range values {
			if v == nil {
				continue
			}
			number, _, err := unpackRecord(v)
			if err != nil {
				return nil, err
			}
			if number == 0 {
				return nil, corrupt("a record of %s without a number", t.name)
			}
			found.add(number)
		}
		return found.set(), nil
	}}
}

// Selection is a set of records of one table and organization, frozen: it may be
// stored, and means the same records later. A million records take some 130 KB, a
// few or those that were saved one after the other much less. Numbers of records are
// never used again, so a record that was deleted has no successor in it.
type Selection []byte

// Select freezes the records for which all conditions hold, and says how many there
// are. The table needs facets.
func (t *Table[T]) Select(tx *Tx, org string, where ...Cond[T]) (Selection, int, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, 0, err
	}
	s, err := t.matching(tx, o, where)
	if err != nil {
		return nil, 0, err
	}
	out := Selection{}
	for _, c := range s {
		b := c.w.encode()
		out = binary.AppendUvarint(out, uint64(c.at))
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out, s.count(), nil
}

// In holds for the records of a selection that are still there.
func (t *Table[T]) In(sel Selection) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org orgID) (set, error) {
		s, err := sel.open()
		if err != nil {
			return nil, err
		}
		all, err := tx.facet(&t.core, 0, org, "")
		return combine(s, all, and), err
	}}
}

// open reads what Select wrote.
func (sel Selection) open() (out set, err error) {
	last := -1
	for b := []byte(sel); len(b) > 0; {
		at, n := binary.Uvarint(b)
		if n <= 0 || at > maxNumber>>chunkShift || int(at) <= last {
			return nil, corrupt("a selection whose chunks do not ascend")
		}
		size, m := binary.Uvarint(b[n:])
		if m <= 0 || size > uint64(len(b)-n-m) {
			return nil, corrupt("a selection that ends early")
		}
		b = b[n+m:]
		w, err := decodeWords(b[:size])
		if err != nil {
			return nil, err
		}
		out, last, b = append(out, chunkAt{uint32(at), w}), int(at), b[size:]
	}
	return out, nil
}

// Count is how many records were selected.
func (sel Selection) Count() (int, error) {
	s, err := sel.open()
	return s.count(), err
}
