// Package suppression keeps the list of those who are never written to.
//
// It promises that each user id and each username is on the list of an organization once,
// and that an entry outlives the recipient whom it names. It refuses to know recipients:
// who is put on the list or taken off is opted out, or shown as freed, by package
// recipient and the operations of package optout.
package suppression

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/recipient/field"
	"svc/store"
)

// Entry is an entry of the list: a user id, a username, or both.
type Entry struct {
	ID          string             `json:"id"`
	MessengerID int64              `json:"messenger_id,omitempty"`
	Username    string             `json:"username,omitempty"`
	Reason      string             `json:"reason,omitempty"`
	Source      field.OptOutSource `json:"source"`
	RecipientID string             `json:"recipient_id,omitempty"`
	CreatedBy   string             `json:"created_by,omitempty"`
	CreatedAt   time.Time          `json:"created_at"`
}

// Who is whom an entry names.
func (e *Entry) Who() field.Who { return field.Who{MessengerID: e.MessengerID, Username: e.Username} }

var (
	entries = store.NewTable("suppression", "sup", func(e *Entry) string { return e.ID })

	byMessengerID = entries.Unique("messenger_id", func(e *Entry) store.Key { return field.MessengerKey(e.MessengerID) })
	byUsername    = entries.Unique("username", func(e *Entry) store.Key { return field.UsernameKey(e.Username) })
	sourceFacet   = entries.Facet("source", func(e *Entry) []string { return []string{string(e.Source)} })
	initialFacet  = entries.Facet("initial", func(e *Entry) []string { return e.Who().Initials() })
)

// Tables are what a store that holds the list is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{entries} }

// Reads is what Names reads.
func Reads(org string, w field.Who) []store.Read {
	return []store.Read{byMessengerID.Read(org, field.MessengerKey(w.MessengerID)), byUsername.Read(org, field.UsernameKey(w.Username))}
}

// uncovered is the part of a name that the list does not have, and the entry that has
// the other part, if one does.
func uncovered(tx *store.Tx, org string, w field.Who) (rest field.Who, entry *Entry, err error) {
	rest = w
	if w.MessengerID != 0 {
		e, err := byMessengerID.Find(tx, org, field.MessengerKey(w.MessengerID))
		if err != nil && !store.IsNotFound(err) {
			return rest, nil, err
		}
		if err == nil {
			rest.MessengerID, entry = 0, &e
		}
	}
	if w.Username != "" {
		e, err := byUsername.Find(tx, org, field.UsernameKey(w.Username))
		if err != nil && !store.IsNotFound(err) {
			return rest, nil, err
		}
		if err == nil {
			rest.Username, entry = "", &e
		}
	}
	return rest, entry, nil
}

// Uncovered is the part of a name that the list does not have: zero when it has all of it.
func Uncovered(tx *store.Tx, org string, w field.Who) (field.Who, error) {
	rest, _, err := uncovered(tx, org, w)
	return rest, err
}

// Names says whether the list of an organization names somebody, by either part.
func Names(tx *store.Tx, org string, w field.Who) (bool, error) {
	_, entry, err := uncovered(tx, org, w)
	return entry != nil, err
}

// Any says whether the list of an organization has any entry.
func Any(tx *store.Tx, org string) (bool, error) {
	n, err := entries.Count(tx, org)
	return n > 0, err
}

// Cover sees to it that the list names all of a person: an entry that has one part and
// lacks the other is completed, else a new one is made of more. An entry that was there
// before the person was a recipient stands for their opt-out from now on.
func Cover(tx *store.Tx, org string, w field.Who, more Entry) error {
	rest, entry, err := uncovered(tx, org, w)
	if err != nil {
		return err
	}
	if rest == (field.Who{}) {
		if entry == nil || entry.RecipientID != "" || more.RecipientID == "" {
			return nil
		}
		entry.RecipientID = more.RecipientID
		return entries.Put(tx, org, entry)
	}
	if entry != nil && (rest.MessengerID == 0 || entry.MessengerID == 0) && (rest.Username == "" || entry.Username == "") {
		if rest.MessengerID != 0 {
			entry.MessengerID = rest.MessengerID
		}
		if rest.Username != "" {
			entry.Username = rest.Username
		}
		return entries.Put(tx, org, entry)
	}
	more.MessengerID, more.Username, more.CreatedAt = rest.MessengerID, rest.Username, tx.DB().Now()
	return Insert(tx, org, &more)
}

// Insert adds an entry and gives it an id. A part of its name that is on the list already
// is a duplicate (store.Duplicate).
func Insert(tx *store.Tx, org string, e *Entry) error {
	e.ID = tx.DB().NewID("sup")
	return entries.Insert(tx, org, e)
}

// Get reads an entry: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Entry, error) { return entries.Get(tx, org, id) }

// Delete takes an entry off the list.
func Delete(tx *store.Tx, org, id string) error { return entries.Delete(tx, org, id) }

// Filter narrows the list; a zero field does not.
type Filter struct {
	Q      string // the beginning of a username, with or without @, or of a user id
	Source field.OptOutSource
	Newest bool // first
}

// Page is a page of the list, in the order in which entries were made.
func Page[T any](c *api.Call, db *store.DB, f Filter, in api.PageIn, show func(*Entry) T) (api.Page[T], error) {
	var where []store.Cond[Entry]
	if f.Source != "" {
		where = append(where, sourceFacet.Any(string(f.Source)))
	}
	if q := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(f.Q), "@")); q != "" {
		where = append(where, field.PrefixSearch(q, initialFacet, byUsername, byMessengerID))
	}
	return api.ListOf(c, db, entries, store.Query[Entry]{Where: where, Reverse: f.Newest, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}, in,
		func(_ *store.Tx, e *Entry) (T, error) { return show(e), nil })
}
