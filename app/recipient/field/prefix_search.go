package field

import (
	"math"
	"strconv"
	"strings"

	"svc/store"
)

// What people type to find somebody is the beginning of a username or of a user id.
// The unique indexes hold both in order, and a set for each first letter and for each
// two first digits says who has any: what nearly everybody of it has is found by who
// has not.

// Initials are the first letter of a username and the first two digits of a user id.
// Letters and digits do not meet: a username begins with a letter.
func (w Who) Initials() (out []string) {
	if w.MessengerID != 0 {
		digits := strconv.FormatInt(w.MessengerID, 10)
		out = append(out, digits[:min(2, len(digits))])
	}
	if w.Username != "" {
		out = append(out, strings.ToLower(w.Username[:1]))
	}
	return out
}

// PrefixSearch holds for those whose username or user id begins with q, which is not
// empty. initial has the Initials of each, the indexes their keys.
func PrefixSearch[T any](q string, initial *store.Facet[T], username, messengerID *store.Unique[T]) store.Cond[T] {
	switch digit := q[0] >= '0' && q[0] <= '9'; {
	case !digit:
		in := store.HasPrefix(q)
		return username.Among(initial.Any(q[:1]), []store.Span{in}, store.HasPrefix(q[:1]).Without(in))
	case len(q) == 1:
		all := []string{q}
		for second := range 10 {
			all = append(all, q+strconv.Itoa(second))
		}
		return initial.Any(all...)
	}
	in, rest := numbersFrom(q)
	return messengerID.Among(initial.Any(q[:2]), in, rest)
}

// numbersFrom are the spans of numbers whose digits begin with q, which has two at
// least, and of those that begin with its first two and go on otherwise.
func numbersFrom(q string) (in, rest []store.Span) {
	n, err := strconv.ParseUint(q[:2], 10, 63)
	if first := int64(n); err == nil && q[0] != '0' { // no number begins with 0
		for length, unit := 2, int64(1); unit < math.MaxInt64/1000; length, unit = length+1, unit*10 {
			whole := store.Between(store.Int(first*unit), store.Int((first+1)*unit))
			from, to, ok := digitsOf(q, length)
			if !ok {
				rest = append(rest, whole)
				continue
			}
			part := store.Between(store.Int(from), store.Int(to))
			in, rest = append(in, part), append(rest, whole.Without(part)...)
		}
	}
	return in, rest
}

// digitsOf is the span of numbers of so many digits that begin with q; false when
// there are none.
func digitsOf(q string, length int) (from, to int64, ok bool) {
	if len(q) > length {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(q, 10, 63)
	if err != nil {
		return 0, 0, false
	}
	from, to = int64(n), int64(n)+1
	for range length - len(q) {
		from, to = from*10, to*10
	}
	return from, to, true
}
