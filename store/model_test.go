package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// person is a record with everything that a table can keep beside one.
type person struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Handle  string   `json:"handle,omitempty"`
	Token   string   `json:"token,omitempty"`
	Age     int      `json:"age"`
	Tags    []string `json:"tags,omitempty"`
	Consent string   `json:"consent"`
	Note    string   `json:"note,omitempty"` // nothing beside the record refers to it
}

var (
	people   = store.NewTable("person", "rcp", func(p *person) string { return p.ID })
	byHandle = people.Unique("handle", func(p *person) store.Key { return text(p.Handle) })
	byToken  = people.UniqueAcross("token", func(p *person) store.Key { return text(p.Token) })
	byName   = people.Index("name", func(p *person) store.Key { return text(p.Name) })
	byAge    = people.Index("age", func(p *person) store.Key {
		return store.Tuple(store.Desc(store.Int(int64(p.Age))), store.Text(p.Name))
	})
	byTag      = people.Multi("tag", func(p *person) []store.Key { return texts(p.Tags) })
	everyone   = people.MultiAcross("everyone", func(p *person) []store.Key { return []store.Key{store.Text(p.Name)} })
	consents   = people.Tally("consent", func(p *person) []string { return []string{p.Consent} })
	allAges    = people.TallyAcross("ages", func(p *person) []string { return []string{fmt.Sprint(p.Age)} })
	tagged     = people.Facet("tagged", func(p *person) []string { return p.Tags })
	initials   = people.Facet("initial", func(p *person) []string { return initial(p.Handle) })
	consenting = people.Facet("consenting", func(p *person) []string { return []string{p.Consent} })

	// notes have ids of any form, no facets, and may be the platform's.
	notes     = store.NewTable("note", "", func(p *person) string { return p.ID }).Shared()
	noteNames = notes.Index("name", func(p *person) store.Key { return text(p.Name) })
	allNotes  = notes.MultiAcross("all", func(p *person) []store.Key { return texts(p.Tags) })
)

func text(s string) store.Key {
	if s == "" {
		return nil
	}
	return store.Text(s)
}

func texts(list []string) (out []store.Key) {
	for _, s := range list {
		out = append(out, store.Text(s))
	}
	return out
}

// initial is the first letter of a text, if it has one.
func initial(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s[:1]}
}

func tables() []store.AnyTable { return []store.AnyTable{people, notes} }

// among asks for those whose handle begins so.
func among(prefix string) store.Cond[person] {
	all, in := store.HasPrefix("h"), store.HasPrefix(prefix)
	return byHandle.Among(initials.Any("h"), []store.Span{in}, all.Without(in))
}

// history is one random history, kept in maps beside the store.
type history struct {
	t      *testing.T
	db     *store.DB
	rnd    *rand.Rand
	orgs   []string
	ids    []string
	people map[string]map[string]person // organization, id
	order  map[string][]string          // ids by when they were first saved
}

func TestHistoryAgainstAMap(t *testing.T) {
	store.SetFirstStep(t, 2)
	for _, engine := range []string{"bbolt", "memory", "twice"} {
		t.Run(engine, func(t *testing.T) {
			seeds := map[string]uint64{"bbolt": 2, "memory": 6, "twice": 4}[engine]
			for seed := range seeds {
				store.SetLoadCost(t, []int{0, 40}[seed%2]) // both ways of sorting matches
				runHistory(t, openEngine(t, engine), seed)
			}
		})
	}
}

func openEngine(t *testing.T, engine string) *store.DB {
	t.Helper()
	switch engine {
	case "memory":
		return storetest.OpenWith(t, "", store.Options{Tables: tables(), Engine: kv.NewMemory()})
	case "twice":
		return storetest.OpenWith(t, "", store.Options{Tables: tables(), Engine: kvtest.Twice{Engine: kv.NewMemory()}})
	}
	return storetest.Open(t, tables()...)
}

func runHistory(t *testing.T, db *store.DB, seed uint64) {
	h := &history{t: t, db: db, rnd: rand.New(rand.NewPCG(seed, 7)), people: map[string]map[string]person{}, order: map[string][]string{}}
	for range 3 {
		h.orgs = append(h.orgs, db.NewID("org"))
		h.people[h.orgs[len(h.orgs)-1]] = map[string]person{}
	}
	for range 40 {
		h.ids = append(h.ids, db.NewID("rcp"))
	}
	for i := range 250 {
		h.change()
		if i%10 == 9 {
			h.compare()
		}
		if t.Failed() {
			t.Fatalf("seed %d, step %d", seed, i)
		}
	}
	if err := db.Check(t.Context()); err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
}

func (h *history) pick(list []string) string { return list[h.rnd.IntN(len(list))] }

func (h *history) person() person {
	p := person{ID: h.pick(h.ids), Name: h.pick([]string{"", "ann", "anna", "bob", "b\x00b", "бек"}), Age: h.rnd.IntN(5) - 2,
		Consent: h.pick([]string{"IN", "OUT", "UNKNOWN"})}
	if h.rnd.IntN(2) == 0 {
		p.Handle = fmt.Sprint("h", h.rnd.IntN(30))
	}
	if h.rnd.IntN(3) == 0 {
		p.Token = fmt.Sprint("t", h.rnd.IntN(60))
	}
	for range h.rnd.IntN(3) {
		p.Tags = append(p.Tags, h.pick([]string{"a", "ab", "b", "vip"}))
	}
	return p
}

// change does some writes in one transaction, in the store and in the maps.
func (h *history) change() {
	type write struct {
		org  string
		p    person
		kind int
	}
	var writes []write
	for range 1 + h.rnd.IntN(4) {
		writes = append(writes, write{h.pick(h.orgs), h.person(), h.rnd.IntN(8)})
	}
	fail := h.rnd.IntN(6) == 0
	var after map[string]map[string]person
	var order map[string][]string
	stop := errors.New("stop")
	err := h.db.Update(h.t.Context(), func(tx *store.Tx) error {
		m := model{cloned(h.people), clonedLists(h.order)}
		for _, w := range writes {
			want := m.do(w.org, w.p, w.kind)
			err := writeAs(tx, w.org, &w.p, w.kind)
			if !sameError(err, want) {
				h.t.Errorf("write %+v: %v, want %q", w, err, want)
			}
		}
		after, order = m.people, m.order
		if fail {
			return stop
		}
		return nil
	})
	switch {
	case fail && !errors.Is(err, stop), !fail && err != nil:
		h.t.Errorf("update: %v", err)
	case !fail:
		h.people, h.order = after, order
	}
}

// sameError compares an error with the word the model has for it.
func sameError(err error, want string) bool {
	switch want {
	case "":
		return err == nil
	case "missing":
		return errors.Is(err, store.ErrNotFound)
	case "exists":
		return errors.Is(err, store.ErrExists)
	}
	return store.Duplicate(err, want)
}

type model struct {
	people map[string]map[string]person
	order  map[string][]string
}

// do is what a write should do: it answers "missing", "exists" or the name of the
// unique index in the way.
func (m model) do(org string, p person, kind int) string {
	_, there := m.people[org][p.ID]
	if kind == aDelete || kind == anEdit || kind == aNestedEdit {
		if !there {
			return "missing"
		}
	}
	if kind == aNestedEdit {
		m.people[org][p.ID] = inner(p.ID)
	}
	if kind == aDelete {
		delete(m.people[org], p.ID)
		m.order[org] = slices.DeleteFunc(m.order[org], func(id string) bool { return id == p.ID })
		return ""
	}
	if (kind == anInsert || kind == anEncoded) && there {
		return "exists"
	}
	for id, other := range m.people[org] {
		if p.Handle != "" && other.Handle == p.Handle && id != p.ID {
			return "handle"
		}
	}
	for o, list := range m.people {
		for id, other := range list {
			if p.Token != "" && other.Token == p.Token && (id != p.ID || o != org) {
				return "token"
			}
		}
	}
	m.people[org][p.ID] = p
	if !there {
		m.order[org] = append(m.order[org], p.ID)
	}
	return ""
}

func cloned(m map[string]map[string]person) map[string]map[string]person {
	out := maps.Clone(m)
	for k := range out {
		out[k] = maps.Clone(out[k])
	}
	return out
}

func clonedLists(m map[string][]string) map[string][]string {
	out := maps.Clone(m)
	for k := range out {
		out[k] = slices.Clone(out[k])
	}
	return out
}

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
