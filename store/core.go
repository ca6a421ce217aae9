package store

import (
	"fmt"

	"svc/store/internal/buffer"
	"svc/store/internal/check"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/internal/query"
	"svc/store/internal/record"
	"svc/store/kv"
)

// table is a Table without the type of its records, which it holds as any: what does not need
// the type is compiled once, not for each table.
type table struct {
	record.Table
	sealed []*sealedField
}

// layout is how the table lies in the store.
func (t *table) layout() *layout.Table { return &t.Table.Table }

// known refuses a table that the store was not opened with.
func (t *table) known(tx *Tx) error {
	if _, ok := tx.db.tables[t.Num]; !ok {
		return fmt.Errorf("store: table %s is not in Options.Tables", t.Name)
	}
	return nil
}

// at checks that a table is the store's and resolves an organization.
func (t *table) at(tx *Tx, org string) (layout.Org, error) {
	if err := t.known(tx); err != nil {
		return layout.Org{}, err
	}
	return t.OrgBytes(org)
}

// ref is where the record of an id lies: ErrNotFound for what can be no id of the table.
func (t *table) ref(tx *Tx, org, id string) (layout.Ref, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return layout.Ref{}, err
	}
	b, ok := t.IDBytes(id)
	if !ok {
		return layout.Ref{}, ErrNotFound
	}
	return layout.Ref{Org: o, ID: b}, nil
}

func (t *table) get(tx *Tx, org, id string) (any, error) {
	at, err := t.ref(tx, org, id)
	if err != nil {
		return nil, err
	}
	_, rec, err := t.Table.Get(&tx.buf, at)
	return rec, err
}

func (t *table) has(tx *Tx, org, id string) (bool, error) {
	at, err := t.ref(tx, org, id)
	if err != nil {
		return false, IgnoreNotFound(err)
	}
	v, err := tx.buf.Get(t.RecordKey(at.Org, at.ID))
	return v != nil, err
}

func (t *table) getMany(tx *Tx, org string, ids []string) ([]any, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, err
	}
	return t.GetMany(&tx.buf, o, ids)
}

func (t *table) count(tx *Tx, org string) (int, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return 0, err
	}
	return tx.buf.Sum(buffer.Counter{Table: t.layout(), Org: o})
}

func (t *table) walk(tx *Tx, org string, after Cursor, limit int) ([]any, Cursor, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, nil, err
	}
	recs, next, err := t.Walk(&tx.buf, o, after, limit, false)
	return recs, next, err
}

func (t *table) save(tx *Tx, org string, rec any, how record.How) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	return t.Save(&tx.buf, o, rec, how)
}

func (t *table) putMany(tx *Tx, org string, recs []any) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	if err := t.Fetch(&tx.buf, o, recs); err != nil {
		return err
	}
	for _, rec := range recs {
		if err := t.Save(&tx.buf, o, rec, record.Replace); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) edit(tx *Tx, org, id string, change func(any) error) (any, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, err
	}
	return t.Edit(&tx.buf, o, id, change)
}

func (t *table) remove(tx *Tx, org, id string) error {
	at, err := t.ref(tx, org, id)
	if err != nil {
		return err
	}
	return t.Delete(&tx.buf, at)
}

func (t *table) page(tx *Tx, org string, sort *record.Part, l query.List) (record.Page, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return record.Page{}, err
	}
	if l.Limit <= 0 {
		return record.Page{}, errNoLimit
	}
	return t.Page(&tx.buf, o, sort, l)
}

// within is the organization whose part of an index is meant, with across nil for all.
func (t *table) within(tx *Tx, org string, across bool) (*layout.Org, error) {
	if across {
		return nil, t.known(tx)
	}
	o, err := t.at(tx, org)
	return &o, err
}

// places are where the records of a range of a sorted part lie: of an organization, or with
// across of all.
func (t *table) places(tx *Tx, p *record.Part, org string, across bool, r Range) (at []layout.Ref, next Cursor, err error) {
	within, err := t.within(tx, org, across)
	switch {
	case err != nil:
		return nil, nil, err
	case r.Limit <= 0:
		return nil, nil, errNoLimit
	}
	return index.Walk(&tx.buf, t.layout(), &p.Part, within, index.Range{Span: r.Span, After: r.After, Limit: r.Limit, Reverse: r.Reverse})
}

// indexed are the records of places.
func (t *table) indexed(tx *Tx, p *record.Part, org string, across bool, r Range) (recs []any, at []layout.Ref, next Cursor, err error) {
	at, next, err = t.places(tx, p, org, across, r)
	if err != nil {
		return nil, nil, nil, err
	}
	recs, err = t.LoadAt(&tx.buf, at...)
	return recs, at, next, err
}

// refs are the ids of places, with whose they are.
func (t *table) refs(tx *Tx, p *record.Part, org string, across bool, r Range) (refs []Ref, next Cursor, err error) {
	at, next, err := t.places(tx, p, org, across, r)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range at {
		id, err := t.IDString(a.ID)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, Ref{a.Org.String(), id})
	}
	return refs, next, nil
}

// find finds the place of the record that has a unique value: of an organization, or with across
// of all.
func (t *table) find(tx *Tx, p *record.Part, org string, across bool, k Key) (at layout.Ref, err error) {
	within, err := t.within(tx, org, across)
	if err != nil {
		return at, err
	}
	at, found, err := index.Find(&tx.buf, t.layout(), &p.Part, within, k)
	if err == nil && !found {
		err = ErrNotFound
	}
	return at, err
}

// look reads the record that has a unique value, with where it lies.
func (t *table) look(tx *Tx, p *record.Part, org string, across bool, k Key) (rec any, at layout.Ref, err error) {
	at, err = t.find(tx, p, org, across, k)
	if err != nil {
		return nil, at, err
	}
	rec, err = firstOf(t.LoadAt(&tx.buf, at))
	return rec, at, err
}

// end reads the first record of a range of an organization.
func (t *table) end(tx *Tx, p *record.Part, org string, r Range) (any, error) {
	recs, _, _, err := t.indexed(tx, p, org, false, r)
	return firstOf(recs, err)
}

func firstOf(recs []any, err error) (any, error) {
	switch {
	case err != nil:
		return nil, err
	case len(recs) == 0:
		return nil, ErrNotFound
	}
	return recs[0], nil
}

// first reads the record that was saved first of those that have a value of a facet.
func (t *table) first(tx *Tx, p *record.Part, org, value string) (any, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, err
	}
	number, found, err := query.First(&tx.buf, t.layout(), &p.Part, o, value)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, ErrNotFound
	}
	keys, err := index.Records(&tx.buf, t.layout(), o, []uint32{number})
	if err != nil {
		return nil, err
	}
	return firstOf(t.Load(&tx.buf, keys...))
}

func (t *table) countOf(tx *Tx, p *record.Part, org, value string) (int, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return 0, err
	}
	return tx.buf.Sum(buffer.Counter{Table: t.layout(), Part: p.Num, Org: o, Value: value})
}

func (t *table) countsOf(tx *Tx, p *record.Part, org string) (map[string]int, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, err
	}
	return tx.buf.Sums(t.PartKey(layout.KindCount, p.Num, &o))
}

// imply says what should stand beside a stored record.
func (t *table) imply(tx *Tx, p kv.Pair) (check.Record, error) {
	at, rec, err := t.FromPair(p)
	if err != nil {
		return check.Record{}, err
	}
	out := t.Imply(at, rec)
	if tx.db.sealer == nil {
		return out, nil
	}
	for _, f := range t.sealed {
		if _, err := f.open(tx.db, at.Org.String(), rec); err != nil {
			out.Secrets = append(out.Secrets, err)
		}
	}
	return out, nil
}

// typed gives a record its type; err is passed on, with the record when there is one.
func typed[T any](rec any, err error) (T, error) {
	if rec == nil {
		var none T
		return none, err
	}
	return *rec.(*T), err
}

// allTyped gives records their type. The values are copies.
func allTyped[T any](recs []any) []T {
	if recs == nil {
		return nil
	}
	out := make([]T, len(recs))
	for i, rec := range recs {
		out[i] = *rec.(*T)
	}
	return out
}

// untyped are pointers to records without their type.
func untyped[T any](recs []*T) []any {
	out := make([]any, len(recs))
	for i, rec := range recs {
		out[i] = rec
	}
	return out
}
