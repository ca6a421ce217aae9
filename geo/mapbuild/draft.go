package mapbuild

import (
	"math"
	"strconv"
	"strings"

	"svc/geo/category"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osmtags"
	"svc/geo/text"
)

// draft is an object on its way to becoming an entry.
type draft struct {
	index.Entry
	refs     refs    // the nodes of a way
	size     float32 // importance by size where the tags alone tell it; below 0 when geometry must
	fame     float32
	complete float32
	class    index.RoadClass
	level    uint8 // admin_level of a boundary, 0 otherwise
	place    placeCode
	isIn     uint32 // the tag is_in
	placed   bool   // its tags name the place that its number counts in
	folded   bool   // merged into another entry
	repeated bool   // of an object that an earlier extract holds
	gone     bool   // merged into another entry, or outside the bounds
}

// record is what one block says of an object: made by a worker, numbered by
// the collector. Its strings belong to the block's text, which the collector
// lets go.
type record struct {
	src      index.Source
	lat, lon int32
	refs     []int64
	members  []osm.Member
	cut      bool // there are more members
	tags     osm.Tags
	category int // -1 for a way that only a relation or an interpolation needs
	size     float32
	fame     float32
	complete float32
	class    index.RoadClass
	level    uint8
	interp   string // value of addr:interpolation
}

// placeCode is the part of place=* that merging asks for.
type placeCode uint8

const (
	noPlace placeCode = iota
	placeCity
	placeTown
	placeVillage
	placeOther
)

func placeOf(value string) placeCode {
	switch value {
	case "":
		return noPlace
	case "city":
		return placeCity
	case "town":
		return placeTown
	case "village", "hamlet":
		return placeVillage
	}
	return placeOther
}

// areaPlace is the place tag as address assembly reads it.
func (p placeCode) areaPlace() index.PlaceTag {
	switch p {
	case placeCity:
		return index.CityPlace
	case placeTown:
		return index.TownPlace
	}
	return index.OtherPlace
}

// describe fills the parts of r that the tags alone decide. It returns false
// when the object is nothing that the map holds.
func describe(r *record, tags osm.Tags, area bool) bool {
	r.category = -1
	at, ok := matchCategory(r.src, tags, area, osmtags.PrimaryName(tags, true))
	if ok && kindOf(at) != index.POI && osmtags.PrimaryName(tags, false) == "" {
		// A brand or operator names a point of interest and nothing else.
		at, ok = matchCategory(r.src, tags, area, "")
	}
	if !ok {
		return false
	}
	r.category = at
	r.fame, r.complete = osmtags.FameOf(tags), osmtags.CompletenessOf(tags)
	r.size = osmtags.SizeOf(category.All()[at].ID, tags)
	r.class = osmtags.RoadClasses[strings.TrimSuffix(tags.Get("highway"), "_link")]
	if tags.Get("boundary") == "administrative" {
		r.level = adminLevel(tags)
	}
	return true
}

func matchCategory(src index.Source, tags osm.Tags, area bool, name string) (int, bool) {
	return category.Match(category.Object{Tags: tags, Kind: src.Type()[0], Named: name != "", Area: area, PrimaryName: name})
}

func adminLevel(tags osm.Tags) uint8 {
	n, err := strconv.Atoi(tags.Get("admin_level"))
	if err != nil || n < 2 || n > 11 {
		return 0
	}
	return uint8(n)
}

// intern turns a record into a draft: its texts become string ids.
func (c *collector) intern(r *record) draft {
	kind := kindOf(r.category)
	d := draft{
		Entry: index.Entry{Source: r.src, StreetEntry: -1, Category: uint8(r.category)},
		size:  r.size, fame: r.fame, complete: r.complete, class: r.class, level: r.level,
		place: placeOf(r.tags.Get("place")),
	}
	d.Point.X, d.Point.Y = r.lon, r.lat
	c.internTags(&d, r.tags)
	if kind != index.Address {
		d.Name = c.id(osmtags.PrimaryName(r.tags, kind == index.POI))
		c.internNames(&d, r.tags)
	}
	c.internAddress(&d, r.tags, kind)
	d.isIn = c.id(r.tags.Get("is_in"))
	if n := osmtags.Number(r.tags.Get("population")); n > 0 || d.level > 0 {
		d.Extra = &index.Extra{Population: int(min(n, math.MaxInt32)), AdminLevel: int(d.level), Box: emptyBox}
	}
	if d.Name != 0 || kind == index.Address {
		d.Bits |= index.FlagNamed
	}
	if d.House != 0 {
		d.Bits |= index.FlagHoused
	}
	return d
}

func kindOf(cat int) index.Kind {
	k, _ := index.ParseKind(category.KindOf(cat))
	return k
}

// id numbers a text as it is stored.
func (c *collector) id(s string) uint32 { return c.m.Strings.ID(text.Clean(s)) }

func (c *collector) internTags(d *draft, tags osm.Tags) {
	d.Tags.From = uint32(len(c.m.Tags))
	for _, t := range tags {
		key := c.keys[osmtags.StoredKey(t.Key)]
		value := c.id(t.Value)
		if key == 0 || value == 0 || c.hasTag(d, key) {
			continue
		}
		c.m.Tags = append(c.m.Tags, index.TagRef{Key: key, Value: value})
		d.Tags.Count++
	}
}

func (c *collector) hasTag(d *draft, key uint32) bool {
	for _, t := range c.m.TagsOf(&d.Entry) {
		if t.Key == key {
			return true
		}
	}
	return false
}

// internNames stores the variants in the order of index.NameKeys. A Cyrillic
// name:uz counts as uz-Cyrl too when that is empty (section 8, "Names").
func (c *collector) internNames(d *draft, tags osm.Tags) {
	var values [len(index.NameKeys)]uint32
	for _, t := range tags {
		if k := osmtags.VariantKey(t.Key); k != "" && c.languages.has(k) {
			if i := nameIndex(k); values[i] == 0 {
				values[i] = c.id(t.Value)
			}
		}
	}
	if uz := values[index.NameUZ]; uz != 0 && values[index.NameUZCyrl] == 0 && isCyrillic(c.m.Strings.String(uz)) && c.languages.has("uz-Cyrl") {
		values[index.NameUZCyrl] = uz
	}
	d.Names.From = uint32(len(c.m.Names))
	for i, v := range values {
		if v != 0 {
			c.m.Names = append(c.m.Names, index.NameRef{Key: uint8(i), Value: v})
			d.Names.Count++
		}
	}
}

func nameIndex(key string) int {
	for i, k := range index.NameKeys {
		if k == key {
			return i
		}
	}
	return len(index.NameKeys) - 1
}

func isCyrillic(s string) bool {
	for _, r := range s {
		if r >= 0x400 && r <= 0x52f {
			return true
		}
	}
	return false
}

// internAddress reads addr:*. addr:place and its finer relatives set the
// neighbourhood.
func (c *collector) internAddress(d *draft, tags osm.Tags, kind index.Kind) {
	if kind == index.Street {
		return
	}
	d.House, d.Street = c.id(tags.Get("addr:housenumber")), c.id(tags.Get("addr:street"))
	d.Postcode = c.id(tags.Get("addr:postcode"))
	d.Admin = index.Admin{City: c.id(tags.Get("addr:city")), District: c.id(tags.Get("addr:district")), Suburb: c.id(tags.Get("addr:suburb"))}
	for _, key := range []string{"addr:neighbourhood", "addr:quarter", "addr:place"} {
		if d.Admin.Neighbourhood == 0 {
			d.Admin.Neighbourhood = c.id(tags.Get(key))
		}
	}
	d.placed = d.Admin.Neighbourhood != 0
}

// languages are the variants to keep; none listed keeps all.
type languages map[string]bool

func (l languages) has(key string) bool {
	if len(l) == 0 || strings.Contains(key, "_") || key == "etymology" {
		return true
	}
	return l[key]
}
