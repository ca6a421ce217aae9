package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"svc/geo/text"
	"svc/geo/text/script"
)

const (
	maxVariants = 24 // names of one entry that are searched
	maxTokens   = 16 // tokens of one name that are searched
)

// wordBuilder collects name sets and numbers them by first use.
type wordBuilder struct {
	m       *Model
	tokens  *Interner // distinct tokens; renumbered by sortTerms
	keys    *Interner // encoded token sequences of each set
	members [][]uint32
	houses  [][]House
	streets map[uint32]uint32 // street text without an entry to its set
	key     []byte
	sounds  []uint32 // position of each written term in the order of skeletons
}

func newWordBuilder(m *Model) *wordBuilder {
	b := &wordBuilder{m: m, tokens: NewInterner(), keys: NewInterner(), streets: map[uint32]uint32{}}
	b.members, b.houses = make([][]uint32, 1), make([][]House, 1) // set 0 is no set: it is dropped when written
	return b
}

// variants calls yield with each searched name of e, the primary one first.
// Values joined by semicolons are several names.
func (b *wordBuilder) variants(e *Entry, yield func(name string)) {
	each := func(id uint32) {
		s := b.m.Strings.String(id)
		if !strings.Contains(s, ";") {
			yield(s)
			return
		}
		for part := range strings.SplitSeq(s, ";") {
			yield(part)
		}
	}
	each(e.Name)
	for _, n := range b.m.NamesOf(e) {
		if n.Key < SearchedNames {
			each(n.Value)
		}
	}
}

// set numbers the name set of the given variants; 0 when no variant has a token.
func (b *wordBuilder) set(names func(yield func(string))) uint32 {
	var seqs [][]uint32
	names(func(name string) {
		tokens := text.Significant(text.Tokens(name))
		if len(tokens) == 0 || len(seqs) == maxVariants {
			return
		}
		seq := make([]uint32, 0, len(tokens))
		for _, t := range tokens[:min(len(tokens), maxTokens)] {
			seq = append(seq, b.tokens.ID(t))
		}
		if !slices.ContainsFunc(seqs, func(s []uint32) bool { return slices.Equal(s, seq) }) {
			seqs = append(seqs, seq)
		}
	})
	if len(seqs) == 0 {
		return 0
	}
	b.key = binary.AppendUvarint(b.key[:0], uint64(len(seqs)))
	for _, seq := range seqs {
		b.key = binary.AppendUvarint(b.key, uint64(len(seq)))
		for _, t := range seq {
			b.key = binary.AppendUvarint(b.key, uint64(t))
		}
	}
	id := b.keys.ID(string(b.key))
	if int(id) == len(b.members) {
		b.members, b.houses = append(b.members, nil), append(b.houses, nil)
	}
	return id
}

// name gives e, which will be entry id, to its own name set.
func (b *wordBuilder) name(e *Entry, id uint32) uint32 {
	set := b.set(func(yield func(string)) { b.variants(e, yield) })
	if set > 0 {
		b.members[set] = append(b.members[set], id)
	}
	return set
}

// street gives e, which will be entry id and has a house number, to the set
// of its street.
func (b *wordBuilder) street(e *Entry, id uint32) uint32 {
	name := e.Street
	if name == 0 {
		name = e.Admin.Neighbourhood // an address by addr:place
	}
	var set uint32
	if e.StreetEntry >= 0 {
		street := &b.m.Entries[e.StreetEntry]
		set = b.set(func(yield func(string)) { b.variants(street, yield) })
	} else if name > 0 {
		known, ok := b.streets[name]
		if !ok {
			known = b.set(func(yield func(string)) { yield(b.m.Strings.String(name)) })
			b.streets[name] = known
		}
		set = known
	}
	if number := text.HouseKey(text.HouseNumber(b.m.Strings.String(e.House))); set > 0 && number != "" {
		b.houses[set] = append(b.houses[set], House{Number: b.m.Strings.ID(number), Entry: id})
	}
	return set
}

// sortTerms gives tokens their numbers in byte order: order[new] = old, rank[old] = new.
// Token 0 is the empty text and never used.
func (b *wordBuilder) sortTerms() (order, rank []uint32) {
	order = make([]uint32, b.tokens.Len()-1)
	for i := range order {
		order[i] = uint32(i + 1)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return strings.Compare(b.tokens.String(x), b.tokens.String(y))
	})
	rank = make([]uint32, b.tokens.Len())
	for i, old := range order {
		rank[old] = uint32(i)
	}
	return order, rank
}

// seqs calls yield with each variant of set id, as old token numbers.
func (b *wordBuilder) seqs(id uint32, buf []uint32, yield func(i int, seq []uint32)) []uint32 {
	c := cursor(b.keys.String(id))
	for i := range c.count() {
		buf = buf[:0]
		for range c.count() {
			buf = append(buf, uint32(c.uint()))
		}
		yield(i, buf)
	}
	return buf
}

// write encodes every section of words, and tells the number that each token got.
func (b *wordBuilder) write(w *writer) (rank []uint32, err error) {
	order, rank := b.sortTerms()
	if err := b.writeTerms(w, order); err != nil {
		return nil, err
	}
	if err := b.writeSets(w, rank); err != nil {
		return nil, err
	}
	if err := b.writeHoused(w); err != nil {
		return nil, err
	}
	return rank, b.writePostings(w, rank)
}

func (b *wordBuilder) writeTerms(w *writer, order []uint32) error {
	var blob []byte
	ends := make([]uint32, 0, len(order))
	lengths := make([]byte, 0, 2*len(order))
	skeletons := make([]string, len(order))
	for i, old := range order {
		t := b.tokens.String(old)
		blob = append(blob, t...)
		ends = append(ends, uint32(len(blob)))
		skeletons[i] = script.Skeleton(t)
		lengths = append(lengths, short(t), short(skeletons[i]))
	}
	bySkeleton := make([]uint32, len(order))
	for i := range bySkeleton {
		bySkeleton[i] = uint32(i)
	}
	slices.SortFunc(bySkeleton, func(x, y uint32) int {
		return cmp.Or(strings.Compare(skeletons[x], skeletons[y]), cmp.Compare(x, y))
	})
	position := make([]uint32, len(order))
	for i, t := range bySkeleton {
		position[t] = uint32(i)
	}
	b.sounds = position
	return firstError(
		w.put(secTermOffsets, bytesOf(ends)), w.put(secTerms, blob),
		w.put(secTermSkeletons, bytesOf(position)), w.put(secSkeletonOrder, bytesOf(bySkeleton)),
		w.put(secTermLengths, lengths))
}

func short(s string) byte { return byte(min(text.Length(s), math.MaxUint8)) }

// writeSets writes variants and members of sets 1…, which become 0….
func (b *wordBuilder) writeSets(w *writer, rank []uint32) error {
	var data []byte
	var buf []uint32
	offsets := make([]uint32, 0, len(b.members)-1)
	for id := 1; id < len(b.members); id++ {
		offsets = append(offsets, uint32(len(data)))
		c := cursor(b.keys.String(uint32(id)))
		data = binary.AppendUvarint(data, c.uint())
		buf = b.seqs(uint32(id), buf, func(_ int, seq []uint32) {
			data = binary.AppendUvarint(data, uint64(len(seq)))
			for _, t := range seq {
				data = binary.AppendUvarint(data, uint64(rank[t]))
			}
		})
		data = binary.AppendUvarint(data, uint64(len(b.members[id])))
		var last uint32
		for _, e := range b.members[id] {
			data = appendDelta(data, &last, e)
		}
	}
	if len(data) > math.MaxUint32 {
		return errTooLarge("name sets")
	}
	return firstError(w.put(secSetOffsets, bytesOf(offsets)), w.put(secSets, data))
}

// writeHoused writes the house numbers of each set, ranges first, then by number.
func (b *wordBuilder) writeHoused(w *writer) error {
	offsets := make([]uint32, 1, len(b.houses))
	var all []House
	for _, list := range b.houses[1:] {
		slices.SortFunc(list, func(x, y House) int {
			nx, ny := b.m.Strings.String(x.Number), b.m.Strings.String(y.Number)
			return cmp.Or(rangesFirst(nx)-rangesFirst(ny), strings.Compare(nx, ny), cmp.Compare(x.Entry, y.Entry))
		})
		all = append(all, list...)
		offsets = append(offsets, uint32(len(all)))
	}
	return firstError(w.put(secHousedOffsets, bytesOf(offsets)), w.put(secHoused, bytesOf(all)))
}

func rangesFirst(number string) int {
	if _, _, ok := text.HouseRange(number); ok {
		return 0
	}
	return 1
}

// posting is one list under construction, delta-coded as it grows.
type posting struct {
	data        []byte
	first, last uint32
}

func (p *posting) add(set uint32) {
	if len(p.data) == 0 {
		p.first = set
	} else if p.last == set {
		return
	}
	p.data = appendDelta(p.data, &p.last, set)
}

// writePostings writes term and trigram postings; sets come in ascending order.
func (b *wordBuilder) writePostings(w *writer, rank []uint32) error {
	terms := make([]posting, b.tokens.Len()-1)
	grams := map[uint64]*posting{}
	var buf []uint32
	var keys []uint64
	var joined []byte
	for id := 1; id < len(b.members); id++ {
		set := uint32(id - 1)
		buf = b.seqs(uint32(id), buf, func(i int, seq []uint32) {
			joined = joined[:0]
			for _, t := range seq {
				terms[rank[t]].add(set)
				if i == 0 {
					joined = append(append(joined, b.tokens.String(t)...), ' ')
				}
			}
			if i > 0 {
				return
			}
			keys = text.Trigrams(keys[:0], strings.TrimSuffix(string(joined), " "))
			for _, k := range keys {
				p := grams[k]
				if p == nil {
					p = &posting{}
					grams[k] = p
				}
				p.add(set)
			}
		})
	}
	best := make([]uint32, len(terms))
	for i := range terms {
		best[i] = terms[i].first
	}
	if err := w.put(secTermBest, bytesOf(best)); err != nil {
		return err
	}
	if err := putPostings(w, secPostingOffsets, secPostings, len(terms), func(i int) []byte { return terms[i].data }); err != nil {
		return err
	}
	keys = keys[:0]
	for k := range grams {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if err := w.put(secTrigramKeys, bytesOf(keys)); err != nil {
		return err
	}
	return putPostings(w, secTrigramOffsets, secTrigrams, len(keys), func(i int) []byte { return grams[keys[i]].data })
}

func putPostings(w *writer, offsets, lists section, n int, list func(int) []byte) error {
	ends := make([]uint32, 1, n+1)
	total := 0
	for i := range n {
		total += len(list(i))
		ends = append(ends, uint32(total))
	}
	if total > math.MaxUint32 {
		return errTooLarge("postings")
	}
	if err := w.put(offsets, bytesOf(ends)); err != nil {
		return err
	}
	if err := w.begin(lists); err != nil {
		return err
	}
	for i := range n {
		if _, err := w.Write(list(i)); err != nil {
			return err
		}
	}
	w.end(lists)
	return nil
}
