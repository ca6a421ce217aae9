package store

import (
	"svc/store/internal/layout"
	"svc/store/internal/numbers"
)

// Or holds for the records for which at least one of the conditions holds; for none
// when there are none. None of them may be turned around (Not).
func Or[T any](conds ...Cond[T]) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		var out numbers.Set
		for _, c := range conds {
			s, err := c.load(tx, org)
			if err != nil {
				return nil, err
			}
			if c.not {
				return nil, errNot
			}
			out = numbers.Or(out, s)
		}
		return out, nil
	}}
}

// Records holds for the records of these ids; an id that no record has is passed
// over. It reads one key for each.
func (t *Table[T]) Records(ids []string) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		keys := make([][]byte, 0, len(ids))
		for _, id := range ids {
			if b, ok := t.core.IDBytes(id); ok {
				keys = append(keys, t.core.RecordKey(org, b))
			}
		}
		values, err := tx.buf.GetMany(keys)
		if err != nil {
			return nil, err
		}
		var found numbers.Builder
		for _, v := range values {
			if v == nil {
				continue
			}
			number, _, err := layout.UnpackRecord(v)
			if err != nil {
				return nil, err
			}
			if number == 0 {
				return nil, corrupt("a record of %s without a number", t.core.Name)
			}
			found.Add(number)
		}
		return found.Set(), nil
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
	return s.Encode(), s.Count(), nil
}

// In holds for the records of a selection that are still there.
func (t *Table[T]) In(sel Selection) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		s, err := sel.open()
		if err != nil {
			return nil, err
		}
		all, err := tx.buf.Set(&t.core, 0, org, "")
		return numbers.And(s, all), err
	}}
}

// open reads what Select wrote.
func (sel Selection) open() (numbers.Set, error) {
	s, err := numbers.Decode(sel)
	if err != nil {
		return nil, corrupt("%w", err)
	}
	return s, nil
}

// Count is how many records were selected.
func (sel Selection) Count() (int, error) {
	s, err := sel.open()
	return s.Count(), err
}
