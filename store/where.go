package store

import "svc/store/internal/query"

// Cond is a condition on the records of a table.
type Cond[T any] struct{ c query.Cond }

// Not holds for the records the condition does not hold for.
func (c Cond[T]) Not() Cond[T] { return Cond[T]{c.c.Not()} }

func conditions[T any](conds []Cond[T]) []query.Cond {
	out := make([]query.Cond, len(conds))
	for i, c := range conds {
		out[i] = c.c
	}
	return out
}

// Any holds for records that have at least one of the values; for none when no
// value is given.
func (f *Facet[T]) Any(values ...string) Cond[T] {
	return Cond[T]{query.Any(f.t.layout(), &f.p.Part, values)}
}

// Or holds for the records for which at least one of the conditions holds; for none
// when there are none. None of them may be turned around (Not).
func Or[T any](conds ...Cond[T]) Cond[T] {
	return Cond[T]{query.Or(conditions(conds))}
}

// Records holds for the records of these ids; an id that no record has is passed
// over. It reads one key for each.
func (t *Table[T]) Records(ids []string) Cond[T] {
	return Cond[T]{query.Records(t.core.layout(), ids)}
}

// Where holds for records with an entry in the span. It reads as many entries as
// the span has: right for a prefix that somebody types, wrong for most of a table.
func (x *Index[T]) Where(s Span) Cond[T] {
	return Cond[T]{query.Within(x.t.layout(), &x.p.Part, s)}
}

// Where holds for records whose value lies in one of the spans. It reads as many
// entries as they have.
func (u *Unique[T]) Where(spans ...Span) Cond[T] {
	return Cond[T]{query.Within(u.t.layout(), &u.p.Part, spans...)}
}

// Among is Where for spans of a larger group: those for which group holds have their
// values in the spans or in rest, and nobody else has. It reads whichever has fewer
// entries, and about as many of the other: a prefix that nearly all of a group have
// costs what the few cost that do not.
func (u *Unique[T]) Among(group Cond[T], spans, rest []Span) Cond[T] {
	return Cond[T]{query.Among(u.t.layout(), &u.p.Part, group.c, spans, rest)}
}

// Among is Unique.Among for a sorted index with one entry a record at most.
func (x *Index[T]) Among(group Cond[T], spans, rest []Span) Cond[T] {
	return Cond[T]{query.Among(x.t.layout(), &x.p.Part, group.c, spans, rest)}
}
