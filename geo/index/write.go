package index

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"svc/geo/geom"
)

// Write orders, numbers and encodes m. The same model gives the same bytes.
// m is consumed: its entries are renumbered. done hears of bytes as they are
// written.
func Write(ws io.WriteSeeker, m *Model, done func(bytes int64)) error {
	if uint64(len(m.Entries)) > math.MaxInt32 {
		return errTooLarge("entries")
	}
	w, err := newWriter(ws, done)
	if err != nil {
		return err
	}
	f := &fileBuilder{m: m, w: w}
	f.number()
	for _, step := range []func() error{
		f.writeWords, f.writeGeometry, f.writeRows, f.writePostcodes, f.writeSources, f.writeSpatial, f.writeAreas, f.writeStrings, f.writeMeta, w.finish,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// fileBuilder carries what the sections of one file share.
type fileBuilder struct {
	m        *Model
	w        *writer
	order    []uint32   // order[id] = position in m.Entries
	ids      []uint32   // ids[position] = id
	sets     []uint32   // by id; 0 for none, else set + 1
	contexts []uint32   // number in the file of each of the model's contexts
	listed   [][]uint32 // by number in the file: areas as wordBuilder numbers sets, see context.go
	geometry []uint32   // by id; offset + 1
}

// number orders entries by importance, then along the Hilbert curve, then by
// source, so that neighbours in id are neighbours on disk.
func (f *fileBuilder) number() {
	n := len(f.m.Entries)
	f.order, f.ids = make([]uint32, n), make([]uint32, n)
	curve := make([]uint32, n)
	for i := range f.m.Entries {
		f.order[i] = uint32(i)
		curve[i] = geom.Hilbert(f.m.Entries[i].Point)
	}
	slices.SortFunc(f.order, func(a, b uint32) int {
		x, y := &f.m.Entries[a], &f.m.Entries[b]
		return cmp.Or(cmp.Compare(y.Rank, x.Rank), cmp.Compare(curve[a], curve[b]), cmp.Compare(x.Source, y.Source), cmp.Compare(a, b))
	})
	for id, at := range f.order {
		f.ids[at] = uint32(id)
	}
}

// entry is the model's entry that gets number id.
func (f *fileBuilder) entry(id int) *Entry { return &f.m.Entries[f.order[id]] }

func (f *fileBuilder) kind(category uint8) Kind {
	k, _ := ParseKind(f.m.Meta.Categories[category].Kind)
	return k
}

// writeWords numbers the name sets: own names first, in order of importance,
// then those that only house numbers use.
func (f *fileBuilder) writeWords() error {
	b := newWordBuilder(f.m)
	f.sets = make([]uint32, len(f.order))
	for id := range f.order {
		if e := f.entry(id); f.kind(e.Category) != Address {
			f.sets[id] = b.name(e, uint32(id))
		}
	}
	for id := range f.order {
		e := f.entry(id)
		if e.House == 0 {
			continue
		}
		if set := b.street(e, uint32(id)); f.kind(e.Category) == Address {
			f.sets[id] = set
		}
	}
	f.numberContexts(b)
	rank, err := b.write(f.w)
	return firstError(err, f.writeSetRanks(b), f.writeContexts(b, rank))
}

// writeSetRanks notes the best importance that each name set, or one after it, has.
func (f *fileBuilder) writeSetRanks(b *wordBuilder) error {
	ranks := make([]uint16, len(b.members)-1)
	best := uint16(0)
	for set := len(b.members) - 1; set > 0; set-- {
		for _, id := range b.members[set] {
			best = max(best, f.entry(int(id)).Rank)
		}
		for _, h := range b.houses[set] {
			best = max(best, f.entry(int(h.Entry)).Rank)
		}
		ranks[set-1] = best
	}
	return firstError(f.w.put(secSetRanks, bytesOf(ranks)), f.w.put(secSetOnly, bytesOf(onlyMembers(b))))
}

// onlyMembers are the entries of the name sets that one entry bears and no house number
// counts along; several for the others.
func onlyMembers(b *wordBuilder) []uint32 {
	only := make([]uint32, len(b.members)-1)
	for i := range only {
		only[i] = several
		if m := b.members[i+1]; len(m) == 1 && len(b.houses[i+1]) == 0 {
			only[i] = m[0]
		}
	}
	return only
}

// writeGeometry writes each distinct shape once.
func (f *fileBuilder) writeGeometry() error {
	f.geometry = make([]uint32, len(f.order))
	if err := f.w.begin(secGeometry); err != nil {
		return err
	}
	at := 0
	for id := range f.order {
		x := f.entry(id).Extra
		if x == nil || len(x.Shape) == 0 {
			continue
		}
		f.geometry[id] = uint32(at) + 1
		if at += len(x.Shape); at >= math.MaxUint32 {
			return errTooLarge("geometry")
		}
		if _, err := f.w.Write(x.Shape); err != nil {
			return err
		}
	}
	f.w.end(secGeometry)
	return nil
}

func (f *fileBuilder) writeRows() error {
	tuples := []around{{}}
	known := map[around]uint32{{}: 0}
	rows := make([]Row, 0, len(f.order))
	coarse := make([]uint32, 0, len(f.order))
	var steps []uint16
	var details []byte
	for id := range f.order {
		e := f.entry(id)
		tuple := around{e.Admin, f.contexts[e.Context]}
		at, ok := known[tuple]
		if !ok {
			at = uint32(len(tuples))
			known[tuple] = at
			tuples = append(tuples, tuple)
		}
		row := Row{
			Source: e.Source, Lat: e.Point.Y, Lon: e.Point.X, Detail: uint32(len(details)),
			Set: f.sets[id] - 1, Around: at, Rank: e.Rank, Category: e.Category, Bits: e.Bits,
		}
		if f.geometry[id] > 0 {
			row.Bits |= FlagGeometry
		}
		rows = append(rows, row)
		coarse = append(coarse, coarseOf(f.kind(e.Category), e.Point))
		if id%rankStep == 0 {
			steps = append(steps, e.Rank)
		}
		details = appendDetail(details, f.detail(e, id), e.Point)
		if len(details) > math.MaxUint32 {
			return errTooLarge("details")
		}
	}
	return firstError(
		f.w.put(secRows, bytesOf(rows)), f.w.put(secCoarse, bytesOf(coarse)), f.w.put(secRankSteps, bytesOf(steps)),
		f.w.put(secDetails, details), f.w.put(secAdmins, bytesOf(tuples)))
}

func (f *fileBuilder) detail(e *Entry, id int) *Detail {
	d := &Detail{Name: e.Name, Street: e.Street, House: e.House, Postcode: e.Postcode, geometry: f.geometry[id]}
	d.Box = geom.Box{MinX: e.Point.X, MinY: e.Point.Y, MaxX: e.Point.X, MaxY: e.Point.Y}
	if e.StreetEntry >= 0 {
		d.StreetEntry = f.ids[e.StreetEntry] + 1
	}
	d.Names, d.Tags = f.m.NamesOf(e), f.m.TagsOf(e)
	if x := e.Extra; x != nil {
		d.Population, d.AdminLevel = x.Population, x.AdminLevel
		if !x.Box.IsEmpty() {
			d.Box = x.Box
		}
	}
	return d
}

// Merged resolves a source object that became part of another object's entry.
type Merged struct {
	Source Source
	Entry  uint32
	_      uint32
}

func (f *fileBuilder) writeSources() error {
	order := slices.Clone(f.ids)
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(f.entry(int(a)).Source, f.entry(int(b)).Source), cmp.Compare(a, b))
	})
	var merged []Merged
	for id := range f.order {
		if x := f.entry(id).Extra; x != nil {
			for _, s := range x.Merged {
				merged = append(merged, Merged{Source: s, Entry: uint32(id)})
			}
		}
	}
	slices.SortFunc(merged, func(a, b Merged) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Entry, b.Entry))
	})
	return firstError(f.w.put(secSourceOrder, bytesOf(order)), f.w.put(secMerged, bytesOf(merged)))
}

func (f *fileBuilder) writeStrings() error {
	s := f.m.Strings
	return firstError(s.err(), f.w.put(secStringOffsets, bytesOf(s.ends)), f.w.put(secStrings, s.bytes))
}

func (f *fileBuilder) writeMeta() error {
	m := &f.m.Meta
	m.Entries, m.Contexts, m.Kinds = len(f.order), len(f.listed), map[string]int{}
	for k := range KindCount {
		m.Kinds[k.String()] = 0
	}
	for i := range f.m.Entries {
		m.Kinds[f.kind(f.m.Entries[i].Category).String()]++
	}
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("describe the map: %w", err)
	}
	return f.w.put(secMeta, data)
}

// bytesOf shows a slice of fixed-size values as bytes, without a copy.
func bytesOf[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func errTooLarge(what string) error {
	return fmt.Errorf("the %s of this map do not fit into one file: build it from smaller extracts", what)
}
