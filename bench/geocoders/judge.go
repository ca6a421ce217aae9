package main

import (
	"strings"

	"svc/geo/geom"
	"svc/geo/geotest"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/text"
)

// How far an answer of Nominatim may lie from a right object of the same name to be taken
// for it: the two keep other points of streets and areas, and other objects of one thing.
// They are generous, so that nothing counts against Nominatim that a person would accept.
const (
	streetMetres = 3_000
	areaMetres   = 10_000
	otherMetres  = 300
)

// judge tells which answers of Nominatim are right. The patterns of questions are made for
// the lines of svc, so an answer is right when it
//
//   - is an object whose line matches the pattern, or bears its name and lies close to it, or
//   - is a house or a postcode that, written as svc writes it, matches the pattern.
type judge struct {
	x     *index.Index
	lines []string // of each entry
}

func newJudge(x *index.Index) *judge {
	j := &judge{x: x, lines: make([]string, len(x.Rows))}
	for id := range x.Rows {
		r := result.New(x, uint32(id), geotest.QuestionLang, nil)
		j.lines[id] = geotest.Describe(x, &r)
	}
	return j
}

// object is an entry that answers a question.
type object struct {
	source string
	at     geom.Point
	kind   index.Kind
	names  map[string]bool // canonical
}

// objects are the entries that answer a question.
func (j *judge) objects(q *geotest.Question) (out []object) {
	for id, line := range j.lines {
		if !q.Right.MatchString(line) {
			continue
		}
		row := &j.x.Rows[id]
		d := j.x.Detail(uint32(id))
		o := object{source: row.Source.String(), at: row.Point(), kind: j.x.Kind(row), names: map[string]bool{text.Canonical(j.x.Text(d.Name)): true}}
		for _, n := range d.Names {
			o.names[text.Canonical(j.x.Text(n.Value))] = true
		}
		out = append(out, o)
	}
	return out
}

// isAddress reports that a question asks for a house, whose pattern says so: houses are
// found along their streets and are not entries of their own.
func isAddress(q *geotest.Question) bool { return strings.Contains(q.Right.String(), " address ") }

// first gives the place of the first right answer, -1 for none.
func (j *judge) first(q *geotest.Question, right []object, places []place) int {
	for i := range places {
		if j.right(q, right, &places[i]) {
			return i
		}
	}
	return -1
}

func (j *judge) right(q *geotest.Question, right []object, p *place) bool {
	for _, line := range p.lines() {
		if q.Right.MatchString(line) {
			return true
		}
	}
	for i := range right {
		o := &right[i]
		if o.source == p.source() || p.bears(o.names) && geom.Distance(o.at, p.at()) <= reach(o.kind) {
			return true
		}
	}
	return false
}

func reach(kind index.Kind) float64 {
	switch kind {
	case index.Street:
		return streetMetres
	case index.Place:
		return areaMetres
	}
	return otherMetres
}
