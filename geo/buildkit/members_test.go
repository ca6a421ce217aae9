package buildkit

import (
	"testing"

	"svc/geo/osm"
)

func all(*osm.Member) bool { return true }

func TestMembers(t *testing.T) {
	var same, different []osm.Member
	for i := range int64(100_000) {
		same = append(same, osm.Member{Type: osm.TypeWay, Ref: i % 2, Role: "outer"})
		different = append(different, osm.Member{Type: osm.TypeWay, Ref: i})
	}
	for _, tt := range []struct {
		name  string
		given []osm.Member
		take  func(*osm.Member) bool
		want  int
		cut   bool
	}{
		{"none", nil, all, 0, false},
		{"repeated", same, all, 4, false},
		{"few, repeated", same[:10], all, 10, false},
		{"different", different, all, MaxMembers, true},
		{"as many as there may be", different[:MaxMembers], all, MaxMembers, false},
		{"not wanted", different, func(m *osm.Member) bool { return m.Ref < 7 }, 7, false},
		{"of another kind", append(same[:300:300], osm.Member{Type: osm.TypeNode}), all, 5, false},
	} {
		got, cut := Members(tt.given, tt.take)
		if len(got) != tt.want || cut != tt.cut || cap(got) > 2*MaxMembers {
			t.Errorf("%s: %d members in room for %d, cut %t", tt.name, len(got), cap(got), cut)
		}
	}
	changed, _ := Members(same[:1], func(m *osm.Member) bool { m.Role = "x"; return true })
	if changed[0].Role != "x" || same[0].Role != "outer" {
		t.Error("what take changes is kept, in new memory")
	}
}
