package recipient

import (
	"strings"
	"time"

	"svc/app/setting"
	"svc/store"
)

// List is a named group of recipients, as stored. Who is in it stands in the
// recipients.
type List struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description *string   `json:"description,omitempty"`
	Color       *string   `json:"color,omitempty"`
	CreatedBy   string    `json:"created_by,omitempty"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

var (
	lists = store.NewTable("recipient_list", "lst", func(l *List) string { return l.ID })

	_           = lists.Unique("name", func(l *List) store.Key { return store.Text(store.Fold(l.Name)) })
	listsByName = lists.Index("name_order", func(l *List) store.Key { return store.Text(store.Fold(l.Name)) })
)

// HasList says whether the organization has a list of that id.
func HasList(tx *store.Tx, org, id string) (bool, error) { return lists.Has(tx, org, id) }

// maxLists is how many lists an organization may have.
const maxLists = 1000

// newList saves a new list.
func newList(tx *store.Tx, org string, l *List) error {
	n, err := lists.Count(tx, org)
	if err != nil {
		return err
	}
	if n >= maxLists {
		return ErrTooManyLists
	}
	return putList(tx, org, l)
}

func putList(tx *store.Tx, org string, l *List) error {
	l.Name = strings.TrimSpace(l.Name)
	err := lists.Put(tx, org, l)
	if store.Duplicate(err) {
		return ErrListName.WithCause(err)
	}
	return err
}

// sizes are the counts that a list shows: who is in it, and whom of them campaigns
// may write to.
func sizes(tx *store.Tx, org, list string) (members, sendable int, err error) {
	if members, err = listFacet.Count(tx, org, list); err != nil {
		return 0, 0, err
	}
	if sendable, err = sendableTally.Count(tx, org, withBasis+list); err != nil {
		return 0, 0, err
	}
	platform, err := setting.Get(tx)
	if err != nil || !platform.AllowUnknownConsent {
		return members, sendable, err
	}
	unknown, err := sendableTally.Count(tx, org, withoutBasis+list)
	return members, sendable + unknown, err
}
