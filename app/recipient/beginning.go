package recipient

import (
	"math"
	"strconv"
	"strings"

	"svc/store"
)

// What people type to find somebody is the beginning of a username or of a user id.
// The unique indexes hold both in order, and a set for each first character says who
// has any: what nearly everybody of it has is found by who has not.

// initials are the first letter of a username and the first digit of a user id.
// Letters and digits do not meet: a username begins with a letter.
func (w Who) initials() (out []string) {
	if w.MessengerID != 0 {
		out = append(out, strconv.FormatInt(w.MessengerID, 10)[:1])
	}
	if w.Username != "" {
		out = append(out, strings.ToLower(w.Username[:1]))
	}
	return out
}

// beginning holds for those whose username or user id begins with q.
func beginning[T any](q string, initial *store.Facet[T], username, messengerID *store.Unique[T]) store.Cond[T] {
	group := initial.Any(q[:1])
	if q[0] < '0' || q[0] > '9' {
		in := store.HasPrefix(q)
		return username.Among(group, []store.Span{in}, store.HasPrefix(q[:1]).Without(in))
	}
	in, rest := numbersFrom(q)
	return messengerID.Among(group, in, rest)
}

// numbersFrom are the spans of numbers whose digits begin with q, and those that
// begin with its first digit and go on otherwise.
func numbersFrom(q string) (in, rest []store.Span) {
	first := int64(q[0] - '0')
	if first == 0 {
		return nil, nil // no number begins so
	}
	for length, unit := 1, int64(1); ; length, unit = length+1, unit*10 {
		whole := store.Between(store.Int(first*unit), store.Int((first+1)*unit))
		from, to, ok := digitsOf(q, length)
		if !ok {
			rest = append(rest, whole)
		} else {
			part := store.Between(store.Int(from), store.Int(to))
			in, rest = append(in, part), append(rest, whole.Without(part)...)
		}
		if unit > math.MaxInt64/100 { // numbers of more digits are no user ids
			return in, rest
		}
	}
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
