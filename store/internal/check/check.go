// Package check proves that what is stored agrees with itself: each record has the index entries,
// counts, sets and numbers that it should have, nothing else has any, and no key belongs to
// nothing.
//
// It promises to read each key once or twice and to hold what the records of one organization
// imply. It refuses to know records: a Table says what each of them implies.
package check

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"svc/store/internal/layout"
	"svc/store/internal/numbers"
	"svc/store/kv"
)

// maxProblems is how many contradictions a check lists.
const maxProblems = 20

// Table is a table as a check sees it.
type Table struct {
	Layout *layout.Table
	Parts  []layout.Part
	// Imply reads a stored record and says what should stand beside it. An error that matches
	// layout.ErrCorrupt is a contradiction, and the check goes on.
	Imply func(kv.Pair) (Record, error)
}

// Record is what a stored record implies.
type Record struct {
	At      layout.Ref
	ID      string
	Parts   []Implied // in the order of Table.Parts
	Secrets []error   // of those that do not open
}

// Implied is what a part should have of a record: index entries, or values.
type Implied struct {
	Entries []kv.Pair
	Values  []string
}

// Store is what is checked.
type Store struct {
	Tables []Table
	// Own are the keys of the file itself, in their order. They lie before every table.
	Own []kv.Range
	// Foreign are the numbers of tables that are left in peace, because another version has
	// them.
	Foreign func() ([]uint32, error)
}

// Problems are the contradictions that a transaction sees, the first of them.
func (s Store) Problems(k kv.Tx) ([]error, error) {
	c := &check{kv: k}
	for _, t := range s.Tables {
		if err := c.table(t); err != nil {
			return c.problems, err
		}
	}
	err := c.strangers(s)
	return c.problems, err
}

type check struct {
	kv       kv.Tx
	problems []error
}

func (c *check) wrong(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, layout.Corrupt(format, args...))
	}
}

// expect checks that a key has a value.
func (c *check) expect(key, value []byte, what string, args ...any) error {
	got, err := c.kv.Get(key)
	if err != nil {
		return err
	}
	switch {
	case got == nil:
		c.wrong("%s is missing", fmt.Sprintf(what, args...))
	case !bytes.Equal(got, value):
		c.wrong("%s is wrong", fmt.Sprintf(what, args...))
	}
	return nil
}

// exactly checks that as many keys begin with a prefix as were expected there:
// together with expect, that there are no others.
func (c *check) exactly(prefix []byte, want int, what string, args ...any) error {
	r := kv.Under(prefix)
	r.KeysOnly = true
	n := 0
	for _, err := range c.kv.Scan(r) {
		if err != nil {
			return err
		}
		n++
	}
	if n > want {
		c.wrong("%s: %d entries too many, of records or values that are not there", fmt.Sprintf(what, args...), n-want)
	}
	return nil
}

// tableCheck gathers what the records of a table imply.
type tableCheck struct {
	*check
	t       *layout.Table
	parts   []layout.Part
	org     layout.Org
	highest uint32
	entries map[uint16]int            // index entries by part
	counts  map[string]int64          // by key; those of one organization are dropped when it ends
	sets    map[string]*numbers.Words // by key of the chunk; likewise
	numbers int
	keys    map[uint16]int // of counts, by part
	chunks  map[uint16]int // of sets, by part
}

func (c *check) table(t Table) error {
	k := &tableCheck{check: c, t: t.Layout, parts: t.Parts, entries: map[uint16]int{}, counts: map[string]int64{}, sets: map[string]*numbers.Words{},
		keys: map[uint16]int{}, chunks: map[uint16]int{}}
	for p, err := range c.kv.Scan(kv.Under(layout.Space(k.t.Num, layout.KindRecord))) {
		if err != nil {
			return err
		}
		rec, err := t.Imply(p)
		if errors.Is(err, layout.ErrCorrupt) {
			c.wrong("%w", err)
			continue
		}
		if err != nil {
			return err
		}
		if rec.At.Org != k.org {
			if err := k.endOrg(); err != nil {
				return err
			}
			k.org = rec.At.Org
		}
		if err := k.record(rec); err != nil {
			return err
		}
	}
	return k.end()
}

func (k *tableCheck) record(rec Record) error {
	t, at, id := k.t, rec.At, rec.ID
	if _, err := t.OrgBytes(at.Org.String()); err != nil {
		k.wrong("%w", err)
	}
	if t.Numbered != (at.Number != 0) {
		k.wrong("record %s of %s has number %d", id, t.Name, at.Number)
	}
	k.highest = max(k.highest, at.Number)
	k.counts[string(t.CountKey(0, &at.Org, ""))]++
	if t.Numbered {
		k.numbers++
		k.set(0, at, "")
		if err := k.expect(t.NumberKey(at.Org, at.Number), at.ID, "number %d of %s", at.Number, id); err != nil {
			return err
		}
	}
	for i, p := range k.parts {
		for _, e := range distinct(rec.Parts[i].Entries) {
			k.entries[p.Num]++
			if err := k.expect(e.Key, e.Value, "the entry of %s in %s %s", id, t.Name, p.Label()); err != nil {
				return err
			}
		}
		for _, v := range rec.Parts[i].Values {
			k.counts[string(t.CountKey(p.Num, p.Org(at.Org), v))]++
			if p.Kind == layout.KindFacet {
				k.set(p.Num, at, v)
			}
		}
	}
	for _, err := range rec.Secrets {
		k.wrong("%w", err)
	}
	return nil
}

// distinct are entries with each key once: a record may give a value twice.
func distinct(all []kv.Pair) []kv.Pair {
	slices.SortFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	return slices.CompactFunc(all, func(a, b kv.Pair) bool { return bytes.Equal(a.Key, b.Key) })
}

func (k *tableCheck) set(part uint16, at layout.Ref, value string) {
	key := string(k.t.ChunkKey(part, at.Org, value, at.Number>>numbers.Shift))
	if k.sets[key] == nil {
		k.sets[key] = new(numbers.Words)
	}
	k.sets[key].Add(at.Number)
}

// endOrg compares the counts and sets of an organization, and frees them.
func (k *tableCheck) endOrg() error {
	t := k.t
	own := map[uint16]bool{0: true}
	for _, p := range k.parts {
		own[p.Num] = !p.Across
	}
	for key, n := range k.counts {
		part := layout.PartOf([]byte(key))
		if !own[part] {
			continue
		}
		k.keys[part]++
		if err := k.expect([]byte(key), binary.AppendVarint(nil, n), "a count of %s in %s (it should be %d)", t.Name, k.org, n); err != nil {
			return err
		}
		delete(k.counts, key)
	}
	for key, w := range k.sets {
		k.chunks[layout.PartOf([]byte(key))]++
		if err := k.expect([]byte(key), w.Encode(), "a set of %s in %s", t.Name, k.org); err != nil {
			return err
		}
	}
	clear(k.sets)
	if err := k.next(); err != nil {
		return err
	}
	k.highest = 0
	return nil
}

// next checks the number that the next record of an organization will get.
func (k *tableCheck) next() error {
	if !k.t.Numbered || k.highest == 0 {
		return nil
	}
	b, err := k.kv.Get(k.t.NextKey(k.org))
	if err != nil {
		return err
	}
	if n, _ := binary.Uvarint(b); n <= uint64(k.highest) {
		k.wrong("the next number of %s in %s is %d, but %d is taken", k.t.Name, k.org, n, k.highest)
	}
	return nil
}

// nexts checks the form of all next numbers. There may be some of organizations
// that have no records any more.
func (k *tableCheck) nexts() error {
	prefix := layout.Space(k.t.Num, layout.KindNext)
	for p, err := range k.kv.Scan(kv.Under(prefix)) {
		if err != nil {
			return err
		}
		n, size := binary.Uvarint(p.Value)
		if len(p.Key) != len(prefix)+len(layout.Org{}) || size != len(p.Value) || n < 1 || n > numbers.Max+1 {
			k.wrong("a next number of %s: %x = %x", k.t.Name, p.Key, p.Value)
		}
	}
	return nil
}

// end compares what spans all organizations, and looks for what is too much.
func (k *tableCheck) end() error {
	if err := k.endOrg(); err != nil {
		return err
	}
	t := k.t
	for key, n := range k.counts { // those left span all organizations
		k.keys[layout.PartOf([]byte(key))]++
		if err := k.expect([]byte(key), binary.AppendVarint(nil, n), "a count of %s (it should be %d)", t.Name, n); err != nil {
			return err
		}
	}
	err := errors.Join(k.nexts(),
		k.exactly(t.PartKey(layout.KindCount, 0, nil), k.keys[0], "the counts of %s", t.Name),
		k.exactly(t.PartKey(layout.KindFacet, 0, nil), k.chunks[0], "the set of all %s", t.Name),
		k.exactly(layout.Space(t.Num, layout.KindNumber), k.numbers, "the numbers of %s", t.Name))
	for _, p := range k.parts {
		if p.Kind == layout.KindUnique || p.Kind == layout.KindSorted {
			err = errors.Join(err, k.exactly(t.PartKey(p.Kind, p.Num, nil), k.entries[p.Num], "%s %s", t.Name, p.Label()))
			continue
		}
		err = errors.Join(err, k.exactly(t.PartKey(layout.KindCount, p.Num, nil), k.keys[p.Num], "the counts of %s %s", t.Name, p.Label()))
		if p.Kind == layout.KindFacet {
			err = errors.Join(err, k.exactly(t.PartKey(layout.KindFacet, p.Num, nil), k.chunks[p.Num], "%s %s", t.Name, p.Label()))
		}
	}
	return err
}

// strangers looks for keys that belong to no part of any table.
func (c *check) strangers(s Store) error {
	foreign, err := s.Foreign()
	if err != nil {
		return err
	}
	var mine [][]byte
	for _, num := range foreign {
		mine = append(mine, binary.BigEndian.AppendUint32(nil, num))
	}
	for _, t := range s.Tables {
		b := t.Layout
		mine = append(mine, layout.Space(b.Num, layout.KindRecord), b.PartKey(layout.KindCount, 0, nil))
		if b.Numbered {
			mine = append(mine, b.PartKey(layout.KindFacet, 0, nil), layout.Space(b.Num, layout.KindNumber), layout.Space(b.Num, layout.KindNext))
		}
		for _, p := range t.Parts {
			mine = append(mine, b.PartKey(p.Kind, p.Num, nil))
			if p.Kind == layout.KindFacet {
				mine = append(mine, b.PartKey(layout.KindCount, p.Num, nil))
			}
		}
	}
	slices.SortFunc(mine, bytes.Compare)
	from := []byte(nil)
	for _, r := range s.Own {
		if err := c.empty(from, r.From); err != nil {
			return err
		}
		from = r.To
	}
	for _, m := range mine {
		if err := c.empty(from, m); err != nil {
			return err
		}
		from = kv.After(m)
	}
	return c.empty(from, nil)
}

// empty checks that there is no key between two.
func (c *check) empty(from, to []byte) error {
	for p, err := range c.kv.Scan(kv.Range{From: from, To: to, Limit: 1, KeysOnly: true}) {
		if err != nil {
			return err
		}
		c.wrong("a key that belongs to nothing: %x", p.Key)
	}
	return nil
}
