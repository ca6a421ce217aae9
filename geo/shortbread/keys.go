package shortbread

import (
	"strconv"
	"strings"

	"svc/geo/osm"
)

// key is a tag key that the schema reads, as an index into values.
type key uint8

// The keys of the schema, named after the tags.
const (
	kAccess key = iota
	kAdminLevel
	kAerialway
	kAeroway
	kAmenity
	kArea
	kAreaAeroway
	kATM
	kBicycle
	kBoundary
	kBridge
	kBuilding
	kCapital
	kCovered
	kCraft
	kCuisine
	kDenomination
	kDisputed
	kEmergency
	kFoot
	kHealthcare
	kHighway
	kHistoric
	kHorse
	kHousename
	kHousenumber
	kIATA
	kInformation
	kLanduse
	kLayer
	kLeisure
	kManMade
	kMaritime
	kMilitary
	kMotorcar
	kMotorVehicle
	kNatural
	kOffice
	kOneway
	kPlace
	kPopulation
	kRailway
	kRecyclingClothes
	kRecyclingGlass
	kRecyclingPaper
	kRecyclingScrap
	kRef
	kReligion
	kRoute
	kService
	kShop
	kSport
	kSurface
	kTourism
	kTowerType
	kTracktype
	kTunnel
	kVehicle
	kVending
	kWater
	kWaterway
	kWetland

	keyCount
)

// keyNames are the tags of the keys.
var keyNames = [keyCount]string{
	kAccess: "access", kAdminLevel: "admin_level", kAerialway: "aerialway", kAeroway: "aeroway",
	kAmenity: "amenity", kArea: "area", kAreaAeroway: "area:aeroway", kATM: "atm", kBicycle: "bicycle",
	kBoundary: "boundary", kBridge: "bridge", kBuilding: "building", kCapital: "capital",
	kCovered: "covered", kCraft: "craft", kCuisine: "cuisine", kDenomination: "denomination",
	kDisputed: "disputed", kEmergency: "emergency", kFoot: "foot", kHealthcare: "healthcare",
	kHighway: "highway", kHistoric: "historic", kHorse: "horse", kHousename: "addr:housename",
	kHousenumber: "addr:housenumber", kIATA: "iata", kInformation: "information", kLanduse: "landuse",
	kLayer: "layer", kLeisure: "leisure", kManMade: "man_made", kMaritime: "maritime",
	kMilitary: "military", kMotorcar: "motorcar", kMotorVehicle: "motor_vehicle", kNatural: "natural",
	kOffice: "office", kOneway: "oneway", kPlace: "place", kPopulation: "population",
	kRailway: "railway", kRecyclingClothes: "recycling:clothes",
	kRecyclingGlass: "recycling:glass_bottles", kRecyclingPaper: "recycling:paper",
	kRecyclingScrap: "recycling:scrap_metal", kRef: "ref", kReligion: "religion", kRoute: "route",
	kService: "service", kShop: "shop", kSport: "sport", kSurface: "surface", kTourism: "tourism",
	kTowerType: "tower:type", kTracktype: "tracktype", kTunnel: "tunnel", kVehicle: "vehicle",
	kVending: "vending", kWater: "water", kWaterway: "waterway", kWetland: "wetland",
}

// keyOf finds the key of a tag.
var keyOf = func() map[string]key {
	m := make(map[string]key, keyCount)
	for k, name := range keyNames {
		m[name] = key(k)
	}
	return m
}()

// maxValue bounds the bytes of one value that goes into a tile. The map
// database allows 255 characters, which are at most this many bytes.
const maxValue = 4 * 255

// object is what the schema looks at: the tags of one object, read once.
type object struct {
	values [keyCount]string
	tags   osm.Tags
	hint   Hint
	area   bool // the geometry surrounds something
}

// read takes the tags apart. known is false when the schema reads none of them.
func (o *object) read(tags osm.Tags, hint Hint) (known bool) {
	*o = object{tags: tags, hint: hint}
	for i := range tags {
		k, ok := keyOf[tags[i].Key]
		if v := tags[i].Value; ok && v != "" && len(v) <= maxValue && o.values[k] == "" {
			o.values[k] = v
			known = true
		}
	}
	return known || hint.Category != ""
}

func (o *object) get(k key) string { return o.values[k] }

func (o *object) is(k key, value string) bool { return o.values[k] == value }

func (o *object) yes(k key) bool { return o.values[k] == "yes" }

// layer is the tag layer, from -7 to 7, 0 when there is none.
func (o *object) layer() int32 {
	n, err := strconv.ParseFloat(o.values[kLayer], 64)
	if err != nil || n != n {
		return 0
	}
	return int32(min(max(n, -7), 7))
}

// tunnel and bridge are the flags of the same name (Shortbread 1.1, streets).
func (o *object) tunnel() bool {
	return o.is(kTunnel, "yes") || o.is(kTunnel, "building_passage") || o.yes(kCovered)
}

func (o *object) bridge() bool {
	switch o.values[kBridge] {
	case "yes", "viaduct", "boardwalk", "cantilever", "covered", "low_water_crossing", "movable", "trestle":
		return true
	}
	return false
}

// tidy trims a text that is shown.
func tidy(s string) string { return strings.TrimSpace(s) }

// rule is a row of a table of the schema: objects with the tag become features
// of the kind from the zoom on.
type rule struct {
	key   key
	value string
	kind  string
	zoom  uint8
}

// rules finds the first row of a table that an object matches.
type rules struct {
	keys []key // in the order in which the table first names them
	rows map[match]row
}

type match struct {
	key   key
	value string
}

type row struct {
	turn int
	rule
}

// compile indexes a table.
func compile(table []rule) rules {
	r := rules{rows: make(map[match]row, len(table))}
	seen := [keyCount]bool{}
	for i, t := range table {
		if !seen[t.key] {
			seen[t.key] = true
			r.keys = append(r.keys, t.key)
		}
		r.rows[match{t.key, t.value}] = row{turn: i, rule: t}
	}
	return r
}

// find gives the first matching row of the table.
func (r *rules) find(o *object) (best rule, ok bool) {
	turn := 0
	for _, k := range r.keys {
		v := o.values[k]
		if v == "" {
			continue
		}
		if t, found := r.rows[match{k, v}]; found && (!ok || t.turn < turn) {
			best, turn, ok = t.rule, t.turn, true
		}
	}
	return best, ok
}
