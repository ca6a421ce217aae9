package mapbuild

import (
	"cmp"
	"slices"
	"svc/geo/category"

	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/text"
)

// mergePlaces folds the node that stands for a boundary into the boundary's
// entry, so that a city is found once (map contract 8).
//
// A label node always stands for its boundary. A centre node is the seat of
// the administration and only sometimes the same place: it is folded in when
// its name is the boundary's and the boundary is a settlement by its own tag,
// or as small as one (level 7 and finer) and the finest of its name. Samarqand
// the city survives beside Samarqand the region.
func (b *builder) mergePlaces() {
	byNode := map[index.Source]int{}
	for i := range b.drafts {
		if d := &b.drafts[i]; d.Source.Type() == "n" && kindOf(int(d.Category)) == index.Place && !d.gone {
			byNode[d.Source] = i
		}
	}
	order := make([]int, len(b.relations))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Compare(b.drafts[b.relations[y].draft].level, b.drafts[b.relations[x].draft].level)
	})
	for _, role := range []string{roleLabel, roleCentre} {
		for _, i := range order {
			b.foldMembers(&b.relations[i], role, byNode)
		}
	}
}

func (b *builder) foldMembers(r *relation, role string, byNode map[index.Source]int) {
	d := &b.drafts[r.draft]
	if d.gone || kindOf(int(d.Category)) != index.Place {
		return
	}
	for _, m := range r.members {
		if m.Type != osm.TypeNode || m.Role != role {
			continue
		}
		i, ok := byNode[index.NewSource('n', m.Ref)]
		if !ok || b.drafts[i].gone {
			continue
		}
		if node := &b.drafts[i]; role == roleLabel || b.samePlace(d, node) {
			b.foldPlace(d, node)
		}
	}
}

func (b *builder) samePlace(area, node *draft) bool {
	if b.canonical(area.Name) != b.canonical(node.Name) {
		return false
	}
	if area.place != noPlace {
		return area.place == node.place
	}
	return area.level >= 7
}

// canonical is the name that merging compares.
func (b *builder) canonical(name uint32) string { return text.Canonical(b.m.Strings.String(name)) }

// foldPlace gives area what node knows and takes node out.
func (b *builder) foldPlace(area, node *draft) {
	if area.place == noPlace && node.place != noPlace {
		area.place, area.Category = node.place, node.Category
		area.size = max(area.size, node.size)
	}
	area.Point = node.Point
	b.fold(area, node)
}

// fold merges node into d: names, tags and figures that d lacks. The source
// of node resolves to d from here on.
func (b *builder) fold(d, node *draft) {
	if d.Name == 0 && node.Name != 0 {
		d.Name = node.Name
		d.Bits |= index.FlagNamed
	}
	b.mergeNames(d, node)
	b.mergeTags(d, node)
	x := d.extra()
	if node.Extra != nil {
		x.Population = max(x.Population, node.Extra.Population)
		x.Merged = append(x.Merged, node.Extra.Merged...)
	}
	x.Merged = append(x.Merged, node.Source)
	d.fame, d.complete, d.size = max(d.fame, node.fame), max(d.complete, node.complete), max(d.size, node.size)
	if d.House == 0 && node.House != 0 {
		d.House, d.Street = node.House, node.Street
		d.Bits |= index.FlagHoused
	}
	if d.Postcode == 0 {
		d.Postcode = node.Postcode
	}
	node.gone, node.folded = true, true
}

// mergeNames adds the variants of from that d lacks, in the order of keys.
func (b *builder) mergeNames(d, from *draft) {
	old, add := b.m.NamesOf(&d.Entry), b.m.NamesOf(&from.Entry)
	if len(add) == 0 {
		return
	}
	merged := slices.Clone(old)
	for _, n := range add {
		if !slices.ContainsFunc(old, func(o index.NameRef) bool { return o.Key == n.Key }) {
			merged = append(merged, n)
		}
	}
	if len(merged) == len(old) {
		return
	}
	slices.SortFunc(merged, func(x, y index.NameRef) int { return cmp.Compare(x.Key, y.Key) })
	d.Names = index.Pool{From: uint32(len(b.m.Names)), Count: uint32(len(merged))}
	b.m.Names = append(b.m.Names, merged...)
}

// mergeTags adds the tags of from that d lacks.
func (b *builder) mergeTags(d, from *draft) {
	old := b.m.TagsOf(&d.Entry)
	merged := slices.Clone(old)
	for _, t := range b.m.TagsOf(&from.Entry) {
		if !slices.ContainsFunc(old, func(o index.TagRef) bool { return o.Key == t.Key }) {
			merged = append(merged, t)
		}
	}
	if len(merged) == len(old) {
		return
	}
	d.Tags = index.Pool{From: uint32(len(b.m.Tags)), Count: uint32(len(merged))}
	b.m.Tags = append(b.m.Tags, merged...)
}

// collectAreas lists the polygons that make addresses: boundaries by their
// level, and settlements and their parts drawn without one.
func (b *builder) collectAreas() {
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone || d.Extra == nil || len(d.Extra.Shape) == 0 || kindOf(int(d.Category)) != index.Place {
			continue
		}
		level := d.level
		if level == 0 {
			level = unofficialLevels[category.All()[d.Category].ID]
		}
		if level > 0 || contextOnly[category.All()[d.Category].ID] {
			b.areas = append(b.areas, area{draft: i, level: level, place: d.place.areaPlace()})
		}
	}
}

// unofficialLevels are the levels at which a place drawn as an area without an
// admin_level takes part: a neighbourhood is one whoever drew it.
var unofficialLevels = map[string]uint8{
	"place.city": 8, "place.town": 8, "place.suburb": 9, "place.neighbourhood": 10,
}

// contextOnly are places that entries can be asked by and that set no field of an
// address: their level is 0.
var contextOnly = map[string]bool{"place.village": true, "place.island": true, "place.locality": true, "place.district": true, "place.region": true}

// area is an administrative polygon of drafts[draft].
type area struct {
	draft int
	level uint8 // 0 for one that is a context only
	place index.PlaceTag
}
