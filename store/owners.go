package store

import (
	"iter"

	"svc/store/internal/index"
)

// Owners lists the organizations that have records in the table, Platform among them
// when it has some, at most limit of them, beginning behind a cursor when one is
// given. next is nil when nothing is left. It looks at keys alone: a record that does
// not decode has an owner too.
func (t *Table[T]) Owners(tx *Tx, after Cursor, limit int) (orgs []string, next Cursor, err error) {
	if err := t.core.known(tx); err != nil {
		return nil, nil, err
	}
	if limit <= 0 {
		return nil, nil, errNoLimit
	}
	orgs, next, err = index.Owners(&tx.buf, t.core.layout(), after, limit)
	return orgs, next, err
}

// ownersAtATime bounds a look at the organizations.
const ownersAtATime = 200

// EachOwner yields the organizations of Owners, all of them.
func (t *Table[T]) EachOwner(tx *Tx) iter.Seq2[string, error] {
	pages := each(func(after Cursor) ([]string, Cursor, error) { return t.Owners(tx, after, ownersAtATime) })
	return func(yield func(string, error) bool) {
		for org, err := range pages {
			if err != nil {
				yield("", err)
				return
			}
			if !yield(*org, nil) {
				return
			}
		}
	}
}

// Anywhere reads the record of that id, whichever organization has it, the first of
// them if several have; ErrNotFound for none. It asks one organization after another,
// so it is for administrators.
func (t *Table[T]) Anywhere(tx *Tx, id string) (Of[T], error) {
	for org, err := range t.EachOwner(tx) {
		if err != nil {
			return Of[T]{}, err
		}
		if rec, err := t.Get(tx, org, id); !IsNotFound(err) {
			return Of[T]{org, rec}, err
		}
	}
	return Of[T]{}, ErrNotFound
}
