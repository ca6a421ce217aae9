package store

import (
	"encoding/binary"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"svc/store/internal/layout"
	"svc/store/kv"
)

// Key is an indexed value, encoded so that bytes sort as the values do and no key
// is the beginning of another of its kind. The nil key stands for "no value".
type Key = layout.Key

// Text sorts by bytes, which for UTF-8 is the order of code points.
func Text(s string) Key { return layout.Text(s) }

// Int sorts by size, negative numbers first.
func Int(n int64) Key { return binary.BigEndian.AppendUint64(make(Key, 0, 8), uint64(n)^1<<63) }

// Time sorts by time, to the microsecond.
func Time(t time.Time) Key { return Int(t.UnixMicro()) }

// Bool sorts false before true.
func Bool(b bool) Key {
	if b {
		return Key{1}
	}
	return Key{0}
}

// Desc turns the order of a key around: the highest comes first. The nil key
// stays nil.
func Desc(k Key) Key {
	if k == nil {
		return nil
	}
	out := make(Key, len(k))
	for i, b := range k {
		out[i] = ^b
	}
	return out
}

// Tuple sorts by its first part, then by the second, and so on. A nil part sorts
// before every other value of that part.
func Tuple(parts ...Key) Key {
	var k Key
	for _, p := range parts {
		k = layout.AppendOptional(k, p)
	}
	return k
}

// Fold makes texts equal that differ in case or in the way Unicode writes them,
// for unique names and for searching by prefix.
func Fold(s string) string { return cases.Fold().String(norm.NFKC.String(s)) }

// Span is a part of an index, by value.
type Span = layout.Span

// All is the whole index.
func All() Span { return Span{} }

// During holds the times from, inclusive, up to, exclusive, of an index over Time; a
// zero time is an open end.
func During(from, to time.Time) Span {
	bound := func(t time.Time) Key {
		if t.IsZero() {
			return nil
		}
		return Time(t)
	}
	return Between(bound(from), bound(to))
}

// Is holds the records of one value. Given a Tuple of the first parts of an index
// over tuples, it holds all records that agree in those.
func Is(k Key) Span {
	p := layout.AppendOptional(nil, k)
	return Span{From: p, To: kv.After(p)}
}

// Between holds the values from, inclusive, up to, exclusive. A nil key is an
// open end; records without a value are in no span but All and Is(nil).
func Between(from, to Key) Span {
	s := Span{From: []byte{1}, To: []byte{2}}
	if from != nil {
		s.From = layout.AppendOptional(nil, from)
	}
	if to != nil {
		s.To = layout.AppendOptional(nil, to)
	}
	return s
}

// HasPrefix holds the texts that begin with a prefix: those of Text keys, or of
// the Text behind the given parts of a Tuple.
func HasPrefix(prefix string, before ...Key) Span {
	k := Key{1}
	if len(before) > 0 {
		k = append(append(k, Tuple(before...)...), 1)
	}
	p := layout.AppendText(k, prefix)
	return Span{From: p, To: kv.After(p)}
}
