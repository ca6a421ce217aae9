package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strings"

	"svc/geo/text"
)

// A context is the list of areas that an entry lies in: its neighbourhood,
// village, town, city, district and region, by whatever the map knows them
// (map contract 41.10). Entries beside each other share one, so that a file
// holds tens of thousands for a million entries. An area is a name set, so that
// a word of a query is compared with all its names.

// ContextArea is one area of a context while a model is built.
type ContextArea struct {
	Entry  int32  // position in Entries of the place; -1 when only its name is known
	Name   uint32 // the name when there is no entry
	Coarse bool   // a region, district or country: it says less than a settlement
}

// areaWord says that an area has a word, which is a term or a position in the order
// of skeletons.
type areaWord struct{ Word, Area uint32 }

// numberContexts makes the name sets of all areas and gives contexts their
// numbers in the file, in the order of the entries that need them.
func (f *fileBuilder) numberContexts(b *wordBuilder) {
	f.contexts = make([]uint32, max(1, len(f.m.Contexts)))
	f.listed = [][]uint32{nil}
	known := map[string]uint32{"": 0}
	done := make([]bool, len(f.contexts))
	done[0] = true
	var key []byte
	for id := range f.order {
		at := f.entry(id).Context
		if done[at] {
			continue
		}
		done[at] = true
		list := f.areaSetsOf(b, f.m.Contexts[at])
		key = key[:0]
		for _, v := range list {
			key = binary.AppendUvarint(key, uint64(v))
		}
		number, ok := known[string(key)]
		if !ok {
			number = uint32(len(f.listed))
			known[string(key)] = number
			f.listed = append(f.listed, list)
		}
		f.contexts[at] = number
	}
}

// areaSetsOf are the name sets of some areas, each twice its number and one more
// when it is coarse; in ascending order, each once, the finer of two.
func (f *fileBuilder) areaSetsOf(b *wordBuilder, areas []ContextArea) []uint32 {
	var list []uint32
	for _, a := range areas {
		var set uint32
		if a.Entry >= 0 {
			set = f.sets[f.ids[a.Entry]]
		} else {
			set = b.set(func(yield func(string)) { yield(b.m.Strings.String(a.Name)) })
		}
		if set > 0 {
			list = append(list, set<<1|coarseBit(a.Coarse))
		}
	}
	slices.Sort(list)
	return slices.CompactFunc(list, func(x, y uint32) bool { return x>>1 == y>>1 })
}

func coarseBit(coarse bool) uint32 {
	if coarse {
		return 1
	}
	return 0
}

// writeContexts writes the words of areas in both orders of terms, and the
// contexts that each area is in.
func (f *fileBuilder) writeContexts(b *wordBuilder, rank []uint32) error {
	inside := map[uint32][]uint32{} // set -> contexts, twice the number and one more when coarse
	for number, list := range f.listed {
		for _, v := range list {
			inside[v>>1] = append(inside[v>>1], uint32(number)<<1|v&1)
		}
	}
	sets := make([]uint32, 0, len(inside))
	for set := range inside {
		sets = append(sets, set)
	}
	slices.Sort(sets)
	var words, sounds []areaWord
	var data []byte
	var buf []uint32
	offsets := make([]uint32, 1, len(sets)+1)
	for area, set := range sets {
		buf = b.seqs(set, buf, func(_ int, seq []uint32) {
			for _, t := range seq {
				words = append(words, areaWord{rank[t], uint32(area)})
				sounds = append(sounds, areaWord{b.sounds[rank[t]], uint32(area)})
			}
		})
		var last uint32
		for _, c := range inside[set] {
			data = appendDelta(data, &last, c)
		}
		offsets = append(offsets, uint32(len(data)))
	}
	if len(data) > math.MaxUint32 {
		return errTooLarge("contexts")
	}
	numbers := make([]uint32, len(sets)) // in a file sets count from 0
	for i, set := range sets {
		numbers[i] = set - 1
	}
	return firstError(
		f.w.put(secAreaSets, bytesOf(numbers)), f.w.put(secAreaTerms, bytesOf(sortedWords(words))),
		f.w.put(secAreaSkeletons, bytesOf(sortedWords(sounds))),
		f.w.put(secAreaContextOffsets, bytesOf(offsets)), f.w.put(secAreaContexts, data))
}

func sortedWords(list []areaWord) []areaWord {
	slices.SortFunc(list, func(a, b areaWord) int { return cmp.Or(cmp.Compare(a.Word, b.Word), cmp.Compare(a.Area, b.Area)) })
	return slices.Compact(list)
}

// Context is the number of the areas that an entry lies in.
func (x *Index) Context(r *Row) uint32 { return x.tuples[r.Around].Context }

// Contexts is the number of distinct contexts.
func (x *Index) Contexts() int { return x.Meta.Contexts }

// AreasByTerm calls yield with each area that has one of the terms of the span,
// in byte order, in a name.
func (x *Index) AreasByTerm(s Span, yield func(term, area uint32)) {
	eachAreaWord(x.areaTerms, s, yield)
}

// AreasBySkeleton is AreasByTerm for a span in skeleton order.
func (x *Index) AreasBySkeleton(s Span, yield func(term, area uint32)) {
	eachAreaWord(x.areaSkeletons, s, func(at, area uint32) { yield(x.TermAtSkeleton(at), area) })
}

func eachAreaWord(list []areaWord, s Span, yield func(word, area uint32)) {
	from := sort.Search(len(list), func(i int) bool { return list[i].Word >= s.From })
	for _, w := range list[from:] {
		if w.Word >= s.To {
			return
		}
		yield(w.Word, w.Area)
	}
}

// IsArea reports whether terms are the whole name of an area.
func (x *Index) IsArea(terms []uint32) (found bool) {
	if len(terms) == 0 {
		return false
	}
	var set NameSet
	x.AreasByTerm(Span{terms[0], terms[0] + 1}, func(_, area uint32) {
		x.ReadSet(x.SetOf(area), &set)
		found = found || slices.ContainsFunc(set.Variants, func(v []uint32) bool { return slices.Equal(v, terms) })
	})
	return found
}

// AreaOf is the area that bears a name set; ok is false when none does.
func (x *Index) AreaOf(set uint32) (area uint32, ok bool) {
	i, ok := slices.BinarySearch(x.areaSets, set)
	return uint32(i), ok
}

// SetOf is the name set that an area bears.
func (x *Index) SetOf(area uint32) uint32 { return x.areaSets[area] }

// AreaContexts calls yield with each context that an area is in; coarse tells
// that the area is a region, a district or a country there.
func (x *Index) AreaContexts(area uint32, yield func(context uint32, coarse bool)) {
	most := uint32(x.Meta.Contexts)
	eachDelta(x.areaContexts[x.areaContextOffsets[area]:x.areaContextOffsets[area+1]], func(v uint32) bool {
		if v>>1 < most {
			yield(v>>1, v&1 == 1)
		}
		return true
	})
}

// writePostcodes writes the entries of each postcode.
func (f *fileBuilder) writePostcodes() error {
	entries := map[uint32][]byte{}
	last := map[uint32]uint32{}
	written := map[uint32]uint32{} // as tagged -> as compared
	for id := range f.order {
		raw := f.entry(id).Postcode
		if raw == 0 {
			continue
		}
		code, ok := written[raw]
		if !ok {
			code = f.m.Strings.ID(text.Postcode(f.m.Strings.String(raw)))
			written[raw] = code
		}
		if code != 0 {
			before := last[code]
			entries[code] = appendDelta(entries[code], &before, uint32(id))
			last[code] = before
		}
	}
	codes := make([]uint32, 0, len(entries))
	for code := range entries {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b uint32) int { return strings.Compare(f.m.Strings.String(a), f.m.Strings.String(b)) })
	if err := f.w.put(secPostcodes, bytesOf(codes)); err != nil {
		return err
	}
	return putPostings(f.w, secPostcodeOffsets, secPostcodeEntries, len(codes), func(i int) []byte { return entries[codes[i]] })
}

// Postcode calls yield with the entries that carry a postcode, as text.Postcode
// writes it, most important first, until yield returns false.
func (x *Index) Postcode(code string, yield func(id uint32) bool) {
	i := sort.Search(len(x.postcodes), func(i int) bool { return x.Text(x.postcodes[i]) >= code })
	if i == len(x.postcodes) || x.Text(x.postcodes[i]) != code {
		return
	}
	most := uint32(len(x.Rows))
	eachDelta(x.postcodeEntries[x.postcodeOffsets[i]:x.postcodeOffsets[i+1]], func(id uint32) bool {
		return id >= most || yield(id)
	})
}
