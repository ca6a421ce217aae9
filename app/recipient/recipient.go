// Package recipient keeps the people that an organization may write to: who they
// are, on what basis they are written to, which lists and tags they carry, and what
// happened to them.
//
// It promises that messenger_id and username are each unique in an organization;
// that an opt-out is one operation, whoever asks for it (OptOut), and is never
// undone; that whoever is on the suppression list is opted out, also when the
// recipient was deleted and comes again. It is the only one that writes recipients:
// package imports saves through it (SaveImported), package audience asks it (Select). It
// refuses to know campaigns and conversations: they subscribe to OptedOut and Deleted,
// and tell what they did through RecordContact and MarkSending.
package recipient

import (
	"maps"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/app/signal"
	"svc/store"
)

// Recipient is one person as stored.
type Recipient struct {
	ID          string `json:"id"`
	MessengerID int64  `json:"messenger_id,omitempty"` // 0: none
	Username    string `json:"username,omitempty"`     // as given; unique in any case
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	Language    string `json:"language,omitempty"`

	Consent     field.Consent `json:"consent_status"`
	ConsentAt   *time.Time    `json:"consent_timestamp,omitempty"`
	ConsentNote *string       `json:"consent_note,omitempty"`

	Attributes map[string]any `json:"attributes,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Lists      []string       `json:"lists,omitempty"` // ids; a list that is being deleted may be among them
	Source     field.Source   `json:"source"`

	OptedOutAt   *time.Time         `json:"opted_out_at,omitempty"`
	OptOutSource field.OptOutSource `json:"opt_out_source,omitempty"`
	Suppressed   bool               `json:"suppressed,omitempty"` // an entry of the suppression list names the person

	KnownTo        []string   `json:"known_to_accounts,omitempty"`
	LastMessagedAt *time.Time `json:"last_messaged_at,omitempty"`
	LastRepliedAt  *time.Time `json:"last_replied_at,omitempty"`
	// LastCampaignAt is when a campaign wrote last: what min_days_between_messages counts
	// from, because an answer in a conversation keeps nobody from being written to.
	LastCampaignAt *time.Time `json:"last_campaign_at,omitempty"`
	ConversationID string     `json:"conversation_id,omitempty"`

	Import string `json:"import,omitempty"` // the last import that the person was in
	Notes  int    `json:"notes,omitempty"`  // how many entries the history has
	// Begun is the first of them, kept here because most people of a large import have
	// no other.
	Begun *history `json:"begun,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

var (
	recipients = store.NewTable("recipient", "rcp", func(r *Recipient) string { return r.ID })

	byMessengerID = recipients.Unique("messenger_id", func(r *Recipient) store.Key { return field.MessengerKey(r.MessengerID) })
	byUsername    = recipients.Unique("username", func(r *Recipient) store.Key { return field.UsernameKey(r.Username) })

	byCreated   = recipients.Index("created_at", func(r *Recipient) store.Key { return store.Time(r.CreatedAt) })
	byMessaged  = recipients.Index("last_messaged_at", func(r *Recipient) store.Key { return timeKey(r.LastMessagedAt) })
	byFirstName = recipients.Index("first_name", func(r *Recipient) store.Key { return store.Text(store.Fold(r.FirstName)) })

	initialFacet      = recipients.Facet("initial", func(r *Recipient) []string { return r.Who().Initials() })
	attributeFacet    = recipients.Facet("attribute", func(r *Recipient) []string { return slices.Collect(maps.Keys(r.Attributes)) })
	tagFacet          = recipients.Facet("tag", func(r *Recipient) []string { return field.FoldTags(r.Tags) }).Version(2)
	listFacet         = recipients.Facet("list", func(r *Recipient) []string { return r.Lists })
	consentFacet      = recipients.Facet("consent", func(r *Recipient) []string { return []string{string(r.Consent)} })
	languageFacet     = recipients.Facet("language", func(r *Recipient) []string { return present(r.Language) })
	sourceFacet       = recipients.Facet("source", func(r *Recipient) []string { return []string{string(r.Source)} })
	suppressedFacet   = recipients.Facet("suppressed", func(r *Recipient) []string { return yes(r.Suppressed) })
	conversationFacet = recipients.Facet("conversation", func(r *Recipient) []string { return yes(r.ConversationID != "") })
	createdFacet      = recipients.Facet("created", func(r *Recipient) []string { return periods(r.CreatedAt) })

	sendableTally = recipients.Tally("sendable", sendableIn)
)

// Tables are what a store that holds recipients and the suppression list is opened with.
func Tables() []store.AnyTable {
	return append(suppression.Tables(), recipients, lists, histories, busyMarks)
}

func timeKey(t *time.Time) store.Key {
	if t == nil {
		return nil
	}
	return store.Time(*t)
}

const on = "yes"

func yes(b bool) []string {
	if b {
		return []string{on}
	}
	return nil
}

func present(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Deleted is published when a recipient is deleted.
type Deleted struct{ ID string }

// Identified is published when somebody is on the list under a name that was not there: they are
// new, or their messenger_id or username is another one now.
type Identified struct {
	ID  string
	Who field.Who
	New bool
}

// identified publishes that, and reads them again: who listens may change them.
func (s *Service) identified(tx *store.Tx, c *api.Call, r *Recipient, fresh bool) (err error) {
	if err := signal.Publish(s.bus, tx, c, Identified{r.ID, r.Who(), fresh}); err != nil {
		return err
	}
	*r, err = recipients.Get(tx, c.Org, r.ID)
	return err
}

// Options of the service.
type Options struct {
	// KnownTo are the accounts that have met the person of a messenger_id. nil: there are
	// no accounts.
	KnownTo Acquaintances
	// Used is what counts against the plan. Zero: those that are there.
	Used Usage
	// Identifying is what listeners read of somebody new.
	Identifying []Identifying
}

// Service answers for the recipients of every organization.
type Service struct {
	db  *store.DB
	bus *signal.Bus
	o   Options
}

// New makes the service. It publishes OptedOut and Deleted on the bus.
func New(db *store.DB, bus *signal.Bus, o Options) *Service {
	return &Service{db: db, bus: bus, o: o}
}

// Get reads a recipient: store.ErrNotFound when the organization has none of that
// id.
func Get(tx *store.Tx, org, id string) (Recipient, error) { return recipients.Get(tx, org, id) }

// Has says whether the organization has a recipient of that id.
func Has(tx *store.Tx, org, id string) (bool, error) { return recipients.Has(tx, org, id) }

// GetMany reads recipients in the order of ids; nil stands for one that is not there.
func GetMany(tx *store.Tx, org string, ids []string) ([]*Recipient, error) {
	return recipients.GetMany(tx, org, ids)
}

// ByMessengerID finds the recipient with that user id, or answers
// store.ErrNotFound.
func ByMessengerID(tx *store.Tx, org string, id int64) (Recipient, error) {
	return byMessengerID.Find(tx, org, field.MessengerKey(id))
}

// ByUsername finds the recipient with that username in any case, or answers
// store.ErrNotFound.
func ByUsername(tx *store.Tx, org, username string) (Recipient, error) {
	return byUsername.Find(tx, org, field.UsernameKey(username))
}

// Find finds the recipient whom a name means, by messenger_id first, then by username,
// nil for none; nameTaken says that another one has the username.
func Find(tx *store.Tx, org string, w field.Who) (r *Recipient, nameTaken bool, err error) {
	if w.MessengerID != 0 {
		found, err := ByMessengerID(tx, org, w.MessengerID)
		if err != nil && !store.IsNotFound(err) {
			return nil, false, err
		}
		if err == nil {
			r = &found
		}
	}
	if w.Username == "" {
		return r, false, nil
	}
	id, err := byUsername.ID(tx, org, field.UsernameKey(w.Username))
	switch {
	case store.IsNotFound(err):
		return r, false, nil
	case err != nil:
		return nil, false, err
	case r != nil:
		return r, id != r.ID, nil
	}
	found, err := recipients.Get(tx, org, id)
	return &found, false, err
}

// FindAll finds the recipients whom a name means, by either part: two at most.
func FindAll(tx *store.Tx, org string, w field.Who) (out []Recipient, err error) {
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

// Who is how the person is named.
func (r *Recipient) Who() field.Who {
	return field.Who{MessengerID: r.MessengerID, Username: r.Username}
}

// HasAttribute says whether any recipient of the organization has an attribute of
// that key.
func HasAttribute(tx *store.Tx, org, key string) (bool, error) {
	n, err := attributeFacet.Count(tx, org, key)
	return n > 0, err
}

// Count is how many recipients an organization has.
func Count(tx *store.Tx, org string) (int, error) { return recipients.Count(tx, org) }

// used is how many recipients count against the plan.
func (s *Service) used(tx *store.Tx, org string) (int, error) {
	if s.o.Used.Count == nil {
		return Count(tx, org)
	}
	return s.o.Used.Count(tx, org)
}
