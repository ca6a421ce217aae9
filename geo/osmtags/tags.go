// Package osmtags says what the tags of an object mean to the map: which are stored and
// under which names, what the object is called, and how important the tags make it
// (map contract 8, 10 and 33). It promises the same for the same tags. It refuses to know
// geometry: sizes are handed in.
package osmtags

import (
	"strings"

	"svc/geo/osm"
)

// stored are the tags that a place answer may show: the allowlist of map contract 33, under
// their neutral names.
var stored = set(`opening_hours phone contact:phone website contact:website contact:photo_social
	contact:messenger email contact:email brand operator cuisine wheelchair entity encyclopedia
	description level building:levels height
	addr:street addr:housenumber addr:city addr:district addr:place addr:quarter addr:suburb
	addr:postcode addr:neighbourhood addr:block
	amenity shop tourism leisure office historic natural place highway railway aeroway
	public_transport religion denomination sport internet_access outdoor_seating takeaway delivery
	smoking capacity fee parking fuel:cng fuel:lpg fuel:diesel fuel:octane_95 stars rooms population
	admin_level ele iata icao network ref route_ref colour image school:language healthcare
	dispensing drive_through payment:cards`)

// neutral renames the four tags that carry a brand (map contract 8).
// Of two that become one, the first of the object counts.
var neutral = map[string]string{
	"wikidata": "entity", "wikipedia": "encyclopedia",
	"contact:instagram": "contact:photo_social", "instagram": "contact:photo_social",
	"contact:telegram": "contact:messenger", "telegram": "contact:messenger",
}

// InterpolatedTag marks a position computed between two known house numbers.
const InterpolatedTag = "interpolated"

// Stored are the names under which tags are stored, in no order.
func Stored() (keys []string) {
	for k := range stored {
		keys = append(keys, k)
	}
	return keys
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// StoredKey is the name under which a tag is stored; empty when it is not.
func StoredKey(key string) string {
	if n, ok := neutral[key]; ok {
		return n
	}
	if strings.HasPrefix(key, "wikipedia:") {
		return "encyclopedia"
	}
	if stored[key] {
		return key
	}
	return ""
}

// VariantKey is the key of a name variant (index.NameKeys) that a tag gives;
// empty when it gives none.
func VariantKey(key string) string {
	switch key {
	case "alt_name", "old_name", "official_name", "int_name", "short_name":
		return key
	}
	lang, ok := strings.CutPrefix(key, "name:")
	if !ok {
		return ""
	}
	switch lang {
	case "uz", "uz-Latn", "uz-Cyrl", "ru", "en", "kaa", "tg", "kk", "etymology":
		return lang
	}
	return ""
}

// IsKept reports whether a tag is worth carrying out of its block.
func IsKept(key string) bool {
	return StoredKey(key) != "" || key == "name" || key == "is_in" || VariantKey(key) != ""
}

// Kept copies the tags worth carrying into arena and returns them.
func Kept(tags osm.Tags, arena *[]osm.Tag) osm.Tags {
	from := len(*arena)
	for _, t := range tags {
		if IsKept(t.Key) {
			*arena = append(*arena, t)
		}
	}
	return (*arena)[from:len(*arena):len(*arena)]
}

// PrimaryName applies the rule of map contract 8.2.
func PrimaryName(tags osm.Tags, poi bool) string {
	for _, key := range []string{"name", "name:uz", "name:ru", "name:en"} {
		if v := tags.Get(key); strings.TrimSpace(v) != "" {
			return v
		}
	}
	if poi {
		for _, key := range []string{"brand", "operator"} {
			if v := tags.Get(key); strings.TrimSpace(v) != "" {
				return v
			}
		}
	}
	return ""
}
