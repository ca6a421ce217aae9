package search

import "slices"

// inAreaName reports whether those of the query words of a mask that are none of a place are
// part of the whole name of an area: "Coastal Highway, Rehoboth Beach" asks for no beach. The
// words of such a name stand together in the query.
func (r *request) inAreaName(mask uint32, place []string) bool {
	first, last := -1, -1
	for i := range r.words {
		if mask&(1<<i) != 0 && !slices.Contains(place, r.words[i].text) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return false
	}
	for from := first; from >= 0 && mask&(1<<from) != 0; from-- {
		for to := last; to < len(r.words) && mask&(1<<to) != 0; to++ {
			if to > from && r.engine.x.IsArea(termsOf(r.words[from:to+1])) {
				return true
			}
		}
	}
	return false
}

// termsOf are the terms that words are; nil when the map does not have one of them.
func termsOf(words []word) (out []uint32) {
	for i := range words {
		if words[i].equal.Len() == 0 {
			return nil
		}
		out = append(out, words[i].equal.From)
	}
	return out
}
