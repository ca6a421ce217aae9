package rank

import (
	"math"
	"slices"
	"sync"
)

// Chunk is a piece of knowledge that can be found.
type Chunk struct {
	ID    string
	Lang  string // as lang.Guess.Label writes it; may be empty
	Title string
	Text  string
}

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
	group  *group
	id     string
	lang   string
	print  []uint32 // a sample of its words, for telling twins
	length float32
}

// group is the chunks of one source.
type group struct {
	name   string
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
			x.docs[n] = doc{}
		}
		x.dead += len(old.docs)
		delete(x.groups, source)
	}
	if x.dead > len(x.docs)/3 && x.dead > 1000 || len(x.docs)+len(chunks) > MaxChunks {
		x.compact()
	}
	if len(ready) == 0 {
		return true
	}
	g := &group{name: source}
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
	times := map[int]float32{}
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
		d.length++
		for _, s := range t.stems {
			times[x.number(s)] += weight
		}
	}
	for number, f := range times {
		f = min(max(f*2, 1), maxTimes) // halves: a sign counts less than a word
		x.lists[number] = append(x.lists[number], posting(n<<timesBits|uint32(f)))
		d.print = append(d.print, uint32(number))
	}
	slices.SortFunc(d.print, func(a, b uint32) int { return int(int64(a*2654435761) - int64(b*2654435761)) })
	d.print = slices.Clip(slices.Clone(d.print[:min(len(d.print), printWords)]))
	x.docs = append(x.docs, d)
	g.docs = append(g.docs, n)
	g.length += d.length
}

// printWords is how many words stand for a chunk when twins are told: those with the
// smallest hash, so that equal texts have equal ones.
const printWords = 24

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
			moved[i] = uint32(len(kept))
			kept = append(kept, d)
		}
	}
	clear(x.docs[len(kept):])
	x.docs, x.dead = kept, 0
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
