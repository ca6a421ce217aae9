package geotest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// now is the moment of every question: a Saturday noon in Tashkent.
var now = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// question is one line taken apart.
type question struct {
	kind  string
	words []string
	named map[string]string
	used  map[string]bool
	err   error
}

func (b *built) ask(text string) ([]string, error) {
	words, err := fields(text)
	if err != nil {
		return nil, err
	}
	q := &question{kind: words[0], named: map[string]string{}, used: map[string]bool{}}
	for i, s := range words[1:] {
		key, value, ok := strings.Cut(s, "=")
		if ok && !(i == 0 && (q.kind == "search" || q.kind == "lookup")) {
			q.named[key] = value
		} else {
			q.words = append(q.words, s)
		}
	}
	if q.kind == "build" {
		return b.built(), nil
	}
	if b.err != nil {
		return nil, fmt.Errorf("the map does not build: %w", b.err)
	}
	out := b.answers()[q.kind](q)
	for key := range q.named {
		if !q.used[key] {
			return nil, fmt.Errorf("%s does not read %s", q.kind, key)
		}
	}
	return out, q.err
}

func (b *built) answers() map[string]func(*question) []string {
	return map[string]func(*question) []string{
		"search": b.search, "reverse": b.reverse, "lookup": b.lookup, "nearby": b.nearby,
		"place": b.place, "geometry": b.geometry, "districts": b.districts, "report": b.told,
	}
}

func (q *question) fail(err error) {
	if q.err == nil {
		q.err = err
	}
}

func (q *question) word(i int) string {
	if i >= len(q.words) {
		q.fail(fmt.Errorf("%s wants more", q.kind))
		return ""
	}
	return q.words[i]
}

func (q *question) get(key, otherwise string) string {
	q.used[key] = true
	if v, ok := q.named[key]; ok {
		return v
	}
	return otherwise
}

func (q *question) number(key string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(q.get(key, strconv.FormatFloat(otherwise, 'g', -1, 64)), 64)
	if err != nil {
		q.fail(err)
	}
	return v
}

func (q *question) lang() string { return result.Language(q.get("lang", "uz")) }

func (q *question) point(s string) geom.Point {
	p, err := point(s, 0, 0)
	if err != nil {
		q.fail(err)
	}
	return p
}

func (q *question) kinds(otherwise string) search.KindSet {
	var set search.KindSet
	for _, s := range strings.Split(q.get("kinds", otherwise), ",") {
		if s == "" {
			continue
		}
		k, ok := index.ParseKind(s)
		if !ok {
			q.fail(fmt.Errorf("there is no kind %s", s))
		}
		set = set.With(k)
	}
	return set
}

func (b *built) search(q *question) []string {
	s := search.Query{
		Text: q.word(0), Lang: q.lang(), Limit: int(q.number("limit", 10)), Bias: q.number("bias", 0),
		Kinds: q.kinds(""), Category: q.get("category", ""),
	}
	if near := q.get("near", ""); near != "" {
		p := q.point(near)
		s.Ref = &p
	}
	if box := q.get("bbox", ""); box != "" {
		v, err := boxOf(box)
		if err != nil {
			q.fail(err)
		}
		s.Box = &v
	}
	show := q.get("show", "")
	if q.err != nil {
		return nil
	}
	a := b.engine.Search(s)
	var out []string
	if in := a.Intent; in != nil {
		out = append(out, fmt.Sprintf("intent %s browse=%t %q icon=%s", in.Category, in.Browse, in.Label, in.Icon))
	}
	return append(out, b.list(q, a.Results, show)...)
}

func (b *built) list(q *question, results []result.Result, show string) []string {
	if len(results) == 0 {
		return []string{"nothing"}
	}
	var out []string
	for i := range results {
		out = append(out, fmt.Sprintf("%d. %s", i+1, b.show(q, &results[i], show)))
	}
	return out
}

// show writes one result on a line: category, name, reason, source and what
// else is asked for.
func (b *built) show(q *question, r *result.Result, show string) string {
	s := fmt.Sprintf("%s %q", r.Category, r.Name)
	if r.Reason != "" {
		s += " " + r.Reason
	}
	s += " " + b.x.Rows[r.ID].Source.String()
	for _, field := range strings.Split(show, ",") {
		switch field {
		case "":
		case "label":
			s += fmt.Sprintf(" label=%q", r.Label)
		case "matched":
			s += fmt.Sprintf(" matched=%q", r.Matched)
		case "distance":
			s += fmt.Sprintf(" distance=%.0f", r.Distance)
		case "rank":
			s += fmt.Sprintf(" rank=%.4f", r.Rank)
		case "address":
			s += " address=" + address(r.Address)
		case "names":
			s += " names=" + pairs(r.Names)
		case "kind":
			s += fmt.Sprintf(" kind=%s group=%s icon=%s category_label=%q", r.Kind, r.Group, r.Icon, r.CategoryLabel)
		case "point":
			s += " at=" + back(geom.FromDegrees(r.Lat, r.Lon))
		case "bbox":
			s += " bbox=" + back(geom.FromDegrees(r.BBox[1], r.BBox[0])) + ":" + back(geom.FromDegrees(r.BBox[3], r.BBox[2]))
		default:
			q.fail(fmt.Errorf("there is no field %s", field))
		}
	}
	return s
}

func (b *built) reverse(q *question) []string {
	p := q.point(q.word(0))
	lang := q.lang()
	r := around.Reverse(b.x, p.Lat(), p.Lon(), lang)
	out := []string{
		fmt.Sprintf("label %q short %q", r.Label, r.Short),
		"address " + address(r.Address),
	}
	if s := r.Street; s != nil {
		out = append(out, fmt.Sprintf("street %q %s distance=%.0f at=%s", s.Name, b.x.Rows[s.ID].Source, s.Distance, back(geom.FromDegrees(s.Lat, s.Lon))))
	}
	if r.Place != nil {
		out = append(out, "place "+b.show(q, r.Place, "distance"))
	}
	for _, a := range r.Admins {
		out = append(out, fmt.Sprintf("admin %d %q mapsrc_id=%d", a.Level, a.Name, a.MapSrcID))
	}
	return out
}

func (b *built) lookup(q *question) []string {
	name, p := q.word(0), q.point(q.word(1))
	r := around.Lookup(b.x, p, name, q.number("radius", 120), q.lang())
	if r == nil {
		return []string{"null"}
	}
	return []string{b.show(q, r, "distance")}
}

func (b *built) nearby(q *question) []string {
	n := around.Nearby{
		At: q.point(q.word(0)), Radius: q.number("radius", 500), Limit: int(q.number("limit", 20)),
		Lang: q.lang(), Except: around.NoEntry, Categories: around.OfKinds(b.x, q.kinds("poi")),
	}
	if c := q.get("category", ""); c != "" {
		n.Categories = n.Categories.And(search.Members(b.x, c))
	}
	return b.list(q, around.Find(b.x, n), "distance")
}

// found is the entry of a source object, such as n1.
func (b *built) found(q *question) (uint32, bool) {
	s := q.word(0)
	if len(s) < 2 {
		q.fail(fmt.Errorf("%q is no source object", s))
		return 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	source, ok := index.ParseSource(s[:1], id)
	if err != nil || !ok {
		q.fail(fmt.Errorf("%q is no source object", s))
		return 0, false
	}
	return b.x.BySource(source)
}

func (b *built) geometry(q *question) []string {
	lang := q.lang()
	id, ok := b.found(q)
	if !ok {
		return []string{"not found"}
	}
	f, refusal := result.NewFeature(b.x, id, lang)
	if refusal != "" {
		return []string{refusal}
	}
	out := []string{fmt.Sprintf("%s %q kind=%s", f.Geometry.Type, f.Properties.Name, f.Properties.Kind)}
	line := func(prefix string, l []result.Position) {
		s := prefix
		for _, p := range l {
			lon, _ := p[0].Float64()
			lat, _ := p[1].Float64()
			s += " " + back(geom.FromDegrees(lat, lon))
		}
		out = append(out, s)
	}
	switch c := f.Geometry.Coordinates.(type) {
	case [][]result.Position:
		for _, l := range c {
			line("part", l)
		}
	case [][][]result.Position:
		for _, polygon := range c {
			for i, l := range polygon {
				line(map[bool]string{true: "outer", false: "hole"}[i == 0], l)
			}
		}
	}
	return out
}

func (b *built) districts(*question) []string {
	var out []string
	for _, d := range around.Districts(b.x) {
		at := d.Geometry.Coordinates.([2]float64)
		s := fmt.Sprintf("%v %q extent=%.0f at=%s", d.Properties["level"], d.Properties["name"], math.Round(d.Properties["extent"].(float64)), back(geom.FromDegrees(at[1], at[0])))
		delete(d.Properties, "name")
		delete(d.Properties, "level")
		delete(d.Properties, "extent")
		names := map[string]string{}
		for k, v := range d.Properties {
			names[k] = fmt.Sprint(v)
		}
		if len(names) > 0 {
			s += " " + pairs(names)
		}
		out = append(out, s)
	}
	if out == nil {
		return []string{"nothing"}
	}
	return out
}
