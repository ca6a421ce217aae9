package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Query asks for chunks.
type Query struct {
	Text    string
	Lang    string   // of the customer: chunks in it are preferred a little
	Sources []string // where to look; empty: everywhere
	Limit   int      // 1 to MaxHits; 0: 5
}

// Hit is a chunk that was found.
type Hit struct {
	Source, ID string
	Score      float64
	// Coverage is the share of the question's weight that the chunk covers, 0 to 1.
	Coverage float64
}

// Bounds of a question.
const (
	MaxQuery  = 2 << 10
	MaxHits   = 100
	maxTokens = 24
	// maxOptions bounds the lists that one word looks at.
	maxOptions = 20
	// listed is how long each list is that Fuse takes.
	listed = 30
)

// Weights of BM25: chunks are short and of one size, so length counts little.
const (
	saturation = 1.2
	lengthPart = 0.3
)

// option is one list of postings that may answer a word of the question.
type option struct {
	list   int
	weight float32
}

// Search finds the chunks that answer by keywords, the best first; nearly equal ones once.
func (x *Index) Search(q Query) []Hit {
	limit := min(q.Limit, MaxHits)
	if limit < 1 {
		limit = 5
	}
	words := content(analyze(cut(q.Text, MaxQuery), 4*maxTokens, false))
	if len(words) == 0 {
		return nil
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.scope(q.Sources)
	if s.docs == 0 {
		return nil
	}
	s.sums = sumsPool.Get().(*sums)
	defer s.release()
	s.total, s.word = grown(s.total, len(x.docs)), grown(s.word, len(x.docs))
	var possible float32
	for _, w := range words {
		possible += s.count(distinct(x.options(s, w)))
	}
	return s.best(q.Lang, limit, possible)
}

// content leaves the words that say something, each once, and each concept with the first
// word that has it. When only small words are there, they are taken.
func content(words []token) []token {
	for _, small := range []bool{false, true} {
		var out []token
		seen, had := map[string]bool{}, map[int32]bool{}
		for _, w := range words {
			if w.stop && len(w.concepts) == 0 && !small || seen[w.key] || len(out) == maxTokens {
				continue
			}
			seen[w.key] = true
			w.concepts = slices.DeleteFunc(w.concepts, func(c concept) bool { return had[c.id] })
			for _, c := range w.concepts {
				had[c.id] = c.weight == weightConcept || had[c.id]
			}
			out = append(out, w)
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// options are the lists that may answer a word.
func (x *Index) options(s *scope, w token) (out []option) {
	found := false
	if !w.stop {
		for _, stem := range w.stems {
			if n, ok := x.words.numbers[stem]; ok {
				out = append(out, option{n, 1})
				found = found || s.found(x.lists[n]) > 0
			}
		}
	}
	concepts := w.concepts
	if len(concepts) == 0 && !found && !w.stop {
		concepts = misspelled(w)
	}
	for _, c := range concepts {
		out = append(out, option{x.concept[c.id], c.weight})
	}
	if w.stop {
		return out
	}
	for _, stem := range w.stems {
		if !found {
			for _, near := range x.words.typos(stem) {
				out = append(out, option{near.number, near.weight})
			}
		}
		for _, near := range x.words.beginnings(stem) {
			out = append(out, option{near.number, near.weight})
		}
	}
	return out
}

// distinct leaves each list once, with its greatest weight: the heaviest maxOptions.
func distinct(options []option) []option {
	slices.SortStableFunc(options, func(a, b option) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.list, b.list))
	})
	seen := make(map[int]bool, len(options))
	options = slices.DeleteFunc(options, func(o option) bool {
		again := seen[o.list]
		seen[o.list] = true
		return again
	})
	return options[:min(len(options), maxOptions)]
}

// misspelled are the concepts of the words of the glossary that are nearest to one that
// nobody knows.
func misspelled(w token) (out []concept) {
	best := float32(0)
	for _, stem := range w.stems {
		for _, near := range glossary.near.typos(stem) {
			if near.weight < best {
				break
			}
			if near.weight > best {
				best, out = near.weight, nil
			}
			for _, id := range glossary.words[glossary.stems[near.number]] {
				out = append(out, concept{id, weightConcept * near.weight})
			}
		}
	}
	return out[:min(len(out), 4)]
}

// scope is the part of an index that one search looks at.
type scope struct {
	x      *Index
	whole  bool   // every chunk that ever was is in it
	groups []bool // by number
	docs   int
	mean   float32 // words of a chunk
	*sums
}

// sums are what a search counts with, by number of the chunk; kept for the next search.
type sums struct {
	total, word []float32 // 0 but for the chunks in hits and marked
	marked      []uint32  // chunks of which word is not 0
	hits        []uint32  // chunks of which total is not 0
}

var sumsPool = sync.Pool{New: func() any { return &sums{} }}

// release gives the sums back, empty.
func (s *scope) release() {
	for _, n := range s.hits {
		s.total[n] = 0
	}
	s.hits = s.hits[:0]
	sumsPool.Put(s.sums)
}

func grown(list []float32, n int) []float32 {
	if len(list) < n {
		return make([]float32, n+n/8)
	}
	return list
}

func (x *Index) scope(sources []string) *scope {
	s := &scope{x: x, groups: make([]bool, len(x.numbers))}
	length := float32(0)
	take := func(g *group) {
		if g != nil && !s.groups[g.number] {
			s.groups[g.number] = true
			s.docs += len(g.docs)
			length += g.length
		}
	}
	for _, name := range sources {
		take(x.groups[name])
	}
	if len(sources) == 0 {
		for _, g := range x.numbers {
			take(g)
		}
	}
	s.whole = s.docs == len(x.docs)
	s.mean = max(length/float32(max(s.docs, 1)), 1)
	return s
}

func (s *scope) in(n uint32) bool {
	if s.whole {
		return true
	}
	g := s.x.of[n]
	return g >= 0 && s.groups[g]
}

// found is how many chunks of a list are in the scope.
func (s *scope) found(list []posting) (n int) {
	if s.whole {
		return len(list)
	}
	for _, p := range list {
		if s.in(p.doc()) {
			n++
		}
	}
	return n
}

// count adds what one word of the question gives to each chunk: the best of its options.
// It answers the most that the word can give.
func (s *scope) count(options []option) float32 {
	var most float32
	for _, o := range options {
		list := s.x.lists[o.list]
		found := s.found(list)
		if found == 0 {
			continue
		}
		rare := float32(math.Log(1 + (float64(s.docs-found)+0.5)/(float64(found)+0.5)))
		if rare*o.weight < most/8 {
			continue // it tells next to nothing beside the others
		}
		for _, p := range list {
			n := p.doc()
			if !s.in(n) {
				continue
			}
			times := p.times() / 2
			norm := saturation * (1 - lengthPart + lengthPart*s.x.lengths[n]/s.mean)
			v := o.weight * rare * times * (saturation + 1) / (times + norm)
			if s.word[n] == 0 {
				s.marked = append(s.marked, n)
			}
			s.word[n] = max(s.word[n], v)
		}
		most = max(most, rare*o.weight)
	}
	if most == 0 {
		most = float32(math.Log(1 + float64(s.docs))) // a word that nothing answers
	}
	for _, n := range s.marked {
		if s.total[n] == 0 {
			s.hits = append(s.hits, n)
		}
		s.total[n] += s.word[n]
		s.word[n] = 0
	}
	s.marked = s.marked[:0]
	return most
}

// best answers the chunks with the highest sums.
func (s *scope) best(lang string, limit int, possible float32) []Hit {
	if lang != "" {
		for _, n := range s.hits {
			if l := s.x.docs[n].lang; l == lang || l == AnyLang {
				s.total[n] *= 1.02
			}
		}
	}
	var out []Hit
	var taken []uint32
	for _, n := range s.top(limit + moreForTwins) {
		if len(out) == limit {
			break
		}
		d := &s.x.docs[n]
		if slices.ContainsFunc(taken, func(t uint32) bool { return twins(&s.x.docs[t], d) }) {
			continue
		}
		taken = append(taken, n)
		out = append(out, Hit{Source: d.group.name, ID: d.id, Score: float64(s.total[n]), Coverage: float64(min(s.total[n]/possible, 1))})
	}
	return out
}

// moreForTwins is how many chunks more than asked for are looked at, because some may be
// twins of others.
const moreForTwins = 50

// top are the n chunks with the highest sums, in order.
func (s *scope) top(n int) []uint32 {
	before := func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.total[b], s.total[a]), strings.Compare(s.x.docs[a].id, s.x.docs[b].id), cmp.Compare(a, b))
	}
	top := make([]uint32, 0, n+1)
	for _, hit := range s.hits {
		if len(top) == n && before(top[n-1], hit) < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, hit, before)
		top = slices.Insert(top, at, hit)
		top = top[:min(len(top), n)]
	}
	return top
}

// twins tells nearly equal chunks by their samples: more than nine tenths in common, and
// the same numbers.
func twins(a, b *doc) bool {
	common, all := 0, 0
	for _, w := range a.print {
		if w == 0 {
			break
		}
		all++
		if slices.Contains(b.print[:], w) {
			common++
		}
	}
	for _, w := range b.print {
		if w != 0 && !slices.Contains(a.print[:], w) {
			all++
		}
	}
	return a.figures == b.figures && 10*common > 9*all
}

// cut is at most n bytes of a text, whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
