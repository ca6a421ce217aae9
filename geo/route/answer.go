package route

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// engineRoute is the engine's answer to /route, as far as it is used.
type engineRoute struct {
	Trip       engineTrip `json:"trip"`
	Alternates []struct {
		Trip engineTrip `json:"trip"`
	} `json:"alternates"`
}

type engineTrip struct {
	Legs     []engineLeg   `json:"legs"`
	Summary  engineSummary `json:"summary"`
	Warnings []struct {
		Text string `json:"text"`
	} `json:"warnings"`
}

type engineLeg struct {
	Manoeuvres []engineManoeuvre `json:"maneuvers"`
	Summary    engineSummary     `json:"summary"`
	Shape      string            `json:"shape"`
}

type engineSummary struct {
	Time    float64 `json:"time"`   // seconds
	Length  float64 `json:"length"` // kilometres
	Toll    bool    `json:"has_toll"`
	Highway bool    `json:"has_highway"`
	Ferry   bool    `json:"has_ferry"`
}

type engineManoeuvre struct {
	Type        int         `json:"type"`
	Instruction string      `json:"instruction"`
	Verbal      string      `json:"verbal_pre_transition_instruction"`
	Names       []string    `json:"street_names"`
	BeginNames  []string    `json:"begin_street_names"` // where the street changes its name soon
	Time        float64     `json:"time"`               // seconds
	Length      float64     `json:"length"`             // kilometres
	Begin       int         `json:"begin_shape_index"`
	End         int         `json:"end_shape_index"`
	Exit        int         `json:"roundabout_exit_count"`
	Toll        bool        `json:"toll"`
	Highway     bool        `json:"highway"`
	Ferry       bool        `json:"ferry"`
	Sign        *engineSign `json:"sign"`
}

type engineSign struct {
	Number []signText `json:"exit_number_elements"`
	Branch []signText `json:"exit_branch_elements"`
	Toward []signText `json:"exit_toward_elements"`
}

type signText struct {
	Text string `json:"text"`
}

// Route asks the engine for routes. Requests at the same time that differ only
// in a language the engine does not write are one call. The answer is shared
// and must not be changed.
func (c *Client) Route(ctx context.Context, r Request) (*Answer, error) {
	r.Mode = ParseMode(string(r.Mode))
	ask := func(apart float64) (any, error) {
		return c.post(ctx, "route", "/route", r.spread(apart).body(), func(body []byte) (any, error) { return readRoute(body, r) })
	}
	value, err := ask(minApart)
	if err != nil && strings.Contains(err.Error(), lostPoint) {
		value, err = ask(secondApart)
	}
	if err != nil {
		return nil, err
	}
	answer := *value.(*Answer) // shared by callers whose languages may differ in name
	answer.Language = r.Language
	return &answer, nil
}

// readRoute makes the answer of the engine's words.
func readRoute(body []byte, r Request) (*Answer, error) {
	rest, shapes := cutShapes(body)
	if tooLong(shapes) || !routeBounds.hold(rest) {
		return nil, unreadable()
	}
	var lines []Geometry
	var reading sync.WaitGroup // the lines and the rest are half of the work each
	reading.Go(func() { lines = decodeShapes(shapes) })
	var in engineRoute
	err := json.Unmarshal(rest, &in)
	reading.Wait()
	if err != nil {
		return nil, unreadable()
	}
	trips := []*engineTrip{&in.Trip}
	for i := range in.Alternates {
		trips = append(trips, &in.Alternates[i].Trip)
	}
	a := &Answer{Language: r.Language, Engine: EngineName}
	for _, t := range trips[:min(len(trips), max(r.Alternatives, 0)+1)] {
		if len(t.Legs) == 0 {
			continue
		}
		route, ok := t.route(lines, r.Mode, r.Language == uzbek)
		if !ok {
			return nil, unreadable()
		}
		route.ID = "route-" + strconv.Itoa(len(a.Routes))
		route.Recommended = len(a.Routes) == 0
		a.Routes = append(a.Routes, route)
	}
	if len(a.Routes) == 0 {
		return nil, &Error{Message: "no route found"}
	}
	for _, w := range in.Trip.Warnings {
		if text := oneLine(w.Text); text != "" && len(a.Warnings) < maxWarnings {
			a.Warnings = append(a.Warnings, text)
		}
	}
	return a, nil
}

// route joins the legs. ok is false when the engine's numbers contradict each
// other.
func (t *engineTrip) route(lines []Geometry, mode Mode, ownWords bool) (r Route, ok bool) {
	r = Route{
		Mode: mode, Legs: make([]Leg, 0, len(t.Legs)),
		HasToll: t.Summary.Toll, HasHighway: t.Summary.Highway, HasFerry: t.Summary.Ferry,
	}
	if r.Distance, r.Duration, ok = t.Summary.measures(); !ok {
		return r, false
	}
	for i := range t.Legs {
		line, found := lineOf(&t.Legs[i], lines)
		if !found || !r.join(&t.Legs[i], line, ownWords) || len(r.Geometry) > maxPoints {
			return r, false
		}
	}
	r.BBox = r.Geometry.box()
	r.Summary = summary(r.Legs)
	return r, true
}

// join appends a leg. Its first point is the last of the leg before, and is
// written once (map contract 14), so that the numbers of its steps begin
// there.
func (r *Route) join(l *engineLeg, line Geometry, ownWords bool) bool {
	points, offset := len(line), len(r.Geometry)
	switch {
	case offset == 0:
		r.Geometry = line
	case line[0] == r.Geometry[offset-1]:
		r.Geometry = append(r.Geometry, line[1:]...)
		offset--
	default:
		r.Geometry = append(r.Geometry, line...)
	}
	leg := Leg{Steps: make([]Step, len(l.Manoeuvres))}
	var ok bool
	if leg.Distance, leg.Duration, ok = l.Summary.measures(); !ok {
		return false
	}
	for i := range l.Manoeuvres {
		m := &l.Manoeuvres[i]
		if m.Begin < 0 || m.End < m.Begin || m.End >= points {
			return false
		}
		if leg.Steps[i], ok = m.step(offset); !ok {
			return false
		}
		if ownWords {
			leg.Steps[i].Instruction = l.uzbek(i)
			leg.Steps[i].Verbal = leg.Steps[i].Instruction
		}
	}
	r.Legs = append(r.Legs, leg)
	return true
}

func (m *engineManoeuvre) step(offset int) (s Step, ok bool) {
	row := manoeuvreOf(m.Type)
	s = Step{
		Type: row.kind, Modifier: row.modifier, Instruction: m.Instruction, Verbal: m.Verbal, StreetNames: m.Names,
		GeometryStart: m.Begin + offset, GeometryEnd: m.End + offset, RoundaboutExit: max(m.Exit, 0),
		Toll: m.Toll, Highway: m.Highway, Ferry: m.Ferry, Sign: m.Sign.sign(),
	}
	s.Distance, s.Duration, ok = measures(m.Length, m.Time)
	return s, ok
}

// uzbek says the i-th manoeuvre. The engine names the street that a roundabout
// is left into at the manoeuvre after it.
func (l *engineLeg) uzbek(i int) string {
	m := &l.Manoeuvres[i]
	row := manoeuvreOf(m.Type)
	s := spoken{kind: row.kind, modifier: row.modifier, street: m.street(), exit: m.Exit}
	if m.Type == engineRoundaboutEnter && s.street == "" && i+1 < len(l.Manoeuvres) && l.Manoeuvres[i+1].Type == engineRoundaboutExit {
		s.street = l.Manoeuvres[i+1].street()
	}
	if m.Sign != nil {
		s.number = first(texts(m.Sign.Number))
		s.toward = first(texts(m.Sign.Toward))
		if s.toward == "" {
			s.toward = first(texts(m.Sign.Branch))
		}
	}
	return s.sentence()
}

// street is the name at the beginning of the manoeuvre.
func (m *engineManoeuvre) street() string { return called(m.BeginNames, m.Names) }

// called is what people call a street that bears several names: the first that
// has a letter, since the engine puts the number of a road ("1") before its
// name; else the first. A list counts before those after it.
func called(lists ...[]string) string {
	number := ""
	for _, names := range lists {
		for _, name := range names {
			name = strings.TrimSpace(name)
			if strings.ContainsFunc(name, unicode.IsLetter) {
				return name
			}
			if number == "" {
				number = name
			}
		}
	}
	return number
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.TrimSpace(names[0])
}

func (s *engineSign) sign() *Sign {
	if s == nil {
		return nil
	}
	out := Sign{ExitNumber: texts(s.Number), Branch: texts(s.Branch), Toward: texts(s.Toward)}
	if out.ExitNumber == nil && out.Branch == nil && out.Toward == nil {
		return nil
	}
	return &out
}

func texts(list []signText) (out []string) {
	for _, t := range list {
		if t.Text != "" {
			out = append(out, t.Text)
		}
	}
	return out
}

func (s engineSummary) measures() (metres, seconds float64, ok bool) {
	return measures(s.Length, s.Time)
}

// farthest bounds what a distance (m) or a time (s) can be.
const farthest = 1e12

// measures turns kilometres into metres, to the millimetre that the engine's
// three decimals stand for, and leaves seconds as they are.
func measures(km, s float64) (metres, seconds float64, ok bool) {
	metres = math.Round(km*1e6) / 1e3
	return metres, s, metres >= 0 && metres < farthest && s >= 0 && s < farthest
}

// summary names the one or two streets with the most distance, the longest
// first; of equal ones the earlier.
func summary(legs []Leg) string {
	sums := map[string]float64{}
	var order []string
	for _, l := range legs {
		for i := range l.Steps {
			name := called(l.Steps[i].StreetNames)
			if name == "" {
				continue
			}
			if _, known := sums[name]; !known {
				order = append(order, name)
			}
			sums[name] += l.Steps[i].Distance
		}
	}
	var top []string
	for range 2 {
		best := ""
		for _, name := range order {
			if (best == "" || sums[name] > sums[best]) && (len(top) == 0 || top[0] != name) {
				best = name
			}
		}
		if best != "" {
			top = append(top, best)
		}
	}
	return strings.Join(top, " · ")
}
