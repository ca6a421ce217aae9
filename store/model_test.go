package store_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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
