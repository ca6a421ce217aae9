package layout

import "bytes"

// Span is a part of an index, by value: from, inclusive, up to, exclusive. Nil is an open end.
type Span struct{ From, To []byte }

// Without is what of a span lies before and behind another that lies inside it.
func (s Span) Without(inner Span) (out []Span) {
	if bytes.Compare(s.From, inner.From) < 0 {
		out = append(out, Span{s.From, inner.From})
	}
	if inner.To != nil && (s.To == nil || bytes.Compare(inner.To, s.To) < 0) {
		out = append(out, Span{inner.To, s.To})
	}
	return out
}
