package recipient

import (
	"time"

	"svc/app/recipient/field"
	"svc/store"
)

// OptOutSource says how somebody came to be opted out or suppressed.
type OptOutSource string

// The sources (contract 33).
const (
	ByLink   OptOutSource = "OPT_OUT_LINK"
	ByPerson OptOutSource = "MANUAL"
	ByKey    OptOutSource = "API"
	ByImport OptOutSource = "IMPORT"
	ByAdmin  OptOutSource = "ADMIN"
)

// Suppression is an entry of the list of those who are never written to: a user
// id, a username, or both. It outlives the recipient.
type Suppression struct {
	ID          string       `json:"id"`
	MessengerID int64        `json:"messenger_id,omitempty"`
	Username    string       `json:"username,omitempty"`
	Reason      string       `json:"reason,omitempty"`
	Source      OptOutSource `json:"source"`
	RecipientID string       `json:"recipient_id,omitempty"`
	CreatedBy   string       `json:"created_by,omitempty"`
	CreatedAt   time.Time    `json:"created_at"`
}

var (
	suppressions = store.NewTable("suppression", "sup", func(s *Suppression) string { return s.ID })

	suppressedID      = suppressions.Unique("messenger_id", func(s *Suppression) store.Key { return messengerKey(s.MessengerID) })
	suppressedName    = suppressions.Unique("username", func(s *Suppression) store.Key { return usernameKey(s.Username) })
	suppressedBy      = suppressions.Facet("source", func(s *Suppression) []string { return []string{string(s.Source)} })
	suppressedInitial = suppressions.Facet("initial", func(s *Suppression) []string { return Who{s.MessengerID, s.Username}.initials() })
)

// Who names a person: by user id, by username, or by both. Zero values name nobody.
type Who struct {
	MessengerID int64
	Username    string
}

func (r *Recipient) who() Who { return Who{r.MessengerID, r.Username} }

// uncovered is the part of a name that the suppression list does not have, and the
// entry that has the other part, if one does.
func uncovered(tx *store.Tx, org string, w Who) (rest Who, entry *Suppression, err error) {
	rest = w
	if w.MessengerID != 0 {
		s, err := suppressedID.Find(tx, org, store.Int(w.MessengerID))
		if err != nil && !store.IsNotFound(err) {
			return rest, nil, err
		}
		if err == nil {
			rest.MessengerID, entry = 0, &s
		}
	}
	if w.Username != "" {
		s, err := suppressedName.Find(tx, org, usernameKey(w.Username))
		if err != nil && !store.IsNotFound(err) {
			return rest, nil, err
		}
		if err == nil {
			rest.Username, entry = "", &s
		}
	}
	return rest, entry, nil
}

// IsSuppressed says whether the suppression list of an organization names
// somebody.
func IsSuppressed(tx *store.Tx, org string, w Who) (bool, error) {
	_, entry, err := uncovered(tx, org, w)
	return entry != nil, err
}

// suppress sees to it that the list names all of a person: an entry that has one
// part and lacks the other is completed, else a new one is made. An entry that was there
// before the person was a recipient stands for their opt-out from now on.
func suppress(tx *store.Tx, org string, w Who, more Suppression) error {
	rest, entry, err := uncovered(tx, org, w)
	if err != nil {
		return err
	}
	if rest == (Who{}) {
		if entry == nil || entry.RecipientID != "" || more.RecipientID == "" {
			return nil
		}
		entry.RecipientID = more.RecipientID
		return suppressions.Put(tx, org, entry)
	}
	if entry != nil && (rest.MessengerID == 0 || entry.MessengerID == 0) && (rest.Username == "" || entry.Username == "") {
		if rest.MessengerID != 0 {
			entry.MessengerID = rest.MessengerID
		}
		replace(&entry.Username, rest.Username)
		return suppressions.Put(tx, org, entry)
	}
	more.ID, more.MessengerID, more.Username, more.CreatedAt = tx.DB().NewID("sup"), rest.MessengerID, rest.Username, tx.DB().Now()
	return suppressions.Insert(tx, org, &more)
}

// matching are the recipients that a name means: two at most.
func (w Who) matching(tx *store.Tx, org string) (out []Recipient, err error) {
	if w.MessengerID != 0 {
		r, err := ByMessengerID(tx, org, w.MessengerID)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			out = append(out, r)
		}
	}
	if w.Username != "" {
		r, err := ByUsername(tx, org, w.Username)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err == nil && (len(out) == 0 || out[0].ID != r.ID) {
			out = append(out, r)
		}
	}
	return out, nil
}

// check refuses a name that is none.
func (w Who) check() map[string]string {
	wrong := map[string]string{}
	if w.MessengerID != 0 {
		if err := field.CheckMessengerID(w.MessengerID); err != nil {
			wrong["messenger_id"] = err.Error()
		}
	}
	if w.Username != "" {
		if err := field.CheckUsername(w.Username); err != nil {
			wrong["username"] = err.Error()
		}
	}
	if w == (Who{}) {
		wrong["messenger_id"] = "or username is needed"
	}
	return wrong
}
