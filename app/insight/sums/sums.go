// Package sums keeps what boards add up: how many conversations of a day and place there are,
// were analysed, have which case, which marks and which flags.
//
// It promises that a sum changes in the transaction of the conversation that it counts, that
// reading costs the days asked for and not the conversations, and that a place and day without
// anything has no row. It refuses to know why something counts: package analysis says what a
// conversation adds, subtracts exactly that later, and proves the sums by recounting.
package sums

import (
	"maps"
	"slices"
	"strings"

	"svc/app/insight/dimension"
	"svc/store"
)

// Place is what sums are kept by: a day of the organization's time zone, the business of
// conversations or the account of content, and the channel.
type Place struct {
	Day      string `json:"day"` // 2026-05-01
	Business string `json:"business"`
	Channel  string `json:"channel"`
}

// ID is the id of its row.
func (p Place) ID() string { return p.Day + "/" + p.Business + "/" + p.Channel }

// Mark is a sum of marks.
type Mark struct {
	Sum int `json:"sum,omitempty"`
	N   int `json:"n,omitempty"`
}

// Counts are the sums of a day and place.
type Counts struct {
	// Seen are conversations whose customer wrote last on that day, Analysed those of them
	// that were analysed.
	Seen     int `json:"seen,omitempty"`
	Analysed int `json:"analysed,omitempty"`
	// Cases count by "DIMENSION/case"; the case of those that nobody is sure of is UNCLEAR.
	Cases  map[string]int           `json:"cases,omitempty"`
	Scores map[dimension.Score]Mark `json:"scores,omitempty"`
	Flags  map[dimension.Flag]int   `json:"flags,omitempty"`
}

// CaseKey is the key of Cases.
func CaseKey(d dimension.Dimension, id string) string { return string(d) + "/" + id }

// CasesOf are the counts of the cases of a dimension, by id.
func (c *Counts) CasesOf(d dimension.Dimension) map[string]int {
	out := map[string]int{}
	for key, n := range c.Cases {
		if id, ok := strings.CutPrefix(key, string(d)+"/"); ok {
			out[id] += n
		}
	}
	return out
}

// Add adds others, so many times: -1 subtracts.
func (c *Counts) Add(o *Counts, times int) {
	c.Seen, c.Analysed = c.Seen+times*o.Seen, c.Analysed+times*o.Analysed
	c.Cases = addAll(c.Cases, o.Cases, func(a, b int) int { return a + times*b })
	c.Flags = addAll(c.Flags, o.Flags, func(a, b int) int { return a + times*b })
	c.Scores = addAll(c.Scores, o.Scores, func(a, b Mark) Mark { return Mark{a.Sum + times*b.Sum, a.N + times*b.N} })
}

// addAll adds by keys; what is nothing then has no key.
func addAll[K comparable, V comparable](to, of map[K]V, add func(a, b V) V) map[K]V {
	var zero V
	for k, v := range of {
		if to == nil {
			to = map[K]V{}
		}
		if to[k] = add(to[k], v); to[k] == zero {
			delete(to, k)
		}
	}
	if len(to) == 0 {
		return nil
	}
	return to
}

// Empty says that there is nothing.
func (c *Counts) Empty() bool { return c.Equal(&Counts{}) }

// Equal compares sums.
func (c *Counts) Equal(o *Counts) bool {
	return c.Seen == o.Seen && c.Analysed == o.Analysed && maps.Equal(c.Cases, o.Cases) && maps.Equal(c.Scores, o.Scores) && maps.Equal(c.Flags, o.Flags)
}

// Row are the sums of a day and place as they are kept.
type Row struct {
	ID string `json:"id"` // day/business/channel
	Place
	Counts
}

// Book are the sums of one kind of thing.
type Book struct{ rows *store.Table[Row] }

// Keep makes a book that is kept under a name.
func Keep(name string) *Book {
	return &Book{store.NewTable(name, "", func(r *Row) string { return r.ID })}
}

// Conversations are the sums of the analyses of conversations.
var Conversations = Keep("insight_day")

// Tables are what a store that holds the sums is opened with.
func (b *Book) Tables() []store.AnyTable { return []store.AnyTable{b.rows} }

// Change adds c to the sums of a place.
func (b *Book) Change(tx *store.Tx, org string, p Place, c *Counts) error {
	if c.Empty() {
		return nil
	}
	r, err := b.rows.Get(tx, org, p.ID())
	missing := store.IsNotFound(err)
	if missing {
		r, err = Row{ID: p.ID(), Place: p}, nil
	}
	if err != nil {
		return err
	}
	if r.Add(c, 1); r.Empty() {
		if missing {
			return nil
		}
		return b.rows.Delete(tx, org, r.ID)
	}
	return b.rows.Put(tx, org, &r)
}

// Of are the sums of a place.
func (b *Book) Of(tx *store.Tx, org string, p Place) (Counts, error) {
	r, err := b.rows.Get(tx, org, p.ID())
	return r.Counts, store.IgnoreNotFound(err)
}

// Set puts other sums in the place of those that are kept: for a recount alone.
func (b *Book) Set(tx *store.Tx, org string, p Place, c Counts) error {
	if c.Empty() {
		return store.IgnoreNotFound(b.rows.Delete(tx, org, p.ID()))
	}
	return b.rows.Put(tx, org, &Row{ID: p.ID(), Place: p, Counts: c})
}

// Each visits the sums of the days from first to last, both included; "" for no bound.
func (b *Book) Each(tx *store.Tx, org, first, last string, visit func(*Row) error) error {
	for r, err := range b.rows.Each(tx, org, first) { // an id is longer than its day
		if err != nil || last != "" && r.Day > last {
			return err
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// Page reads a page of the sums behind a row, for a recount; next is nil at the end.
func (b *Book) Page(tx *store.Tx, org string, after store.Cursor, limit int) (places []Place, next store.Cursor, err error) {
	list, next, err := b.rows.Walk(tx, org, after, limit)
	for i := range list {
		places = append(places, list[i].Place)
	}
	return places, next, err
}

// EachOwner are the organizations that have sums.
func (b *Book) EachOwner(tx *store.Tx) (out []string, err error) {
	for org, err := range b.rows.EachOwner(tx) {
		if err != nil {
			return nil, err
		}
		out = append(out, org)
	}
	return slices.Clip(out), nil
}
