package mapbuild

import (
	"strings"
	"sync"

	"svc/geo/osm"
)

// leftOut counts the objects with a name that became no entry, while blocks are read.
type leftOut struct {
	mu        sync.Mutex
	objects   int
	tags      map[string]int
	relations map[string]int
	borders   int
}

func newLeftOut() *leftOut { return &leftOut{tags: map[string]int{}, relations: map[string]int{}} }

// object notes an object that matches no category; area is false for a relation that
// draws none.
func (l *leftOut) object(tags osm.Tags, area bool) {
	if strings.TrimSpace(tags.Get("name")) == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !area {
		l.relations[strings.Clone(tags.Get("type"))]++
		return
	}
	l.objects++
	l.tags[mainTag(tags)]++
}

// border notes an open way that is a piece of a boundary: its name, if it has one, is made of
// the names of the areas on both sides, which are objects themselves.
func (l *leftOut) border(tags osm.Tags) {
	if strings.TrimSpace(tags.Get("name")) == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.borders++
}

// mainTags are the keys that say what an object is, the ones that say most first.
var mainTags = []string{
	"amenity", "shop", "office", "tourism", "leisure", "historic", "place", "boundary", "highway", "railway", "public_transport", "waterway",
	"natural", "man_made", "landuse", "building", "route", "power", "barrier",
}

// mainTag is the tag of an object by which the report counts it.
func mainTag(tags osm.Tags) string {
	for _, key := range mainTags {
		if v := tags.Get(key); v != "" {
			return key + "=" + strings.Clone(v)
		}
	}
	return "name only"
}

// countNamed tells the report what entered: named drafts that are there or became part
// of another. Ways and relations that are neither have no place: of those no node is in
// the extracts.
func (b *builder) countNamed() {
	n := &b.report.Named
	n.Relations = b.left.relations
	n.Borders = b.left.borders
	n.Tags = b.left.tags
	n.LeftOut = b.left.objects
	n.Objects = b.left.objects
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.Name == 0 || d.repeated {
			continue
		}
		switch {
		case !d.gone || d.folded:
			n.Objects++
		case d.Source.Type() == "n":
			n.Objects++
			n.LeftOut++
			n.Tags["not used"]++
		default:
			n.Outside++
		}
	}
	if n.Objects > 0 {
		n.Share = float64(n.LeftOut) / float64(n.Objects)
	}
}
