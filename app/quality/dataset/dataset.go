// Package dataset keeps conversations with what a good answer to each has: what evaluations
// run over.
//
// It promises that personal data is masked before an item is stored, that names, phones and
// addresses of the memory never enter, that nothing of a personal chat does, and that what was
// made of a chat which became personal goes (contract 13.31). It refuses to run anything.
package dataset

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/store"
)

// Dataset is a set of items.
type Dataset struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	Agent       agent.Agent `json:"agent"`
	BusinessID  string      `json:"business_id,omitempty"`
	CreatedBy   string      `json:"created_by"`
	CreatedAt   time.Time   `json:"created_at"`
	UpdatedAt   time.Time   `json:"updated_at"`
}

// Source says where an item comes from.
type Source string

// The sources.
const (
	Manual           Source = "MANUAL"
	FromFeedback     Source = "FEEDBACK"
	FromConversation Source = "CONVERSATION"
)

// MustPass is the tag of items of which none may fail for a version to be activated.
const MustPass = "must_pass"

// Bounds (contract 13.31).
const (
	MaxDatasets = 100
	MaxItems    = 2_000
	maxTags     = 20
	maxTag      = 64
)

// Item is one conversation with what is expected, as it is kept.
type Item struct {
	ID      string   `json:"id"`
	Dataset string   `json:"dataset"`
	Tags    []string `json:"tags,omitempty"`
	Source  Source   `json:"source"`
	// Conversation and Feedback are what it was made of; "" for none. A conversation that
	// becomes personal takes its items with it.
	Conversation string       `json:"conversation,omitempty"`
	Feedback     string       `json:"feedback,omitempty"`
	CreatedBy    string       `json:"created_by"`
	CreatedAt    time.Time    `json:"created_at"`
	Words        store.Sealed `json:"words,omitzero"`
}

var (
	datasets = store.NewTable("eval_dataset", "eds", func(d *Dataset) string { return d.ID })
	_        = datasets.Unique("name", func(d *Dataset) store.Key { return store.Text(store.Fold(d.Name)) })
	agents   = datasets.Facet("agent", func(d *Dataset) []string { return []string{string(d.Agent)} })
	places   = datasets.Facet("business", func(d *Dataset) []string { return []string{d.BusinessID} })

	items   = store.NewTable("eval_item", "edi", func(i *Item) string { return i.ID })
	words   = items.Sealed("words", func(i *Item) *store.Sealed { return &i.Words })
	within  = items.Facet("dataset", func(i *Item) []string { return []string{i.Dataset} })
	tagged  = items.Facet("tag", func(i *Item) []string { return i.Tags })
	sources = items.Facet("source", func(i *Item) []string { return []string{string(i.Source)} })
	madeOf  = items.Multi("conversation", func(i *Item) []store.Key { return oneKey(i.Conversation) })
)

func oneKey(s string) []store.Key {
	if s == "" {
		return nil
	}
	return []store.Key{store.Text(s)}
}

// Tables are what a store that holds datasets is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{datasets, items} }

// Get reads a dataset: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Dataset, error) { return datasets.Get(tx, org, id) }

// Count is how many items a dataset has.
func Count(tx *store.Tx, org, id string) (int, error) { return within.Count(tx, org, id) }

// Items are up to limit items of a dataset, the oldest first.
func Items(tx *store.Tx, org, id string, limit int) ([]Item, error) {
	p, err := items.Page(tx, org, store.Query[Item]{Where: []store.Cond[Item]{within.Any(id)}, Limit: limit})
	return p.Data, err
}

// ItemsOf are the items of these ids, nil for one that is gone, in their order.
func ItemsOf(tx *store.Tx, org string, ids []string) ([]*Item, error) {
	return items.GetMany(tx, org, ids)
}

// NamesOf are the names of datasets.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, datasets, ids, func(d *Dataset) string { return d.Name })
}

func (d *Dataset) resource() audit.Resource { return audit.On("eval_dataset", d.ID, d.Name) }

// Agents are those of which a dataset can be: they take part in the turn of the seller, which an
// evaluation runs again.
var Agents = []agent.Agent{agent.Seller, agent.Decision}

// take brings what is asked for into form.
func (d *Dataset) take(tx *store.Tx, org string, b *createBody) error {
	d.Name, d.Agent = strings.Join(strings.Fields(b.Name), " "), b.Agent
	if b.Description != nil {
		d.Description = strings.TrimSpace(*b.Description)
	}
	var name, who, of error
	if d.Name == "" {
		name = api.Wrong("name", "must not be blank")
	}
	if !slices.Contains(Agents, d.Agent) {
		who = api.Wrong("agent", "must be SELLER or DECISION: the others do not take part in the turn that is run again")
	}
	if b.BusinessID != nil && *b.BusinessID != "" {
		d.BusinessID = *b.BusinessID
		if _, err := business.Get(tx, org, d.BusinessID); store.IsNotFound(err) {
			of = api.Wrong("business_id", "names no business of the organization")
		} else if err != nil {
			return err
		}
	}
	return api.AllWrong(name, who, of)
}

// deleteItems removes up to limit items of a dataset.
func deleteItems(tx *store.Tx, org, id string, limit int) (n int, err error) {
	list, err := Items(tx, org, id, limit)
	for i := range list {
		if err == nil {
			err = items.Delete(tx, org, list[i].ID)
		}
	}
	return len(list), err
}

// Forget removes up to limit items that were made of a conversation, and answers their ids.
func Forget(tx *store.Tx, org, conversation string, limit int) (ids []string, err error) {
	list, _, err := madeOf.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: limit})
	for i := range list {
		if err == nil {
			ids = append(ids, list[i].ID)
			err = items.Delete(tx, org, list[i].ID)
		}
	}
	return ids, err
}

// OfBusiness are up to limit datasets of a business.
func OfBusiness(tx *store.Tx, org, business string, limit int) ([]Dataset, error) {
	p, err := datasets.Page(tx, org, store.Query[Dataset]{Where: []store.Cond[Dataset]{places.Any(business)}, Limit: limit})
	return p.Data, err
}

// Remove removes up to limit items of a dataset, and the dataset with the last of them; more
// says whether something is left.
func Remove(tx *store.Tx, org, id string, limit int) (more bool, err error) {
	n, err := deleteItems(tx, org, id, limit)
	if err != nil || n == limit {
		return true, err
	}
	return false, store.IgnoreNotFound(datasets.Delete(tx, org, id))
}
