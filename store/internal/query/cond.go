// Package query finds which records a list has: those for which conditions hold, and of those a
// page.
//
// It promises exact totals, and to read about as much as the answer has. It refuses to know
// records: it answers where they lie, and asks its caller for what it cannot know without them.
package query

import (
	"slices"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/internal/numbers"
)

// Cond is a condition on the records of a table.
type Cond struct {
	load func(tx *buffer.Tx, org layout.Org) (numbers.Set, error)
	not  bool
	part *layout.Part // the index it is a span of, nil for others
	span layout.Span
}

// Not holds for the records the condition does not hold for.
func (c Cond) Not() Cond {
	c.not = !c.not
	return c
}

// Any holds for records that have at least one of the values of a facet; for none when no value
// is given.
func Any(t *layout.Table, p *layout.Part, values []string) Cond {
	return Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) {
		var out numbers.Set
		for _, v := range values {
			s, err := tx.Set(t, p.Num, org, v)
			if err != nil {
				return nil, err
			}
			out = numbers.Or(out, s)
		}
		return out, nil
	}}
}

// First is the lowest number that has a value of a facet. It reads one piece of the set.
func First(tx *buffer.Tx, t *layout.Table, p *layout.Part, org layout.Org, value string) (number uint32, found bool, err error) {
	for c, err := range tx.Chunks(t, p.Num, org, value, false) {
		if err != nil {
			return 0, false, err
		}
		if number, found := c.First(); found {
			return number, true, nil
		}
	}
	return 0, false, nil
}

// Or holds for the records for which at least one of the conditions holds; for none
// when there are none. None of them may be turned around (Not).
func Or(conds []Cond) Cond {
	return Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) {
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
func Records(t *layout.Table, ids []string) Cond {
	return Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) {
		keys := make([][]byte, 0, len(ids))
		for _, id := range ids {
			if b, ok := t.IDBytes(id); ok {
				keys = append(keys, t.RecordKey(org, b))
			}
		}
		values, err := tx.GetMany(keys)
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
				return nil, layout.Corrupt("a record of %s without a number", t.Name)
			}
			found.Add(number)
		}
		return found.Set(), nil
	}}
}

// In holds for the records of a frozen set that are still there.
func In(t *layout.Table, frozen []byte) Cond {
	return Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) {
		s, err := Frozen(frozen)
		if err != nil {
			return nil, err
		}
		all, err := tx.Set(t, 0, org, "")
		return numbers.And(s, all), err
	}}
}

// Frozen reads a frozen set.
func Frozen(b []byte) (numbers.Set, error) {
	s, err := numbers.Decode(b)
	if err != nil {
		return nil, layout.Corrupt("%w", err)
	}
	return s, nil
}

// Matching is the set of records for which all conditions hold.
func Matching(tx *buffer.Tx, t *layout.Table, org layout.Org, where []Cond) (numbers.Set, error) {
	// Those that hold come first: the first of them is the set to begin with.
	where = slices.Clone(where)
	slices.SortStableFunc(where, func(a, b Cond) int { return boolInt(a.not) - boolInt(b.not) })
	if len(where) == 0 || where[0].not {
		all := Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) { return tx.Set(t, 0, org, "") }}
		where = slices.Insert(where, 0, all)
	}
	var out numbers.Set
	for i, c := range where {
		s, err := c.load(tx, org)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			out = s
		case c.not:
			out = numbers.Without(out, s)
		default:
			out = numbers.And(out, s)
		}
	}
	return out, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
