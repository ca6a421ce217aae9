package catalog

import (
	"maps"
	"strings"

	"svc/store/internal/layout"
)

// Table is a table of the program with what it keeps beside its records.
type Table struct {
	*layout.Table
	Parts []layout.Part
}

// Plan is what has to be built or dropped in one table.
type Plan struct {
	Table *layout.Table
	Build []layout.Part
	drop  []layout.Part // to clear, those of Build included
	now   map[string]int
	// All says that the records get or lose their numbers, and that everything is built.
	All bool
}

// What names the parts that are built.
func (p Plan) What() string {
	var out []string
	for _, x := range p.Build {
		out = append(out, x.Label())
	}
	return strings.Join(out, ", ")
}

// recordsLabel stands for the table's own counts and numbers in the head.
const recordsLabel = "records"

// Versions gives the versions of the parts of a table. The records' own is 3 when
// they have numbers; it was 2 when unique entries did not know them.
func (t Table) Versions() map[string]int {
	out := map[string]int{recordsLabel: 1}
	if t.Numbered {
		out[recordsLabel] = 3
	}
	for _, p := range t.Parts {
		out[p.Label()] = p.Version
	}
	return out
}

// Plans compares the tables with what the file holds.
func (h Head) Plans(tables []Table) (out []Plan) {
	for _, t := range tables {
		had, p := h.Parts[t.Name], Plan{Table: t.Table, now: t.Versions()}
		p.All = had[recordsLabel] != p.now[recordsLabel]
		for _, x := range t.Parts {
			if had[x.Label()] != x.Version || p.All {
				p.Build, p.drop = append(p.Build, x), append(p.drop, x)
			}
		}
		for label := range had {
			if _, here := p.now[label]; !here {
				p.drop = append(p.drop, layout.FromLabel(label))
			}
		}
		if p.All || len(p.drop) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// Forget takes out of a head what is about to change.
func (p Plan) Forget(h *Head) {
	parts := h.parts(p.Table.Name)
	for _, x := range p.drop {
		delete(parts, x.Label())
	}
	if p.All {
		delete(parts, recordsLabel)
	}
}

// Done notes in a head what was built.
func (p Plan) Done(h *Head) {
	parts := h.parts(p.Table.Name)
	clear(parts)
	maps.Copy(parts, p.now)
}

// parts are the versions of a table, to be changed.
func (h *Head) parts(table string) map[string]int {
	if h.Parts == nil {
		h.Parts = map[string]map[string]int{}
	}
	if h.Parts[table] == nil {
		h.Parts[table] = map[string]int{}
	}
	return h.Parts[table]
}

// Prefixes are the key ranges of what is dropped.
func (p Plan) Prefixes() (out [][]byte) {
	c := p.Table
	for _, x := range p.drop {
		out = append(out, c.PartKey(x.Kind, x.Num, nil))
		if x.Kind == layout.KindFacet {
			out = append(out, c.PartKey(layout.KindCount, x.Num, nil))
		}
	}
	if p.All {
		out = append(out, c.PartKey(layout.KindCount, 0, nil), c.PartKey(layout.KindFacet, 0, nil), layout.Space(c.Num, layout.KindNumber), layout.Space(c.Num, layout.KindNext))
	}
	return out
}
