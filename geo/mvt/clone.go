package mvt

import "strings"

// Clone gives the value with a text of its own: for values that are kept longer
// than the memory their text is part of.
func (v Value) Clone() Value {
	v.text = strings.Clone(v.text)
	return v
}
