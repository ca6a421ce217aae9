// Package cases keeps the cases by which conversations and content of a business are
// classified: people write them, or an agent names groups of conversations.
//
// It promises at most 25 active cases of a dimension; that a case which conversations have is
// never removed, only archived; that merging two is one change, which can be taken back; and
// that generating changes nothing a person wrote (contract 15.2). It refuses to classify:
// package analysis does.
package cases

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/insight/dimension"
	"svc/geo/text"
	"svc/store"
)

// Source says who wrote a case.
type Source string

// The sources.
const (
	Generated Source = "GENERATED"
	Manual    Source = "MANUAL"
)

// Status is whether conversations can be given a case.
type Status string

// The statuses (contract 60.56).
const (
	Active   Status = "ACTIVE"
	Archived Status = "ARCHIVED"
)

// Names are the name of a case in the languages of the console.
type Names struct {
	UZ string `json:"uz" maxLength:"80" example:"Yetkazib berish sekin"`
	RU string `json:"ru" maxLength:"80" example:"Медленная доставка"`
	EN string `json:"en" maxLength:"80" example:"Slow delivery"`
}

// In is the name in a locale.
func (n Names) In(locale string) string {
	switch locale {
	case "uz":
		return n.UZ
	case "ru":
		return n.RU
	}
	return n.EN
}

// fill gives languages without a name that of the first one that has.
func (n *Names) fill() bool {
	all := []*string{&n.UZ, &n.RU, &n.EN}
	first := ""
	for _, s := range all {
		*s = strings.Join(strings.Fields(*s), " ")
		first = cmp.Or(first, *s)
	}
	for _, s := range all {
		*s = cmp.Or(*s, first)
	}
	return first != ""
}

// Case is a case as it is kept.
type Case struct {
	ID          string              `json:"id"`
	Business    string              `json:"business"`
	Dimension   dimension.Dimension `json:"dimension"`
	Key         string              `json:"key"`
	Name        Names               `json:"name"`
	Description string              `json:"description,omitempty"`
	Examples    []string            `json:"examples,omitempty"`
	Source      Source              `json:"source"`
	Status      Status              `json:"status"`
	// MergedInto is the case as which it counts; "" for none. That one is merged into none.
	MergedInto string    `json:"merged_into,omitempty"`
	CreatedBy  string    `json:"created_by,omitempty"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
}

// The bounds of cases.
const (
	MaxActive   = 25 // of a dimension
	maxAll      = 500
	maxName     = 80
	maxKey      = 40
	maxExamples = 10
)

var (
	table = store.NewTable("insight_case", "cas", func(k *Case) string { return k.ID })

	byKey = table.Unique("key", func(k *Case) store.Key {
		return store.Tuple(store.Text(k.Business), store.Text(string(k.Dimension)), store.Text(k.Key))
	})
	// inOrder are the cases of a business by dimension, the oldest first.
	inOrder = table.Index("order", func(k *Case) store.Key {
		return store.Tuple(store.Text(k.Business), store.Text(string(k.Dimension)), store.Time(k.CreatedAt), store.Text(k.ID))
	})
	businessFacet  = table.Facet("business", func(k *Case) []string { return []string{k.Business} })
	dimensionFacet = table.Facet("dimension", func(k *Case) []string { return []string{k.Business + "/" + string(k.Dimension)} })
	statusFacet    = table.Facet("status", func(k *Case) []string { return []string{string(k.Status)} })
	mergedFacet    = table.Facet("merged", func(k *Case) []string {
		if k.MergedInto == "" {
			return nil
		}
		return []string{k.MergedInto}
	})
)

// Tables are what a store that holds cases is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table, generations} }

// Get reads a case: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Case, error) { return table.Get(tx, org, id) }

// NamesOf are the names of cases by id, in English.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, table, ids, func(k *Case) string { return k.Name.EN })
}

// ActiveOf are the active cases of a dimension of a business, the oldest first.
func ActiveOf(tx *store.Tx, org, business string, d dimension.Dimension) ([]Case, error) {
	list, err := allOf(tx, org, business, d)
	return slices.DeleteFunc(list, func(k Case) bool { return k.Status != Active }), err
}

func allOf(tx *store.Tx, org, business string, d dimension.Dimension) ([]Case, error) {
	span := store.Is(store.Tuple(store.Text(business), store.Text(string(d))))
	list, _, err := inOrder.Walk(tx, org, store.Range{Span: span, Limit: maxAll})
	return list, err
}

// Book are cases by id, with what was merged.
type Book map[string]*Case

// Load reads cases by id, and those into which they were merged.
func Load(tx *store.Tx, org string, ids []string) (Book, error) {
	out := Book{}
	for len(ids) > 0 {
		list, err := table.GetMany(tx, org, ids)
		if err != nil {
			return nil, err
		}
		ids = nil
		for _, k := range list {
			if k == nil {
				continue
			}
			if out[k.ID] = k; k.MergedInto != "" && out[k.MergedInto] == nil {
				ids = append(ids, k.MergedInto)
			}
		}
	}
	return out, nil
}

// Counts is the case as which an id counts, "" for one that is gone.
func (b Book) Counts(id string) string {
	k := b[id]
	switch {
	case k == nil:
		return ""
	case k.MergedInto != "" && b[k.MergedInto] != nil:
		return k.MergedInto
	}
	return id
}

// Including is a case with those that count as it.
func Including(tx *store.Tx, org, id string) ([]string, error) {
	out := []string{id}
	page, err := table.Page(tx, org, store.Query[Case]{Where: []store.Cond[Case]{mergedFacet.Any(id)}, Limit: maxAll})
	for i := range page.Data {
		out = append(out, page.Data[i].ID)
	}
	return out, err
}

func (k *Case) resource() audit.Resource { return audit.On("case", k.ID, k.Name.EN) }

// room is nil when a dimension has room for another active case.
func room(tx *store.Tx, org, business string, d dimension.Dimension) error {
	list, err := ActiveOf(tx, org, business, d)
	if err == nil && len(list) >= MaxActive {
		return api.ErrConflict.WithMessage("A dimension has at most %d active cases; archive or merge some first.", MaxActive)
	}
	return err
}

// keyOf makes a key of a text: lower-case Latin letters, digits and underscores.
func keyOf(s string) string {
	var b strings.Builder
	for _, t := range text.Tokens(s) {
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		for _, r := range t {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				b.WriteRune(r)
			}
		}
	}
	return strings.Trim(b.String()[:min(b.Len(), maxKey)], "_")
}

// freeKey is a key that no case of the dimension has.
func freeKey(tx *store.Tx, org, business string, d dimension.Dimension, want string) (string, error) {
	want = cmp.Or(keyOf(want), "case")
	for n := 1; ; n++ {
		key := want
		if n > 1 {
			key += "_" + strconv.Itoa(n)
		}
		_, err := byKey.ID(tx, org, store.Tuple(store.Text(business), store.Text(string(d)), store.Text(key)))
		if store.IsNotFound(err) {
			return key, nil
		}
		if err != nil {
			return "", err
		}
	}
}
