package rank

import (
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/geo/text/script"
)

//go:embed glossary.txt
var glossaryText string

// Weights of what a word stands for, beside the word itself.
const (
	weightConcept = 0.7
	weightParent  = 0.35
	weightSign    = 0.35
)

// terms is the glossary as it is read: words and phrases to concepts.
type terms struct {
	ids     map[string]int32
	names   []string
	parents []int32 // -1 for none
	words   map[string][]int32
	signs   map[string][]int32
	phrases map[string][]phrase // by each stem of the first word
	near    *vocabulary         // the stems of single words, for words with a letter wrong
	stems   []string            // by their number in near
}

// phrase is a phrase of several words.
type phrase struct {
	rest    [][]string // the stems of each word behind the first
	concept int32
}

var glossary = readGlossary(glossaryText)

func readGlossary(text string) *terms {
	g := &terms{ids: map[string]int32{}, words: map[string][]int32{}, signs: map[string][]int32{}, phrases: map[string][]phrase{}, near: newVocabulary()}
	for line := range strings.Lines(text) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		name, sign := strings.CutPrefix(name, "~")
		name, parent, child := strings.Cut(name, ">")
		id := g.id(name)
		if child {
			g.parents[id] = g.id(parent)
		}
		for entry := range strings.SplitSeq(list, ",") {
			g.add(id, entry, sign)
		}
	}
	return g
}

func (g *terms) id(name string) int32 {
	id, ok := g.ids[name]
	if !ok {
		id = int32(len(g.names))
		g.ids[name] = id
		g.names, g.parents = append(g.names, name), append(g.parents, -1)
	}
	return id
}

func (g *terms) add(id int32, entry string, sign bool) {
	words := spell(entry)
	switch {
	case len(words) == 0:
	case len(words) > 1:
		p := phrase{concept: id}
		for _, w := range words[1:] {
			p.rest = append(p.rest, w.stems)
		}
		for _, s := range words[0].stems {
			g.phrases[s] = append(g.phrases[s], p)
		}
	default:
		to := g.words
		if sign {
			to = g.signs
		}
		for _, s := range words[0].stems {
			if !slices.Contains(to[s], id) {
				to[s] = append(to[s], id)
			}
			if n := g.near.number(s); n == len(g.stems) {
				g.stems = append(g.stems, s)
			}
		}
	}
}

// mark gives a word a concept, the greater weight when it has it already.
func (g *terms) mark(t *token, name string, weight float32) { g.give(t, g.ids[name], weight) }

func (g *terms) give(t *token, id int32, weight float32) {
	for i := range t.concepts {
		if t.concepts[i].id == id {
			t.concepts[i].weight = max(t.concepts[i].weight, weight)
			return
		}
	}
	t.concepts = append(t.concepts, concept{id, weight})
	if p := g.parents[id]; p >= 0 {
		g.give(t, p, min(weight, weightParent))
	}
}

// read finds the concepts of the words of a text. A phrase belongs to its first word.
func (g *terms) read(words []token, chunk bool) {
	for i := range words {
		for _, s := range words[i].stems {
			for _, p := range g.phrases[s] {
				if p.follows(words[i+1:]) {
					g.give(&words[i], p.concept, weightConcept)
				}
			}
			for _, id := range g.words[s] {
				g.give(&words[i], id, weightConcept)
			}
			if !chunk {
				continue
			}
			for _, id := range g.signs[s] {
				g.give(&words[i], id, weightSign)
			}
		}
	}
}

func (p phrase) follows(words []token) bool {
	if len(words) < len(p.rest) {
		return false
	}
	for i, want := range p.rest {
		if !slices.ContainsFunc(words[i].stems, func(s string) bool { return slices.Contains(want, s) }) {
			return false
		}
	}
	return true
}

// spell reads an entry of the glossary, without concepts.
func spell(entry string) (out []token) {
	for _, w := range script.Words(entry) {
		out = append(out, token{stems: stems(w.Text, entry[w.Start] < utf8.RuneSelf)})
	}
	return out
}
