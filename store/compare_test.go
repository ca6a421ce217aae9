package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"svc/store"
)

// compare reads everything in every way and compares it with the maps.
func (h *history) compare() {
	org := h.pick(h.orgs)
	reverse, offset, limit := h.rnd.IntN(2) == 0, h.rnd.IntN(6), 1+h.rnd.IntN(8)
	tag, consent := h.pick([]string{"a", "ab", "vip", "none"}), h.pick([]string{"IN", "OUT"})
	err := h.db.View(h.t.Context(), func(tx *store.Tx) error {
		h.points(tx, org)
		h.counts(tx, org)
		for _, sort := range []*store.Index[person]{nil, byName, byAge} {
			for _, f := range filters(tag, consent) {
				h.page(tx, org, store.Query[person]{Where: f.where, Sort: sort, Reverse: reverse, Offset: offset, Limit: limit}, f.match)
			}
		}
		h.walks(tx, org, tag)
		return nil
	})
	if err != nil {
		h.t.Error(err)
	}
}

type filter struct {
	where []store.Cond[person]
	match func(person) bool
}

func filters(tag, consent string) []filter {
	type conds = []store.Cond[person]
	has := func(p person) bool { return slices.Contains(p.Tags, tag) }
	return []filter{
		{nil, func(person) bool { return true }},
		{conds{tagged.Any(tag)}, has},
		{conds{tagged.Any(tag).Not()}, func(p person) bool { return !has(p) }},
		{conds{tagged.Any(tag).Not(), consenting.Any(consent)}, func(p person) bool { return !has(p) && p.Consent == consent }},
		{conds{tagged.Any(tag, "b"), consenting.Any(consent)}, func(p person) bool {
			return (has(p) || slices.Contains(p.Tags, "b")) && p.Consent == consent
		}},
		{conds{consenting.Any()}, func(person) bool { return false }},
		{conds{byHandle.Where(store.HasPrefix("h1"), store.HasPrefix("h2"))}, func(p person) bool {
			return strings.HasPrefix(p.Handle, "h1") || strings.HasPrefix(p.Handle, "h2")
		}},
		{conds{among("h1"), tagged.Any(tag)}, func(p person) bool { return strings.HasPrefix(p.Handle, "h1") && has(p) }},
		{conds{among("h").Not()}, func(p person) bool { return p.Handle == "" }},
		{conds{byName.Where(store.HasPrefix("ann"))}, func(p person) bool { return strings.HasPrefix(p.Name, "ann") }},
		{conds{byTag.Where(store.Between(store.Text("ab"), nil)), consenting.Any("UNKNOWN").Not()}, func(p person) bool {
			return slices.ContainsFunc(p.Tags, func(s string) bool { return s >= "ab" }) && p.Consent != "UNKNOWN"
		}},
	}
}

// sorted gives the ids that match, in the order of a list.
func (h *history) sorted(org string, sort *store.Index[person], match func(person) bool) (ids []string) {
	for _, id := range h.order[org] {
		if match(h.people[org][id]) {
			ids = append(ids, id)
		}
	}
	less := func(a, b person) int { return 0 }
	switch sort {
	case byName:
		less = func(a, b person) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) }
	case byAge:
		less = func(a, b person) int {
			return cmp.Or(cmp.Compare(b.Age, a.Age), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return less(h.people[org][a], h.people[org][b]) })
	return ids
}

func (h *history) page(tx *store.Tx, org string, q store.Query[person], match func(person) bool) {
	want := h.sorted(org, q.Sort, match)
	if q.Reverse {
		slices.Reverse(want)
	}
	page, err := people.Page(tx, org, q)
	if err != nil {
		h.t.Errorf("page %+v: %v", q, err)
		return
	}
	from := min(q.Offset, len(want))
	to := min(from+q.Limit, len(want))
	if got := idsOf(page.Data); page.Total != len(want) || !slices.Equal(got, want[from:to]) {
		h.t.Errorf("page %+v: %d of %d %v, want %d %v", q, len(got), page.Total, got, len(want), want[from:to])
	}
	// The same list again, by cursor.
	var all []string
	q.Offset = 0
	for more := true; more && len(all) <= len(want); {
		page, err = people.Page(tx, org, q)
		if err != nil {
			h.t.Error(err)
			return
		}
		all = append(all, idsOf(page.Data)...)
		q.After, more = page.Next, page.Next != nil
	}
	if !slices.Equal(all, want) {
		h.t.Errorf("by cursor %+v: %v, want %v", q, all, want)
	}
}

func idsOf(list []person) (ids []string) {
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	return ids
}

func (h *history) points(tx *store.Tx, org string) {
	found, err := people.GetMany(tx, org, h.ids)
	if err != nil {
		h.t.Error(err)
		return
	}
	for i, id := range h.ids {
		want, there := h.people[org][id]
		got, err := people.Get(tx, org, id)
		if there != (err == nil) || there != (found[i] != nil) || there && fmt.Sprint(got, *found[i]) != fmt.Sprint(want, want) {
			h.t.Errorf("get %s: %+v, %v, want %+v (there %v)", id, got, err, want, there)
		}
		if !there {
			continue
		}
		if want.Handle != "" {
			if p, err := byHandle.Find(tx, org, store.Text(want.Handle)); err != nil || p.ID != id {
				h.t.Errorf("handle %s: %v, %v", want.Handle, p, err)
			}
		}
		if want.Token != "" {
			if p, o, err := byToken.Find(tx, store.Text(want.Token)); err != nil || p.ID != id || o != org {
				h.t.Errorf("token %s: %v of %s, %v", want.Token, p, o, err)
			}
		}
	}
	if _, err := byHandle.Find(tx, org, store.Text("nobody")); !errors.Is(err, store.ErrNotFound) {
		h.t.Errorf("a handle nobody has: %v", err)
	}
}

func (h *history) counts(tx *store.Tx, org string) {
	n, err := people.Count(tx, org)
	if err != nil || n != len(h.people[org]) {
		h.t.Errorf("count %d, want %d: %v", n, len(h.people[org]), err)
	}
	by, tags, ages := map[string]int{}, map[string]int{}, map[string]int{}
	for o, list := range h.people {
		for _, p := range list {
			ages[fmt.Sprint(p.Age)]++
			if o != org {
				continue
			}
			by[p.Consent]++
			for tag := range maps.Keys(setOf(p.Tags)) {
				tags[tag]++
			}
		}
	}
	gotBy, err1 := consents.Counts(tx, org)
	gotTags, err2 := tagged.Counts(tx, org)
	gotAges, err3 := allAges.Counts(tx)
	if err := errors.Join(err1, err2, err3); err != nil || !maps.Equal(by, gotBy) || !maps.Equal(tags, gotTags) || !maps.Equal(ages, gotAges) {
		h.t.Errorf("counts %v %v %v, want %v %v %v: %v", gotBy, gotTags, gotAges, by, tags, ages, err)
	}
	one, err := tagged.Count(tx, org, "vip")
	if err != nil || one != tags["vip"] {
		h.t.Errorf("count of vip %d, want %d: %v", one, tags["vip"], err)
	}
}

func setOf(list []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		out[s] = true
	}
	return out
}

func (h *history) walks(tx *store.Tx, org, tag string) {
	want := h.sorted(org, nil, func(p person) bool { return slices.Contains(p.Tags, tag) })
	slices.Sort(want)
	var got []string
	r := store.Range{Span: store.Is(store.Text(tag)), Limit: 2}
	for more := true; more; more = r.After != nil {
		ids, next, err := byTag.IDs(tx, org, r)
		if err != nil {
			h.t.Error(err)
			return
		}
		got, r.After = append(got, ids...), next
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("tag %s: %v, want %v", tag, got, want)
	}
	total := 0
	for _, list := range h.people {
		total += len(list)
	}
	all, _, err := everyone.Walk(tx, store.Range{Limit: 1000, Reverse: true})
	if err != nil || len(all) != total || !slices.IsSortedFunc(all, func(a, b store.Of[person]) int { return cmp.Compare(b.Record.Name, a.Record.Name) }) {
		h.t.Errorf("everyone: %d, want %d: %v", len(all), total, err)
	}
	for _, x := range all {
		if h.people[x.Org][x.Record.ID].Name != x.Record.Name {
			h.t.Errorf("everyone: %+v", x)
		}
	}
}
