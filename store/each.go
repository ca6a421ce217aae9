package store

import "iter"

// eachAtATime is how many records Each holds in memory.
const eachAtATime = 500

// Each goes through the records of an organization in the order of their ids, beginning behind
// an id ("" for all), a few hundred in memory at a time. The records that it yields may be
// changed and removed on the way. After an error it yields nothing more.
func (t *Table[T]) Each(tx *Tx, org, behind string) iter.Seq2[*T, error] {
	return each(func(after Cursor) ([]T, Cursor, error) {
		if after == nil && behind != "" {
			after, _ = t.Behind(behind) // an id that no record can have is behind none
		}
		return t.Walk(tx, org, after, eachAtATime)
	})
}

// Each is Table.Each in the order of the index, of the records of a span.
func (x *Index[T]) Each(tx *Tx, org string, s Span) iter.Seq2[*T, error] {
	return each(func(after Cursor) ([]T, Cursor, error) {
		return x.Walk(tx, org, Range{Span: s, After: after, Limit: eachAtATime})
	})
}

// Each is Index.Each over all organizations.
func (x *IndexAcross[T]) Each(tx *Tx, s Span) iter.Seq2[*Of[T], error] {
	return each(func(after Cursor) ([]Of[T], Cursor, error) {
		return x.Walk(tx, Range{Span: s, After: after, Limit: eachAtATime})
	})
}

// each yields the records of pages.
func each[R any](page func(after Cursor) ([]R, Cursor, error)) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		for after, more := Cursor(nil), true; more; more = after != nil {
			list, next, err := page(after)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range list {
				if !yield(&list[i], nil) {
					return
				}
			}
			after = next
		}
	}
}
