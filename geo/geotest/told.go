package geotest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"svc/geo/result"
)

// place writes what /api/place answers, a line for each part.
func (b *built) place(q *question) []string {
	lang := q.lang()
	id, ok := b.found(q)
	if !ok {
		return []string{"not found"}
	}
	p := result.NewPlace(b.x, id, lang, true, now)
	out := []string{
		b.show(q, &p.Result, "kind"),
		fmt.Sprintf("label %q full_address %q", p.Label, p.FullAddress),
		"address " + address(p.Address),
		"names " + pairs(p.Names),
		"tags " + pairs(p.Tags),
	}
	details, err := json.Marshal(p.Details)
	if err != nil {
		q.fail(err)
	}
	out = append(out, "details "+string(details))
	more := fmt.Sprintf("mapsrc %s%d population=%d admin_level=%d", p.MapSource.Type, p.MapSource.ID, p.Population, p.AdminLevel)
	if p.PhotoHint != "" {
		more += " photo_hint=" + p.PhotoHint
	}
	if p.GeometryURL != "" {
		more += " geometry"
	}
	return append(out, more)
}

func (b *built) built() []string {
	if b.err != nil {
		return []string{"error: " + b.err.Error()}
	}
	return []string{fmt.Sprintf("ok, %d entries", b.report.Entries)}
}

// told writes the parts of the build report that do not depend on the machine.
func (b *built) told(*question) []string {
	r := b.report
	out := []string{fmt.Sprintf("entries=%d areas=%d", r.Entries, r.Areas), "categories " + counts(r.Categories)}
	if len(r.Nameless) > 0 {
		out = append(out, "nameless "+counts(r.Nameless))
	}
	for _, broken := range r.Broken {
		out = append(out, fmt.Sprintf("broken r%d %q %s", broken.Relation, broken.Name, broken.Problem))
	}
	for _, s := range r.BelowStreet {
		out = append(out, "below street "+s)
	}
	for _, s := range r.AboveCity {
		out = append(out, "above city "+s)
	}
	return out
}

func counts(m map[string]int) string {
	var parts []string
	for k, v := range m {
		parts = append(parts, fmt.Sprintf("%s=%d", k, v))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func pairs(m map[string]string) string {
	if len(m) == 0 {
		return "{}"
	}
	var parts []string
	for k, v := range m {
		parts = append(parts, fmt.Sprintf("%s=%q", k, v))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

func address(a result.Address) string {
	data, err := json.Marshal(a)
	if err != nil {
		return err.Error()
	}
	var m map[string]string
	if err := json.Unmarshal(data, &m); err != nil {
		return err.Error()
	}
	return pairs(m)
}
