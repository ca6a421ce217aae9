package api

import "slices"

// Transition is one row of the life of a thing: from any of these states, when
// this happens, to that state.
type Transition[S, E comparable] struct {
	From []S
	On   E
	To   S
}

// Table is the whole life of a thing. Nobody sets a state; a slice's apply
// looks the next one up here.
type Table[S, E comparable] []Transition[S, E]

// Next is the state after event on in state from; ok is false when that cannot
// happen, which an operation answers with ErrState.
func (t Table[S, E]) Next(from S, on E) (to S, ok bool) {
	for i := range t {
		if t[i].On == on && slices.Contains(t[i].From, from) {
			return t[i].To, true
		}
	}
	return to, false
}
