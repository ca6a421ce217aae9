package rank

import (
	"math"
	"slices"
	"sync"

	"svc/geo/text/script"
)

// Chunk is a piece of knowledge that can be found.
type Chunk struct {
	ID    string
	Lang  string // as lang.Guess.Label writes it, or AnyLang; may be empty
	Title string
	Text  string
}

// AnyLang is the language of a chunk that is as good in every one: a row of figures, an offer.
const AnyLang = "*"

// Bounds of what is read of a chunk.
const (
	maxChunkBytes = 16 << 10
	maxChunkWords = 2_000
	// MaxChunks bounds an index: what is more is refused by Put.
	MaxChunks = 1 << 21
)

// Index holds the chunks of many sources in memory. It may be used by many goroutines.
type Index struct {
	mu      sync.RWMutex
	words   *vocabulary
	lists   [][]posting // by number of the stem; a concept has a number too
	concept []int       // number of the list of each concept
	docs    []doc
	of      []int32   // number of the group of each chunk, -1 when it was taken out
	lengths []float32 // words of each chunk
	numbers []*group  // by number; nil: free
	groups  map[string]*group
	dead    int
}

// posting is a chunk, and how often the stem is in it in the lowest bits.
type posting uint32

const (
	timesBits = 5
	maxTimes  = 1<<timesBits - 1
)

func (p posting) doc() uint32    { return uint32(p) >> timesBits }
func (p posting) times() float32 { return float32(p & maxTimes) }

// doc is a chunk that was put. group is nil when it was taken out.
type doc struct {
	group *group
	id    string
	lang  string
	print [printWords]uint16 // a sample of its words, for telling twins; 0 where there is none
	// figures is a sum over its numbers in order: chunks with other prices are no twins.
	figures uint64
}

// group is the chunks of one source.
type group struct {
	name   string
	number int32
	docs   []uint32
	length float32
}

// NewIndex makes an empty index.
func NewIndex() *Index {
	x := &Index{words: newVocabulary(), groups: map[string]*group{}}
	for range glossary.names {
		x.concept = append(x.concept, len(x.lists))
		x.words.list = append(x.words.list, "")
		x.lists = append(x.lists, nil)
	}
	return x
}

// read is a chunk, analyzed.
type read struct {
	chunk  Chunk
	tokens []token
	title  int // tokens of the title
}

func readChunk(c Chunk) read {
	title := analyze(cut(c.Title, 1<<10), 100, true)
	text := analyze(cut(c.Text, maxChunkBytes), maxChunkWords, true)
	c.Title, c.Text = "", ""
	return read{chunk: c, tokens: append(title, text...), title: len(title)}
}

// Put replaces all chunks of a source; none takes the source out. A search sees the old
// ones or the new ones. False: the index is full, and nothing has changed.
func (x *Index) Put(source string, chunks []Chunk) bool {
	ready := make([]read, 0, len(chunks))
	for _, c := range chunks {
		ready = append(ready, readChunk(c))
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.docs)-x.dead+len(chunks) > MaxChunks {
		return false
	}
	if old := x.groups[source]; old != nil {
		for _, n := range old.docs {
			x.docs[n], x.of[n] = doc{}, -1
		}
		x.dead += len(old.docs)
		x.numbers[old.number] = nil
		delete(x.groups, source)
	}
	if x.dead > len(x.docs)/3 && x.dead > 1000 || len(x.docs)+len(chunks) > MaxChunks {
		x.compact()
	}
	if len(ready) == 0 {
		return true
	}
	g := &group{name: source, number: int32(slices.Index(x.numbers, nil))}
	if g.number < 0 {
		g.number = int32(len(x.numbers))
		x.numbers = append(x.numbers, nil)
	}
	x.numbers[g.number] = g
	x.groups[source] = g
	for _, r := range ready {
		x.add(g, r)
	}
	return true
}

// Len is how many chunks can be found.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.docs) - x.dead
}

func (x *Index) add(g *group, r read) {
	n := uint32(len(x.docs))
	d := doc{group: g, id: r.chunk.ID, lang: r.chunk.Lang}
	length := float32(0)
	times := map[int]float32{}
	var words []uint32
	for i, t := range r.tokens {
		weight := float32(1)
		if i < r.title {
			weight = 2
		}
		for _, c := range t.concepts {
			times[x.concept[c.id]] += weight * c.weight / weightConcept
		}
		if t.stop {
			continue
		}
		length++
		if script.IsDigit(t.key[0]) {
			for _, c := range []byte(t.key + " ") {
				d.figures = (d.figures ^ uint64(c)) * 1099511628211
			}
		}
		for _, s := range t.stems {
			times[x.number(s)] += weight
		}
	}
	for number, f := range times {
		f = min(max(f*2, 1), maxTimes) // halves: a sign counts less than a word
		x.lists[number] = push(x.lists[number], posting(n<<timesBits|uint32(f)))
		words = append(words, uint32(number)*2654435761)
	}
	slices.Sort(words)
	for i, w := range words[:min(len(words), printWords)] {
		d.print[i] = uint16(w>>8) | 1
	}
	x.docs, x.of, x.lengths = append(x.docs, d), append(x.of, g.number), append(x.lengths, length)
	g.docs = append(g.docs, n)
	g.length += length
}

// push is append with less room to spare: there are very many lists.
func push(list []posting, p posting) []posting {
	if len(list) == cap(list) {
		list = append(make([]posting, 0, len(list)+len(list)/16+1), list...)
	}
	return append(list, p)
}

// printWords is how many words stand for a chunk when twins are told: those with the
// smallest hash, so that equal texts have equal ones.
const printWords = 12

func (x *Index) number(stem string) int {
	n := x.words.number(stem)
	if n == len(x.lists) {
		x.lists = append(x.lists, nil)
	}
	return n
}

// compact takes the places of dead chunks out of the lists.
func (x *Index) compact() {
	moved := make([]uint32, len(x.docs))
	kept := x.docs[:0]
	for i, d := range x.docs {
		moved[i] = math.MaxUint32
		if d.group != nil {
			to := len(kept)
			moved[i] = uint32(to)
			kept = append(kept, d)
			x.of[to], x.lengths[to] = x.of[i], x.lengths[i]
		}
	}
	clear(x.docs[len(kept):])
	x.docs, x.of, x.lengths, x.dead = kept, x.of[:len(kept)], x.lengths[:len(kept)], 0
	for i, list := range x.lists {
		left := list[:0]
		for _, p := range list {
			if to := moved[p.doc()]; to != math.MaxUint32 {
				left = append(left, posting(to<<timesBits)|p&maxTimes)
			}
		}
		x.lists[i] = left
	}
	for _, g := range x.groups {
		for i, n := range g.docs {
			g.docs[i] = moved[n]
		}
	}
}
