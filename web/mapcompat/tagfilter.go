package mapcompat

import "strings"

// tagFilter is one osm_tag parameter of Photon: which objects to keep or to leave
// out by the tag that says what they are. An empty key or value stands for any.
type tagFilter struct {
	key, value string
	exclude    bool // objects with this tag are left out
	otherValue bool // objects with this key and another value are kept
}

// readTagFilters reads key:value, key, :value, each with ! in front to leave out,
// and key:!value. wrong is the first that is none.
func readTagFilters(texts []string) (out []tagFilter, wrong string) {
	for _, text := range texts {
		var f tagFilter
		rest, exclude := strings.CutPrefix(text, "!")
		key, value, _ := strings.Cut(rest, ":")
		if v, other := strings.CutPrefix(value, "!"); other {
			value, f.otherValue = v, true
		}
		if key == "" && value == "" || f.otherValue && (exclude || key == "" || value == "") || strings.Contains(value, ":") {
			return nil, text
		}
		f.key, f.value, f.exclude = key, value, exclude
		out = append(out, f)
	}
	return out, ""
}

func (f tagFilter) matches(key, value string) bool {
	if f.otherValue {
		return f.key == key && f.value != value
	}
	return (f.key == "" || f.key == key) && (f.value == "" || f.value == value)
}

// passes: none of the filters that leave out matches, and one of the others when
// there are any.
func (o *object) passes(filters []tagFilter) bool {
	wanted, hit := false, false
	for _, f := range filters {
		switch {
		case f.exclude && f.matches(o.key, o.value):
			return false
		case !f.exclude:
			wanted, hit = true, hit || f.matches(o.key, o.value)
		}
	}
	return !wanted || hit
}
