// Package narrative proves what a text says about figures: every number, every direction
// (grew, kamaydi, выросло), every ratio (twice) and every superlative (most, eng koʻp) of it is
// held against the figures.
//
// It promises that what it lets pass is so, as far as it reads: a number equals a figure of a
// metric that its sentence names, rounded to the digits shown; what it cannot prove it reports,
// with the words. It refuses to correct, to know a model and to know where figures come from:
// boards of conversations and of social accounts are the same to it.
package narrative

import (
	"math"
	"slices"
	"strings"
	"time"

	"svc/ai/lang"
)

// Locale is the language of a text.
type Locale string

// The locales.
const (
	Uzbek   Locale = "uz"
	Russian Locale = "ru"
	English Locale = "en"
)

// Unit is what a metric counts.
type Unit string

// The units. A share is 0 to 1 and written in percent.
const (
	Count Unit = "COUNT"
	Share Unit = "SHARE"
	Score Unit = "SCORE"
)

// Metric is a figure that a text may speak of.
type Metric struct {
	Key string
	// Names are how a text of the locale calls it; endings may differ.
	Names    []string
	Value    float64
	Previous *float64 // in the period before; nil: not known
	Unit     Unit
	// Max is the highest value of a score.
	Max float64
	// Good is 1 where more is better, -1 where less is, else 0.
	Good int
	// Group: the highest and the lowest are told among metrics of one group; "" for none.
	Group string
	// Of is the key of the metric of which a count is a part; "" for none.
	Of string
	// Part is which part of the whole a count is, 0 to 1, and was; nil: of no whole.
	Part, PreviousPart *float64
}

// Facts are everything that a text may say.
type Facts struct {
	Locale  Locale
	Metrics []Metric
	// From and To bound the period, To exclusive; the period before is as long.
	From, To time.Time
}

// Paragraph is a part of a text, with the keys of the metrics that it speaks of.
type Paragraph struct {
	Text  string   `json:"text"`
	Facts []string `json:"facts"`
}

// Text is what is proven.
type Text struct {
	Headline   string      `json:"headline"`
	Paragraphs []Paragraph `json:"paragraphs"`
	// Actions are proposals: they claim nothing but their numbers.
	Actions []string `json:"actions"`
}

// Reason says what is wrong with some words.
type Reason string

// The reasons.
const (
	WrongNumber      Reason = "NUMBER"      // no figure of a metric that the sentence speaks of
	WrongDirection   Reason = "DIRECTION"   // the figure went elsewhere, or nobody knows where
	WrongRatio       Reason = "RATIO"       // no such multiple
	WrongSuperlative Reason = "SUPERLATIVE" // another one is the highest or lowest
	WrongDate        Reason = "DATE"        // outside of the period
	WrongFacts       Reason = "FACTS"       // the paragraph does not name the metric, or one that there is not
	WrongLanguage    Reason = "LANGUAGE"
	Empty            Reason = "EMPTY"
)

// Problem is something that is not proven. Part is the index of the paragraph, -1 for the
// headline, and the number of paragraphs on for actions.
type Problem struct {
	Reason     Reason
	Part       int
	Start, End int // bytes
	Words      string
}

// Link says which metric a number of a text is of; Part, Start and End as in Problem.
type Link struct {
	Part, Start, End int
	Metric           string
}

// Check proves a text. Without problems it may be shown; links are its numbers.
func Check(f *Facts, t *Text) (problems []Problem, links []Link) {
	if strings.TrimSpace(t.Headline) == "" || len(t.Paragraphs) == 0 {
		return []Problem{{Reason: Empty}}, nil
	}
	c := checker{facts: f, find: newFinder(f)}
	c.part(-1, t.Headline, nil, true)
	all := t.Headline
	for i, p := range t.Paragraphs {
		all += ". " + p.Text
		named := slices.Clone(p.Facts)
		for _, key := range named {
			if f.metric(key) == nil {
				c.wrong(WrongFacts, i, 0, 0, key)
			}
		}
		if strings.TrimSpace(p.Text) == "" {
			c.wrong(Empty, i, 0, 0, "")
		}
		c.part(i, p.Text, append([]string{}, named...), true)
	}
	for i, a := range t.Actions {
		all += ". " + a
		c.part(len(t.Paragraphs)+i, a, nil, false)
	}
	if g := lang.Identify(all); g.Lang != lang.Unknown && g.Lang.Code() != string(f.Locale) {
		c.wrong(WrongLanguage, -1, 0, 0, g.Lang.Code())
	}
	return c.problems, c.links
}

// Only says whether nothing but the language is wrong.
func Only(problems []Problem, r Reason) bool {
	return len(problems) > 0 && !slices.ContainsFunc(problems, func(p Problem) bool { return p.Reason != r })
}

func (f *Facts) metric(key string) *Metric {
	for i := range f.Metrics {
		if f.Metrics[i].Key == key {
			return &f.Metrics[i]
		}
	}
	return nil
}

// change is how much a metric changed; ok is false when nobody knows.
func (m *Metric) change() (d float64, ok bool) {
	if m.Previous == nil {
		return 0, false
	}
	return m.Value - *m.Previous, true
}

// Still is by how much a metric of a unit may change and is called unchanged.
func Still(u Unit) float64 {
	switch u {
	case Share:
		return 0.005
	case Score:
		return 0.05
	}
	return 0
}

// role is what a number of a metric is.
type role uint8

const (
	isValue role = iota
	isPrevious
	isChange
)

// figure is a number that a metric allows.
type figure struct {
	value   float64
	percent bool
	role    role
	sign    int // of a change
}

// figures are the numbers that a metric allows.
func (m *Metric) figures() (out []figure) {
	add := func(value float64, percent bool, r role) {
		sign := 0
		if r == isChange {
			sign = signOf(value)
		}
		out = append(out, figure{math.Abs(value), percent, r, sign})
	}
	whole := m.Unit == Share
	scaled := 1.0
	if whole {
		scaled = 100
	}
	add(m.Value*scaled, whole, isValue)
	if m.Part != nil {
		add(*m.Part*100, true, isValue)
	}
	if d, ok := m.change(); ok {
		add(*m.Previous*scaled, whole, isPrevious)
		add(d*scaled, whole, isChange)
		if *m.Previous != 0 {
			add(d / *m.Previous * 100, true, isChange)
		}
	}
	if m.Part != nil && m.PreviousPart != nil {
		add(*m.PreviousPart*100, true, isPrevious)
		add((*m.Part-*m.PreviousPart)*100, true, isChange)
	}
	return out
}

func signOf(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
