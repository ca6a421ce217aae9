package tagset

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/geo/mvt"
)

// TestTagSets: equal sets have equal numbers, from any worker, and come back as
// they were.
func TestTagSets(t *testing.T) {
	s := New()
	set := func(i int) []mvt.Tag {
		tags := []mvt.Tag{{Key: "kind", Value: mvt.String(fmt.Sprint("k", i%7))}}
		if i%2 == 0 {
			tags = append(tags, mvt.Tag{Key: "name", Value: mvt.String(strings.Repeat("x", i))}, mvt.Tag{Key: "name_uz", Value: mvt.Int(int64(i))})
		}
		if i%3 == 0 {
			tags = append(tags, mvt.Tag{Key: "f", Value: mvt.Float(float64(i) / 3)}, mvt.Tag{Key: "b", Value: mvt.Bool(i%6 == 0)})
		}
		return tags
	}
	const n = 500
	var ids [4][n]uint32
	var busy sync.WaitGroup
	for w := range ids {
		busy.Go(func() {
			for i := range n {
				ids[w][(i+w*100)%n] = s.ID(set((i + w*100) % n))
			}
		})
	}
	busy.Wait()
	for i := range n {
		for w := range ids {
			if ids[w][i] != ids[0][i] {
				t.Fatalf("set %d has the numbers %d and %d", i, ids[0][i], ids[w][i])
			}
		}
		if got := s.Tags(nil, ids[0][i]); !slices.Equal(got, set(i)) {
			t.Fatalf("set %d came back as %v", i, got)
		}
	}
	if empty := s.Tags(nil, s.ID(nil)); len(empty) != 0 {
		t.Errorf("the empty set has %v", empty)
	}
}
