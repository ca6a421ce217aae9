package store

import (
	"bytes"
	"context"
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

// Check proves that the store agrees with itself: every record decodes and says
// its own id; it has every index entry, count, set and number it should have, and
// nothing else has any; its secrets open; no key belongs to nothing; and the file
// passes bbolt's own check. It answers nil, or an error that matches ErrCorrupt and
// lists what is wrong. It reads everything in one transaction: run it on a copy, or
// when nobody writes.
func (db *DB) Check(ctx context.Context) error {
	c := &check{}
	err := db.engine.View(ctx, func(k kv.Tx) error {
		*c = check{tx: newTx(db, k, false)}
		for _, t := range db.list {
			if err := t.check(c); err != nil {
				return err
			}
		}
		return c.strangers()
	})
	if b, ok := db.engine.(interface{ Check(context.Context) error }); ok && err == nil {
		err = b.Check(ctx)
	}
	return errors.Join(append(c.problems, err)...)
}

type check struct {
	tx       *Tx
	problems []error
}

func (c *check) wrong(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, corrupt(format, args...))
	}
}

// expect checks that a key has a value.
func (c *check) expect(key, value []byte, what string, args ...any) error {
	got, err := c.tx.kv.Get(key)
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
	for _, err := range c.tx.kv.Scan(r) {
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
type tableCheck[T any] struct {
	*check
	t       *Table[T]
	org     layout.Org
	highest uint32
	entries map[uint16]int            // index entries by part
	counts  map[string]int64          // by key; those of one organization are dropped when it ends
	sets    map[string]*numbers.Words // by key of the chunk; likewise
	numbers int
	keys    map[uint16]int // of counts, by part
	chunks  map[uint16]int // of sets, by part
}

func (t *Table[T]) check(c *check) error {
	k := &tableCheck[T]{check: c, t: t, entries: map[uint16]int{}, counts: map[string]int64{}, sets: map[string]*numbers.Words{},
		keys: map[uint16]int{}, chunks: map[uint16]int{}}
	for p, err := range c.tx.kv.Scan(kv.Under(layout.Space(t.core.Num, layout.KindRecord))) {
		if err != nil {
			return err
		}
		at, rec, err := t.placed(p)
		if errors.Is(err, ErrCorrupt) {
			c.wrong("%w", err)
			continue
		}
		if err != nil {
			return err
		}
		if at.Org != k.org {
			if err := k.endOrg(); err != nil {
				return err
			}
			k.org = at.Org
		}
		if err := k.record(at, rec); err != nil {
			return err
		}
	}
	return k.end()
}

func (k *tableCheck[T]) record(at layout.Ref, rec *T) error {
	t, id := k.t, k.t.id(rec)
	if _, err := t.core.OrgBytes(at.Org.String()); err != nil {
		k.wrong("%w", err)
	}
	if t.core.Numbered != (at.Number != 0) {
		k.wrong("record %s of %s has number %d", id, t.core.Name, at.Number)
	}
	k.highest = max(k.highest, at.Number)
	k.counts[string(t.core.CountKey(0, &at.Org, ""))]++
	if t.core.Numbered {
		k.numbers++
		k.set(0, at, "")
		if err := k.expect(t.core.NumberKey(at.Org, at.Number), at.ID, "number %d of %s", at.Number, id); err != nil {
			return err
		}
	}
	for _, p := range t.all {
		for _, e := range t.distinct(p, at, rec) {
			k.entries[p.Num]++
			if err := k.expect(e.Key, e.Value, "the entry of %s in %s %s", id, t.core.Name, p.Label()); err != nil {
				return err
			}
		}
		if p.values == nil {
			continue
		}
		for _, v := range p.valuesOf(rec) {
			k.counts[string(t.core.CountKey(p.Num, p.Org(at.Org), v))]++
			if p.Kind == layout.KindFacet {
				k.set(p.Num, at, v)
			}
		}
	}
	return k.secrets(at, rec)
}

// distinct is entries with each key once: a record may give a value twice.
func (t *Table[T]) distinct(p *part[T], at layout.Ref, rec *T) []kv.Pair {
	all := t.entries(p, at, rec)
	slices.SortFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	return slices.CompactFunc(all, func(a, b kv.Pair) bool { return bytes.Equal(a.Key, b.Key) })
}

func (k *tableCheck[T]) set(part uint16, at layout.Ref, value string) {
	key := string(k.t.core.ChunkKey(part, at.Org, value, at.Number>>numbers.Shift))
	if k.sets[key] == nil {
		k.sets[key] = new(numbers.Words)
	}
	k.sets[key].Add(at.Number)
}

func (k *tableCheck[T]) secrets(at layout.Ref, rec *T) error {
	if k.tx.db.sealer == nil {
		return nil
	}
	for _, f := range k.t.sealed {
		if _, err := f.Open(k.tx.db, at.Org.String(), rec); err != nil {
			k.wrong("%w", err)
		}
	}
	return nil
}

// endOrg compares the counts and sets of an organization, and frees them.
func (k *tableCheck[T]) endOrg() error {
	t := k.t
	own := map[uint16]bool{0: true}
	for _, p := range t.all {
		own[p.Num] = !p.Across
	}
	for key, n := range k.counts {
		part := layout.PartOf([]byte(key))
		if !own[part] {
			continue
		}
		k.keys[part]++
		if err := k.expect([]byte(key), binary.AppendVarint(nil, n), "a count of %s in %s (it should be %d)", t.core.Name, k.org, n); err != nil {
			return err
		}
		delete(k.counts, key)
	}
	for key, w := range k.sets {
		k.chunks[layout.PartOf([]byte(key))]++
		if err := k.expect([]byte(key), w.Encode(), "a set of %s in %s", t.core.Name, k.org); err != nil {
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
func (k *tableCheck[T]) next() error {
	if !k.t.core.Numbered || k.highest == 0 {
		return nil
	}
	b, err := k.tx.kv.Get(k.t.core.NextKey(k.org))
	if err != nil {
		return err
	}
	if n, _ := binary.Uvarint(b); n <= uint64(k.highest) {
		k.wrong("the next number of %s in %s is %d, but %d is taken", k.t.core.Name, k.org, n, k.highest)
	}
	return nil
}

// nexts checks the form of all next numbers. There may be some of organizations
// that have no records any more.
func (k *tableCheck[T]) nexts() error {
	prefix := layout.Space(k.t.core.Num, layout.KindNext)
	for p, err := range k.tx.kv.Scan(kv.Under(prefix)) {
		if err != nil {
			return err
		}
		n, size := binary.Uvarint(p.Value)
		if len(p.Key) != len(prefix)+len(layout.Org{}) || size != len(p.Value) || n < 1 || n > numbers.Max+1 {
			k.wrong("a next number of %s: %x = %x", k.t.core.Name, p.Key, p.Value)
		}
	}
	return nil
}

// end compares what spans all organizations, and looks for what is too much.
func (k *tableCheck[T]) end() error {
	if err := k.endOrg(); err != nil {
		return err
	}
	t := k.t
	for key, n := range k.counts { // those left span all organizations
		k.keys[layout.PartOf([]byte(key))]++
		if err := k.expect([]byte(key), binary.AppendVarint(nil, n), "a count of %s (it should be %d)", t.core.Name, n); err != nil {
			return err
		}
	}
	err := errors.Join(k.nexts(),
		k.exactly(t.core.PartKey(layout.KindCount, 0, nil), k.keys[0], "the counts of %s", t.core.Name),
		k.exactly(t.core.PartKey(layout.KindFacet, 0, nil), k.chunks[0], "the set of all %s", t.core.Name),
		k.exactly(layout.Space(t.core.Num, layout.KindNumber), k.numbers, "the numbers of %s", t.core.Name))
	for _, p := range t.all {
		if p.keys != nil {
			err = errors.Join(err, k.exactly(t.core.PartKey(p.Kind, p.Num, nil), k.entries[p.Num], "%s %s", t.core.Name, p.Label()))
			continue
		}
		err = errors.Join(err, k.exactly(t.core.PartKey(layout.KindCount, p.Num, nil), k.keys[p.Num], "the counts of %s %s", t.core.Name, p.Label()))
		if p.Kind == layout.KindFacet {
			err = errors.Join(err, k.exactly(t.core.PartKey(layout.KindFacet, p.Num, nil), k.chunks[p.Num], "%s %s", t.core.Name, p.Label()))
		}
	}
	return err
}

// strangers looks for keys that belong to no part of any table. Tables that the
// head knows and the program does not are left in peace: another version has them.
func (c *check) strangers() error {
	h, err := c.tx.head()
	if err != nil {
		return err
	}
	var mine [][]byte
	for name := range h.Parts {
		if num := layout.TableNumber(name); c.tx.db.tables[num] == nil {
			mine = append(mine, binary.BigEndian.AppendUint32(nil, num))
		}
	}
	for _, t := range c.tx.db.list {
		b := t.base()
		mine = append(mine, layout.Space(b.Num, layout.KindRecord), b.PartKey(layout.KindCount, 0, nil))
		if b.Numbered {
			mine = append(mine, b.PartKey(layout.KindFacet, 0, nil), layout.Space(b.Num, layout.KindNumber), layout.Space(b.Num, layout.KindNext))
		}
		for _, p := range t.parts() {
			mine = append(mine, b.PartKey(p.Kind, p.Num, nil))
			if p.Kind == layout.KindFacet {
				mine = append(mine, b.PartKey(layout.KindCount, p.Num, nil))
			}
		}
	}
	slices.SortFunc(mine, bytes.Compare)
	from := []byte(nil)
	one := func(key []byte) kv.Range { return kv.Range{From: key, To: append(slices.Clip(key), 0)} }
	// These sort before every table.
	for _, r := range []kv.Range{one(checksumName), one(underWay), kv.Under(changesKey("")), one(HeadKey), one(keysName), one(preparingName)} {
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
	for p, err := range c.tx.kv.Scan(kv.Range{From: from, To: to, Limit: 1, KeysOnly: true}) {
		if err != nil {
			return err
		}
		c.wrong("a key that belongs to nothing: %x", p.Key)
	}
	return nil
}
