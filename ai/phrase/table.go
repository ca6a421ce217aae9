package phrase

import (
	"fmt"
	"strings"
)

// Table maps words to values, with the same patterns as a lexicon. A longer pattern
// wins over a shorter one, a whole word over both.
type Table[V any] struct {
	exact, stems, starts map[string]V
	lengths              uint64
}

// Row is one line of a table: words in usual spelling, separated by spaces, that have
// the value.
type Row[V any] struct {
	Value V
	Words string
}

// NewTable makes a table. It panics about a word without letters or too long, because
// the words are part of the program. Of two rows with the same pattern the first wins.
func NewTable[V any](rows ...Row[V]) *Table[V] {
	t := &Table[V]{exact: map[string]V{}, stems: map[string]V{}, starts: map[string]V{}}
	for _, r := range rows {
		for word := range strings.FieldsSeq(r.Words) {
			into := t.exact
			switch {
			case strings.HasSuffix(word, "*"):
				into = t.starts
			case strings.HasSuffix(word, "+"):
				into = t.stems
			}
			key := Key(strings.TrimRight(word, "*+"))
			if key == "" || len(key) > maxStem {
				panic(fmt.Sprintf("phrase: %q cannot be a word of a table", word))
			}
			if _, known := into[key]; known {
				continue
			}
			into[key] = r.Value
			t.lengths |= 1 << len(key)
		}
	}
	return t
}

// Lookup is the value of a key, and how many bytes of the key its pattern has.
func (t *Table[V]) Lookup(key string) (value V, n int, ok bool) {
	if v, ok := t.exact[key]; ok {
		return v, len(key), true
	}
	for n := min(len(key), maxStem); n > 0; n-- {
		if t.lengths&(1<<n) == 0 {
			continue
		}
		if v, ok := t.stems[key[:n]]; ok && Inflected(key, n) {
			return v, n, true
		}
		if v, ok := t.starts[key[:n]]; ok {
			return v, n, true
		}
	}
	return value, 0, false
}
