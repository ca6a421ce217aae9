package buildkit

import "svc/geo/osm"

// MaxMembers is how many members a relation may have in the source's database;
// one with more is made up, and only so many are read.
const MaxMembers = 32_000

// TooManyMembers is the problem of such a relation.
const TooManyMembers = "more than 32000 members"

// Members gives the members of a relation that take wants, without those that are
// there a third time and more: a file can repeat one a million times in a few
// bytes, each of which would cost forty in memory. The second stays, for the report
// of what is wrong with the relation. The result is in new memory. cut says that
// there were more than MaxMembers.
func Members(all []osm.Member, take func(*osm.Member) bool) (kept []osm.Member, cut bool) {
	type object struct {
		kind osm.Type
		id   int64
	}
	var times map[object]uint8
	if len(all) > few {
		times = make(map[object]uint8, min(len(all), MaxMembers))
	}
	for i := range all {
		m := all[i]
		if !take(&m) {
			continue
		}
		o := object{m.Type, m.Ref}
		if times != nil && times[o] > 1 {
			continue
		}
		if len(kept) == MaxMembers {
			return kept, true
		}
		if times != nil {
			times[o]++
		}
		kept = append(kept, m)
	}
	return kept, false
}

// few members are not worth the counting.
const few = 256
