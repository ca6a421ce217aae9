package index

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/ai/lang"
	"svc/ai/rank"
	"svc/app/knowledge/source"
	"svc/store"
)

// Query asks for chunks of one business.
type Query struct {
	Org, Business string
	Text          string
	// Language is that of the customer, as a label of package lang or uz, ru, en; "": that of
	// the text.
	Language string
	// Vector is that of the text, in Space; nil: only words are searched for.
	Vector []float32
	Space  string
	// Limit is how many chunks are answered at most, 5 for 0; MaxCharacters how many characters
	// they have together, any number for 0.
	Limit, MaxCharacters int
}

// Hit is a chunk that was found.
type Hit struct {
	SourceID         string
	Type             source.Type
	Version, Chunk   int
	Title, Text      string
	Language         string
	Score            float64
	Matched          []string // Keyword, Semantic
	FAQ              bool
	Question, Answer string // of a FAQ
}

// What found a chunk.
const (
	Keyword  = "KEYWORD"
	Semantic = "SEMANTIC"
)

// leastCoverage is the share of a question's weight that the best chunk has to cover to be
// relevant.
const leastCoverage = 0.25

// maxAnswers is how many approved answers are answered when nobody says how many.
const maxAnswers = 100

// attempts is how often a search starts again because something was published meanwhile.
// The last one searches what is loaded: whole versions, one of which may just have been
// replaced.
const attempts = 3

// Find answers the chunks of a business that answer a question, the best first. relevant is
// false when none is about the question; then the hits are what comes nearest.
func (x *Index) Find(ctx context.Context, q Query) (hits []Hit, relevant bool, err error) {
	o := x.of(q.Org)
	for try := 1; ; try++ {
		if err := x.refresh(ctx, q.Org, o); err != nil {
			if errors.Is(err, errMoved) && try <= 2*attempts {
				continue
			}
			return nil, false, err
		}
		now := false
		err := x.db.View(ctx, func(tx *store.Tx) error {
			generation, err := source.Generation(tx, q.Org)
			if err != nil {
				return err
			}
			st, found := o.search(q)
			if now = st.generation == generation || try >= attempts; !now {
				return nil
			}
			hits, relevant, err = read(tx, q, st, found, st.generation == generation)
			return err
		})
		if now || err != nil {
			return hits, relevant, err
		}
	}
}

// search asks the index, in the state that it has.
func (o *ofOrg) search(q Query) (*state, []rank.Fused) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	groups := o.state.businesses[q.Business]
	if len(groups) == 0 {
		return o.state, nil
	}
	l := q.Language
	if l == "" {
		l = lang.Identify(q.Text).Label()
	}
	var second rank.Source
	if q.Vector != nil && q.Space == o.state.space.Name {
		second = o.vectors.For(q.Vector, o.state.floors[q.Business])
	}
	return o.state, o.rank.Fuse(rank.Query{Text: q.Text, Lang: base(l), Sources: groups, Limit: q.Limit}, second)
}

// read makes hits of what was found.
func read(tx *store.Tx, q Query, st *state, found []rank.Fused, current bool) (hits []Hit, relevant bool, err error) {
	refs := make([]source.Ref, len(found))
	for i, f := range found {
		n, err := strconv.Atoi(f.ID)
		if err != nil {
			return nil, false, err
		}
		refs[i] = source.Ref{Version: st.groups[f.Source].Version, N: n}
	}
	chunks, err := source.Chunks(tx, q.Org, refs)
	if err != nil {
		return nil, false, err
	}
	characters := 0
	for i, f := range found {
		g := st.groups[f.Source]
		c := chunks[i]
		if g.Type == source.Offers {
			if c, err = g.offer(tx, q.Org, refs[i].N, current); err != nil {
				return nil, false, err
			}
		}
		if c == nil {
			continue
		}
		relevant = relevant || f.Coverage >= leastCoverage || f.Semantic
		n := utf8.RuneCountInString(c.Title) + utf8.RuneCountInString(c.Text)
		if q.MaxCharacters > 0 && characters+n > q.MaxCharacters {
			continue
		}
		characters += n
		hits = append(hits, g.hit(c, f))
	}
	return hits, relevant, nil
}

// offer is an offer as it is in the transaction. One that is not what it was when it was
// found is left out.
func (g *group) offer(tx *store.Tx, org string, n int, current bool) (*source.Chunk, error) {
	if n >= len(g.offers) {
		return nil, nil
	}
	if current {
		return &g.offers[n], nil
	}
	list, err := source.OffersNow(tx, org, &g.Source)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Title == g.offers[n].Title && list[i].Text == g.offers[n].Text {
			return &g.offers[n], nil
		}
	}
	return nil, nil
}

func (g *group) hit(c *source.Chunk, f rank.Fused) Hit {
	h := Hit{
		SourceID: g.ID, Type: g.Type, Version: g.Published, Chunk: c.N, Title: c.Title, Text: strings.TrimSpace(c.Text), Language: c.Lang, Score: f.Score,
	}
	if f.Keywords {
		h.Matched = append(h.Matched, Keyword)
	}
	if f.Semantic {
		h.Matched = append(h.Matched, Semantic)
	}
	if g.Type == source.FAQ {
		h.FAQ, h.Question, h.Answer = true, g.Question, g.Answer
	}
	return h
}

// Answers are the approved answers of a business, the oldest first.
func (x *Index) Answers(ctx context.Context, org, business string, limit int) (hits []Hit, err error) {
	if limit <= 0 {
		limit = maxAnswers
	}
	err = x.db.View(ctx, func(tx *store.Tx) error {
		list, err := source.Answers(tx, org, business, limit)
		hits = make([]Hit, len(list))
		for i := range list {
			s := &list[i]
			hits[i] = Hit{
				SourceID: s.ID, Type: s.Type, Version: s.Published, Title: s.Title, Text: s.Answer, Language: s.Language,
				FAQ: true, Question: s.Question, Answer: s.Answer,
			}
		}
		return err
	})
	return hits, err
}
