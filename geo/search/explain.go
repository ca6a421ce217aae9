package search

import (
	"fmt"
	"slices"
	"strings"

	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/result"
)

// Explanation is why a query is answered as it is: its readings in the order in which
// they were tried, and what makes the score of each answer.
type Explanation struct {
	Query    string        `json:"query"`
	Tokens   []string      `json:"tokens"`
	Intent   string        `json:"intent,omitempty"`
	Readings []ReadingTold `json:"readings"`
	Answers  []AnswerTold  `json:"answers"`
	Untried  []string      `json:"untried,omitempty"` // readings that were not needed
	hits     map[uint32]*explainedHit
}

// ReadingTold is one reading that was tried.
type ReadingTold struct {
	Reading string   `json:"reading"` // names "republic valletta", category street
	Words   []string `json:"words,omitempty"`
	Cost    float64  `json:"cost,omitempty"`
	Found   int      `json:"found"`
	Best    string   `json:"best,omitempty"`
	Strong  bool     `json:"strong"` // every word was answered: no weaker way was tried
}

// AnswerTold is one answer and the parts of its score. Of listings and points only the
// whole is known.
type AnswerTold struct {
	Source   string  `json:"source"`
	Category string  `json:"category"`
	Name     string  `json:"name"`
	Label    string  `json:"label"`
	Reason   string  `json:"reason"`
	Score    float64 `json:"score"`
	Text     float64 `json:"text,omitempty"` // of the words, before its weight of 0.6
	Rank     float64 `json:"rank"`           // before its weight of 0.3
	Prior    float64 `json:"prior"`
	Rest     float64 `json:"rest"`            // proximity, words for the kind, losses
	Areas    string  `json:"areas,omitempty"` // the words that areas around it bear
	Reading  int     `json:"reading"`         // the number of the reading that found it, from 1
}

type explainedHit struct {
	hit     hit
	reading int
	areas   string
}

// Explain answers q and tells why. Layout is not tried.
func (e *Engine) Explain(q Query) Explanation {
	out := Explanation{Query: q.Text, hits: map[uint32]*explainedHit{}}
	p := reading.Read(e.x, q.Text, q.Category)
	out.Tokens, out.Intent = p.Tokens, p.Intent.Category
	a := e.search(q, func(r *request, rd *reading.Reading, hits []hit) { out.note(e.x, r, rd, hits) })
	for i := range p.Readings {
		s := p.Readings[i].String()
		if !slices.ContainsFunc(out.Readings, func(r ReadingTold) bool { return r.Reading == s }) && !slices.Contains(out.Untried, s) {
			out.Untried = append(out.Untried, s)
		}
	}
	for i := range a.Results {
		out.Answers = append(out.Answers, out.answer(e, &a.Results[i]))
	}
	return out
}

// note keeps what a reading found.
func (x *Explanation) note(idx *index.Index, r *request, rd *reading.Reading, hits []hit) {
	t := ReadingTold{Reading: rd.String(), Cost: rd.Cost, Found: len(hits)}
	for i := range r.words {
		t.Words = append(t.Words, r.words[i].describe(idx))
	}
	if len(hits) > 0 {
		t.Strong = hits[0].strong
		t.Best = fmt.Sprintf("%q %.3f", nameOf(idx, &hits[0]), hits[0].score)
	}
	x.Readings = append(x.Readings, t)
	for i := range hits {
		h := hits[i]
		if old := x.hits[h.entry]; old == nil || old.hit.score < h.score-rd.Cost {
			h.score -= rd.Cost
			areas := strings.Join(texts(r.words, h.areas), " ")
			x.hits[h.entry] = &explainedHit{hit: h, reading: len(x.Readings), areas: areas}
		}
	}
}

func nameOf(idx *index.Index, h *hit) string {
	if h.shown != nil {
		return h.shown.Name
	}
	d := idx.Detail(h.entry)
	if d.Name == 0 && d.House != 0 {
		return idx.Text(d.Street) + " " + idx.Text(d.House)
	}
	return idx.Text(d.Name)
}

// describe says what a word may mean: how many terms of names, and whether areas have it.
func (w *word) describe(idx *index.Index) string {
	var parts []string
	switch {
	case w.free:
		parts = append(parts, "restricts nothing")
	case w.equal.Len() > 0:
		parts = append(parts, "a word of names")
	case w.prefix.Len() > 0:
		parts = append(parts, fmt.Sprintf("begins %d words of names", w.prefix.Len()))
	case w.sameSkeleton.Len() > 0:
		parts = append(parts, fmt.Sprintf("sounds like %d words of names", w.sameSkeleton.Len()))
	default:
		parts = append(parts, "no word of names")
	}
	if w.around != nil {
		parts = append(parts, "a word of areas")
	}
	var near []string
	for _, n := range w.near {
		near = append(near, idx.Term(n.Term))
	}
	if len(near) > 0 {
		slices.Sort(near)
		parts = append(parts, "perhaps "+strings.Join(near[:min(len(near), 5)], ", "))
	}
	return w.text + ": " + strings.Join(parts, "; ")
}

// answer is one result with the parts of its score.
func (x *Explanation) answer(e *Engine, res *result.Result) AnswerTold {
	row := &e.x.Rows[res.ID]
	t := AnswerTold{
		Source: row.Source.String(), Category: res.Category, Name: res.Name, Label: res.Label, Reason: res.Reason,
		Rank: row.Importance(), Prior: e.traits[row.Category].Prior,
	}
	if h := x.hits[res.ID]; h != nil {
		t.Score, t.Text, t.Reading, t.Areas = h.hit.score, h.hit.text, h.reading, h.areas
		if t.Text > 0 {
			t.Rest = t.Score - t.Text*weightText - t.Rank*weightRank - t.Prior
		}
	}
	return t
}
