package rank

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Labelled is a corpus of questions about chunks, for measuring: the chunks of businesses,
// and for each question the chunks that answer it.
type Labelled struct {
	Businesses []struct{ ID, Name string } `json:"businesses"`
	Chunks     []struct {
		ID, Business, Lang, Title, Text string
	} `json:"chunks"`
	Queries []Question `json:"queries"`
}

// Question is one labelled question.
type Question struct {
	Query    string   `json:"query"`
	Business string   `json:"business"`
	Lang     string   `json:"lang"`
	Kind     string   `json:"kind"`
	Relevant []string `json:"relevant"`
}

// Goal is the recall among the first five that keywords alone must reach for a kind of
// question; 0 for a kind that has none.
func Goal(kind string) float64 {
	switch kind {
	case "exact", "cross_script":
		return 0.97
	case "typo":
		return 0.9
	case "synonym":
		return 0.75
	case "cross_lang":
		return 0.65
	}
	return 0
}

// ReadLabelled reads a corpus: {businesses, chunks: [{id, business, lang, title, text}],
// queries: [{query, business, lang, kind, relevant}]}.
func ReadLabelled(data []byte) (Labelled, error) {
	var l Labelled
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("not a corpus of questions about chunks: %w", err)
	}
	return l, l.check()
}

func (l Labelled) check() error {
	if len(l.Chunks) == 0 || len(l.Queries) == 0 {
		return errors.New("a corpus of questions needs chunks and queries")
	}
	known := map[[2]string]bool{}
	for i, c := range l.Chunks {
		if c.ID == "" || known[[2]string{c.Business, c.ID}] {
			return fmt.Errorf("chunk %d has no id of its own", i+1)
		}
		known[[2]string{c.Business, c.ID}] = true
	}
	for i, q := range l.Queries {
		if len(q.Relevant) == 0 {
			return fmt.Errorf("query %d (%q) names no relevant chunk", i+1, q.Query)
		}
		for _, id := range q.Relevant {
			if !known[[2]string{q.Business, id}] {
				return fmt.Errorf("query %d (%q) names the chunk %q, which its business has not", i+1, q.Query, id)
			}
		}
	}
	return nil
}

// Recall is how many questions of a kind found what answers them among the first five.
type Recall struct {
	Kind      string
	Questions int
	Found     float64 // sum of the shares of relevant chunks that were found
	First     int     // questions whose first chunk is relevant
	Missed    []Missed
}

// Missed is a question of which not all relevant chunks were found.
type Missed struct {
	Query     string
	Want, Got []string
}

// Share is the recall, 0 to 1.
func (r Recall) Share() float64 { return r.Found / float64(max(r.Questions, 1)) }

// Index makes an index of the corpus: a source for each business.
func (l Labelled) Index() (*Index, error) {
	by := map[string][]Chunk{}
	for _, c := range l.Chunks {
		by[c.Business] = append(by[c.Business], Chunk{ID: c.ID, Lang: c.Lang, Title: c.Title, Text: c.Text})
	}
	x := NewIndex()
	for name, chunks := range by {
		if !x.Put(name, chunks) {
			return nil, fmt.Errorf("more than %d chunks", MaxChunks)
		}
	}
	return x, nil
}

// Measure asks each question within its business and answers the recall among the first
// five by kind, in the order of the kinds' names.
func (l Labelled) Measure() ([]Recall, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	x, err := l.Index()
	if err != nil {
		return nil, err
	}
	by := map[string]*Recall{}
	for _, q := range l.Queries {
		r := by[q.Kind]
		if r == nil {
			r = &Recall{Kind: q.Kind}
			by[q.Kind] = r
		}
		r.Questions++
		found, got := 0, []string{}
		for i, h := range x.Search(Query{Text: q.Query, Lang: q.Lang, Sources: []string{q.Business}, Limit: 5}) {
			if slices.Contains(q.Relevant, h.ID) {
				found++
				if i == 0 {
					r.First++
				}
			}
			got = append(got, h.ID)
		}
		share := float64(found) / float64(len(q.Relevant))
		r.Found += share
		if share < 1 {
			r.Missed = append(r.Missed, Missed{q.Query, q.Relevant, got})
		}
	}
	var out []Recall
	for _, r := range by {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Recall) int { return strings.Compare(a.Kind, b.Kind) })
	return out, nil
}
