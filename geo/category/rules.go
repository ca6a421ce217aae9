package category

import (
	"strconv"
	"strings"

	"svc/geo/text"
)

// turn says when a row is tested: the rows keep their order within a turn.
type turn int

const (
	first    turn = iota // teahouse, before restaurant and cafe
	inTable              // the rows of the table from the top
	last                 // the three rows for any other value
	fallback             // the rows for what has a name and none of the categories above
	finally              // the address, for objects without one of the categories above
)

// row is one row of the table: any of its tests is enough.
type row struct {
	id    string
	turn  turn
	tests []test
}

// test wants one of the values of a key, or with no values any but the
// exceptions.
type test struct {
	key    string
	values []string
	except []string
	when   condition
}

func is(key string, values ...string) test { return test{key: key, values: values} }

func anyOf(key string, except ...string) test { return test{key: key, except: except} }

func (t test) and(c condition) test {
	t.when = c
	return t
}

func in(id string, tests ...test) row { return row{id, inTable, tests} }

func at(t turn, id string, tests ...test) row { return row{id, t, tests} }

func named(o Object) bool { return o.Named }

// nameTags are the tags that name an object; a brand or operator does not.
var nameTags = []string{"name", "name:uz", "name:ru", "name:en"}

// called tells an object with a name of its own, and not a piece of the outline of an
// area, which repeats the name of the whole.
func called(o Object) bool {
	if o.Kind == 'w' && !o.Area && o.value("boundary") != "" {
		return false
	}
	for _, t := range nameTags {
		if strings.TrimSpace(o.value(t)) != "" {
			return true
		}
	}
	return false
}

// lifecycle are the prefixes of keys that say what an object was; formerly are the keys
// behind them.
var (
	lifecycle = []string{"disused:", "abandoned:", "demolished:", "was:", "razed:", "removed:", "destroyed:"}
	formerly  = []string{
		"amenity", "shop", "office", "tourism", "leisure", "historic", "healthcare", "craft", "club", "building", "landuse", "man_made",
		"railway", "public_transport", "aeroway", "highway", "natural", "waterway", "place", "boundary", "barrier", "power", "attraction",
		"mountain_pass", "water", "emergency", "military", "sport", "geological", "route", "aerialway", "telecom", "bridge",
	}
)

// onlyCalled tells an object that has a name and nothing else that says what it is. One
// that was something is not there any more.
func onlyCalled(o Object) bool {
	if !called(o) {
		return false
	}
	for _, prefix := range lifecycle {
		for _, key := range formerly {
			if o.value(prefix+key) != "" {
				return false
			}
		}
	}
	return true
}

// complexWords begin the names of residential complexes.
var complexWords = []string{"jk", "turarjoy", "turar", "jiloy", "residence", "residences", "residency", "residential", "apartments"}

// isComplex tells a residential complex by its name: Ёшлик ЖК, Bahor turar-joy majmuasi.
func isComplex(o Object) bool {
	if !called(o) {
		return false
	}
	for _, w := range text.Tokens(o.PrimaryName) {
		for _, c := range complexWords {
			if w == c {
				return true
			}
		}
	}
	return false
}

func namedOrPublic(o Object) bool { return o.Named || !o.has("access", "private") }

func tag(key, value string) condition {
	return func(o Object) bool { return o.has(key, value) }
}

// isMetro tells a station of the underground. A main-line station where the
// metro also stops (train=yes) stays a train station unless it says otherwise.
func isMetro(o Object) bool {
	return o.has("station", "subway") || o.has("subway", "yes") && !o.has("train", "yes")
}

func isTrain(o Object) bool { return !isMetro(o) }

// servesTea tells a teahouse among restaurants and cafes: a cuisine of tea, by
// whole words because a steak is no tea, or a name that says so.
func servesTea(o Object) bool {
	for _, w := range text.Tokens(o.value("cuisine")) {
		if w == "tea" || strings.HasPrefix(w, "teahouse") {
			return true
		}
	}
	for _, w := range text.Tokens(o.PrimaryName) {
		for _, house := range teahouses {
			if strings.HasPrefix(w, house) { // Navroʻz choyxonasi
				return true
			}
		}
	}
	return false
}

var teahouses = []string{"choyxona", "chayxana", "choyxana", "chaikhana", "choykhona", "teahouse"}

// isBoundary tells the outline of an area; a way that is a mere piece of one
// often repeats its tags.
func isBoundary(o Object) bool { return o.Area || o.Kind == 'r' }

func hasBoundary(o Object) bool {
	b := o.value("boundary")
	return b != "" && b != "no" && isBoundary(o)
}

// levels wants an administrative boundary between two levels, and none of the
// places that have a row of their own.
func levels(from, to int, notPlaces ...string) condition {
	return func(o Object) bool {
		level, err := strconv.Atoi(strings.TrimSpace(o.value("admin_level")))
		if err != nil || level < from || level > to || !isBoundary(o) {
			return false
		}
		for _, p := range notPlaces {
			if o.has("place", p) {
				return false
			}
		}
		return true
	}
}
