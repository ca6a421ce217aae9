// Package recipient keeps the people that an organization may write to: who they
// are, on what basis they are written to, which lists and tags they carry, and who
// may never be written to again.
//
// It promises that messenger_id and username are each unique in an organization;
// that an opt-out is one operation, whoever asks for it (OptOut), and is never
// undone; that whoever is on the suppression list is opted out, also when the
// recipient was deleted and comes again; that an import is whole or goes on after
// a restart, and counts nobody twice. It refuses to know campaigns and
// conversations: they subscribe to OptedOut and Deleted, and tell what they did
// through Touch and Busy.
package recipient

import (
	"maps"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/recipient/field"
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

	OptedOutAt   *time.Time   `json:"opted_out_at,omitempty"`
	OptOutSource OptOutSource `json:"opt_out_source,omitempty"`
	Suppressed   bool         `json:"suppressed,omitempty"` // an entry of the suppression list names the person

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

	byMessengerID = recipients.Unique("messenger_id", func(r *Recipient) store.Key { return messengerKey(r.MessengerID) })
	byUsername    = recipients.Unique("username", func(r *Recipient) store.Key { return usernameKey(r.Username) })

	byCreated   = recipients.Index("created_at", func(r *Recipient) store.Key { return store.Time(r.CreatedAt) })
	byMessaged  = recipients.Index("last_messaged_at", func(r *Recipient) store.Key { return timeKey(r.LastMessagedAt) })
	byFirstName = recipients.Index("first_name", func(r *Recipient) store.Key { return store.Text(store.Fold(r.FirstName)) })

	initialFacet      = recipients.Facet("initial", func(r *Recipient) []string { return r.who().initials() })
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

// Tables are what a store that holds recipients is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{recipients, lists, suppressions, histories, imports, issueLists, rejectedTable, batches, busyMarks}
}

func messengerKey(id int64) store.Key {
	if id == 0 {
		return nil
	}
	return store.Int(id)
}

func usernameKey(username string) store.Key {
	if username == "" {
		return nil
	}
	return store.Text(strings.ToLower(username))
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

// Reason says why a message would not reach somebody.
type Reason struct {
	Code    string `json:"code" example:"OPTED_OUT"`
	Message string `json:"message"`
}

// Options of the service.
type Options struct {
	// Campaign says what of a campaign keeps a message from a person, and the account
	// it would be sent from, "" for none. Unknown campaigns are store.ErrNotFound.
	// nil: there are no campaigns.
	Campaign func(tx *store.Tx, c *api.Call, campaign string, r Recipient) (account string, reasons []Reason, err error)
	// KnownTo are the accounts that have met the person of a messenger_id, also before
	// that was a recipient. nil: there are no accounts.
	KnownTo func(tx *store.Tx, org string, messengerID int64) ([]string, error)
}

// Service answers for the recipients of every organization.
type Service struct {
	db     *store.DB
	bus    *signal.Bus
	o      Options
	memory *memoryGate // of uploads that are read
}

// New makes the service. It publishes OptedOut and Deleted on the bus.
func New(db *store.DB, bus *signal.Bus, o Options) *Service {
	return &Service{db: db, bus: bus, o: o, memory: newMemoryGate()}
}

// Get reads a recipient: store.ErrNotFound when the organization has none of that
// id.
func Get(tx *store.Tx, org, id string) (Recipient, error) { return recipients.Get(tx, org, id) }

// GetMany reads recipients in the order of ids; nil stands for one that is not there.
func GetMany(tx *store.Tx, org string, ids []string) ([]*Recipient, error) {
	return recipients.GetMany(tx, org, ids)
}

// ByMessengerID finds the recipient with that user id, or answers
// store.ErrNotFound.
func ByMessengerID(tx *store.Tx, org string, id int64) (Recipient, error) {
	return byMessengerID.Find(tx, org, messengerKey(id))
}

// ByUsername finds the recipient with that username in any case, or answers
// store.ErrNotFound.
func ByUsername(tx *store.Tx, org, username string) (Recipient, error) {
	return byUsername.Find(tx, org, usernameKey(username))
}

// HasAttribute says whether any recipient of the organization has an attribute of
// that key.
func HasAttribute(tx *store.Tx, org, key string) (bool, error) {
	n, err := attributeFacet.Count(tx, org, key)
	return n > 0, err
}

// Used is how many recipients count against the plan: those that are there, and
// those that the import under way will make.
func Used(tx *store.Tx, org string) (int, error) {
	n, err := recipients.Count(tx, org)
	if err != nil {
		return 0, err
	}
	i, err := underWay.Find(tx, org, runningKey)
	if store.IsNotFound(err) {
		return n, nil
	}
	return n + max(0, i.Reserved-i.Report.Created), err
}
