package catalog

import (
	"strings"
	"testing"

	"svc/store/internal/layout"
)

// TestPlans: what has to be built and cleared follows from what a file has and what a program
// keeps, and a plan that was carried out leaves nothing to do.
func TestPlans(t *testing.T) {
	part := func(kind byte, name string, version int) layout.Part {
		p := layout.Part{Name: name, Kind: kind, Version: version}.Numbered()
		return p
	}
	table := func(numbered bool, parts ...layout.Part) Table {
		return Table{&layout.Table{Name: "people", Num: layout.TableNumber("people"), Numbered: numbered}, parts}
	}
	name, tag, email := part(layout.KindSorted, "name", 1), part(layout.KindFacet, "tag", 1), part(layout.KindUnique, "email", 1)
	tests := map[string]struct {
		had, now Table
		builds   string
		prefixes int
		all      bool
	}{
		"the same":         {had: table(false, name), now: table(false, name)},
		"a new index":      {had: table(false, name), now: table(false, name, email), builds: "unique email", prefixes: 1},
		"another version":  {had: table(false, name), now: table(false, part(layout.KindSorted, "name", 2)), builds: "index name", prefixes: 1},
		"one less":         {had: table(false, name, email), now: table(false, name), prefixes: 1},
		"the first facet":  {had: table(false, name), now: table(true, name, tag), builds: "index name, facet tag", prefixes: 7, all: true},
		"the last facet":   {had: table(true, name, tag), now: table(false, name), builds: "index name", prefixes: 7, all: true},
		"one facet of two": {had: table(true, tag, part(layout.KindFacet, "list", 1)), now: table(true, tag), prefixes: 2},
	}
	for what, tt := range tests {
		h := New(nil)
		h.Parts["people"] = tt.had.Versions()
		plans := h.Plans([]Table{tt.now})
		if len(plans) == 0 {
			if tt.prefixes > 0 {
				t.Errorf("%s: nothing is planned", what)
			}
			continue
		}
		p := plans[0]
		if p.What() != tt.builds || len(p.Prefixes()) != tt.prefixes || p.All != tt.all {
			t.Errorf("%s: builds %q, clears %d, all %v; want %q, %d, %v", what, p.What(), len(p.Prefixes()), p.All, tt.builds, tt.prefixes, tt.all)
		}
		p.Forget(&h)
		if again := h.Plans([]Table{tt.now}); strings.TrimSpace(tt.builds) != "" && len(again) == 0 {
			t.Errorf("%s: a head that forgot what changes has nothing to build", what)
		}
		p.Done(&h)
		if left := h.Plans([]Table{tt.now}); len(left) > 0 {
			t.Errorf("%s: done, and yet planned: %v", what, left)
		}
	}
}
