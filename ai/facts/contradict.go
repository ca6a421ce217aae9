package facts

import "slices"

// Compared says whether a fact has a value that a fact of another text can contradict.
func (f *Fact) Compared() bool {
	switch f.Kind {
	case Money, Percent, Duration, Clock, Date, Availability:
		return true
	}
	return false
}

// Contradict says whether two texts contradict each other: both state values of a kind, and
// neither has all that the other has.
func Contradict(a, b []Fact) bool {
	x, y := byKind(a), byKind(b)
	for kind, of := range x {
		if other := y[kind]; len(other) > 0 && !contained(of, other) && !contained(other, of) {
			return true
		}
	}
	return false
}

func byKind(list []Fact) map[Kind][]Fact {
	out := map[Kind][]Fact{}
	for i := range list {
		if list[i].Compared() {
			out[list[i].Kind] = append(out[list[i].Kind], list[i])
		}
	}
	return out
}

func contained(some, all []Fact) bool {
	for i := range some {
		if !slices.ContainsFunc(all, func(o Fact) bool { return same(&some[i], &o) }) {
			return false
		}
	}
	return true
}

func same(a, b *Fact) bool {
	return a.Min == b.Min && a.Max == b.Max && a.Unit == b.Unit && a.Name == b.Name && a.Weekday == b.Weekday && a.From.Equal(b.From) &&
		SameCurrency(a.Currency, b.Currency)
}

// SameCurrency tells whether two amounts may be of one currency: a text that names none says nothing.
func SameCurrency(a, b string) bool { return a == b || a == "" || b == "" }
