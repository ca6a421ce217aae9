package store

import "svc/store/internal/query"

// Selection is a set of records of one table and organization, frozen: it may be
// stored, and means the same records later. A million records take some 130 KB, a
// few or those that were saved one after the other much less. Numbers of records are
// never used again, so a record that was deleted has no successor in it.
type Selection []byte

// Select freezes the records for which all conditions hold, and says how many there
// are. The table needs facets.
func (t *Table[T]) Select(tx *Tx, org string, where ...Cond[T]) (Selection, int, error) {
	o, err := t.core.at(tx, org)
	if err != nil {
		return nil, 0, err
	}
	s, err := query.Matching(&tx.buf, t.core.layout(), o, conditions(where))
	if err != nil {
		return nil, 0, err
	}
	return s.Encode(), s.Count(), nil
}

// In holds for the records of a selection that are still there.
func (t *Table[T]) In(sel Selection) Cond[T] {
	return Cond[T]{query.In(t.core.layout(), sel)}
}

// Count is how many records were selected.
func (sel Selection) Count() (int, error) {
	s, err := query.Frozen(sel)
	return s.Count(), err
}
