// Package conversation keeps conversations and their messages: the records, the indexes
// and counts by which they are listed, and what may happen to each.
//
// It promises that it is the one writer of both: the AI state of a conversation and the
// status of a message change in one place each (apply, settle), with audit entry and
// event; that a message of the network is stored once; that unread, waiting-since and the
// last message follow from the messages; that what a message says is sealed, and stands
// in no event, no audit entry and no log. It refuses to know a network (package channel)
// and to send (package reply).
package conversation

import (
	"strings"
	"time"

	geotext "svc/geo/text"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/inbox/channel"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/store"
)

// AIState is who answers a conversation, as it is kept (contract 60.19).
type AIState string

// The states. Off is shown and never kept (contract 22).
const (
	Active        AIState = "ACTIVE"
	PausedHandoff AIState = "PAUSED_HANDOFF"
	Stopped       AIState = "STOPPED"
	Off           AIState = "OFF"
)

// AIStates lists those that are kept.
func AIStates() []AIState { return []AIState{Active, PausedHandoff, Stopped} }

// PersonalSource says who made a chat personal.
type PersonalSource string

// The sources (contract 10.1). A chat that a person made personal, or not, stays so.
const (
	ByContact PersonalSource = "CONTACT"
	ByOwner   PersonalSource = "OWNER"
)

// Conversation is a chat of one account with one person.
type Conversation struct {
	ID        string       `json:"id"`
	Channel   channel.Name `json:"channel"`
	AccountID string       `json:"account"`
	// Owner is what the network knows the account by: the same number connected again
	// goes on with the conversation (contract 22).
	Owner  string         `json:"owner"`
	Person channel.Person `json:"person"`
	// RecipientID is whom the person was recognised as; "" for nobody.
	RecipientID string `json:"recipient,omitempty"`

	AIState  AIState `json:"ai_state"`
	AIReason string  `json:"ai_reason,omitempty"`

	Personal       bool           `json:"personal,omitempty"`
	PersonalSource PersonalSource `json:"personal_source,omitempty"`
	// Blocked: the person takes no messages from the account any more.
	Blocked bool `json:"blocked,omitempty"`

	Unread int `json:"unread,omitempty"`
	// WaitingSince is when the customer wrote last, when nobody answered since.
	WaitingSince time.Time `json:"waiting_since,omitzero"`
	// UnansweredSince is when the first of the messages came that nobody answered.
	UnansweredSince time.Time `json:"unanswered_since,omitzero"`
	// NotifyAt is when people are told that the customer waits, by the organization's hours;
	// zero: not worked out yet.
	NotifyAt time.Time `json:"tell_at,omitzero"`
	// WaitingNotified: people were told that this customer waits.
	WaitingNotified bool      `json:"waiting_told,omitempty"`
	LastInAt        time.Time `json:"last_in_at,omitzero"` // when the customer wrote last, for the reply window
	LastAt          time.Time `json:"last_at,omitzero"`    // of the last message
	LastID          string    `json:"last,omitempty"`
	LastSeq         int64     `json:"last_seq,omitempty"` // the highest of its messages
	// ArrivedSeq is the highest of the messages that the network told, ArrivedAt that one's place.
	ArrivedSeq int64     `json:"arrived_seq,omitempty"`
	ArrivedAt  time.Time `json:"arrived_at,omitzero"`
	HasFiles   bool      `json:"has_files,omitempty"`
	// PlatformRead is up to where the network was told that the account has read.
	PlatformRead   int64     `json:"platform_read,omitempty"`
	PlatformReadAt time.Time `json:"platform_read_at,omitzero"`

	AssignedTo string    `json:"assigned_to,omitempty"`
	HandoffID  string    `json:"handoff,omitempty"` // the open one
	DoneAt     time.Time `json:"done_at,omitzero"`

	Stage       string `json:"stage,omitempty"`
	LeadQuality string `json:"lead_quality,omitempty"`

	// Imported: it is known only from the history of the account.
	Imported  bool      `json:"imported,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Name is what people call the other side.
func (c *Conversation) Name() string {
	name := strings.TrimSpace(c.Person.FirstName + " " + c.Person.LastName)
	switch {
	case name != "":
		return name
	case c.Person.Username != "":
		return "@" + c.Person.Username
	}
	return c.Person.ID
}

// The values of the facet flags.
const (
	flagUnread   = "unread"
	flagWaiting  = "waiting"
	flagFiles    = "files"
	flagPersonal = "personal"
	flagOpen     = "open" // not personal
	flagHandoff  = "handoff"
	flagDone     = "done"
	nobody       = "none" // of the facet of assigned people
)

var (
	conversations = store.NewTable("conversation", "cnv", func(c *Conversation) string { return c.ID })

	byPerson = conversations.Unique("person", func(c *Conversation) store.Key { return personKey(c.Channel, c.Owner, c.Person.ID) })
	// byRecent, byUnread and byWaiting are the orders of the list: the last message, unread
	// ones first, those that wait the longest first.
	byRecent    = conversations.Index("recent", func(c *Conversation) store.Key { return store.Time(c.LastAt) })
	byUnread    = conversations.Index("unread", func(c *Conversation) store.Key { return store.Tuple(store.Bool(c.Unread > 0), store.Time(c.LastAt)) })
	byWaiting   = conversations.Index("waiting", waitingKey)
	byRecipient = conversations.Multi("recipient", func(c *Conversation) []store.Key { return oneKey(c.RecipientID) })
	byName      = conversations.Multi("name", nameKeys)
	byWho       = conversations.Multi("who", whoKeys)
	// whoCount counts them: to most new recipients nobody wrote yet.
	whoCount = conversations.Tally("who", whoValues)
	// byOwner are the conversations of an account as its network knows it, by which account of
	// the organization that is.
	byOwner = conversations.Index("owner", func(c *Conversation) store.Key { return ownerKey(c.Channel, c.Owner, c.AccountID) })
	// unnotified are those that wait and of whom people were not told yet, for all organizations,
	// by when they are told.
	unnotified = conversations.MultiAcross("untold", func(c *Conversation) []store.Key {
		if c.WaitingSince.IsZero() || c.WaitingNotified || c.Personal || c.AIState == Stopped { // nobody may answer a stop
			return nil
		}
		return []store.Key{store.Time(c.tellAt())}
	}).Version(3)

	channelFacet  = conversations.Facet("channel", func(c *Conversation) []string { return []string{string(c.Channel)} })
	accountFacet  = conversations.Facet("account", func(c *Conversation) []string { return []string{c.AccountID} })
	stateFacet    = conversations.Facet("ai_state", func(c *Conversation) []string { return []string{string(c.AIState)} })
	flagFacet     = conversations.Facet("flag", flagsOf)
	assignedFacet = conversations.Facet("assigned", func(c *Conversation) []string {
		if c.AssignedTo == "" {
			return []string{nobody}
		}
		return []string{c.AssignedTo}
	})
	stageFacet   = conversations.Facet("stage", func(c *Conversation) []string { return present(c.Stage) })
	qualityFacet = conversations.Facet("quality", func(c *Conversation) []string { return present(c.LeadQuality) })
)

// Tables are what a store that holds conversations is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{conversations, messages} }

func personKey(name channel.Name, owner, person string) store.Key {
	return store.Tuple(store.Text(string(name)), store.Text(owner), store.Text(person))
}

// ownerKey without an account holds those of all accounts that were the same one to the network.
func ownerKey(name channel.Name, owner string, account ...string) store.Key {
	parts := []store.Key{store.Text(string(name)), store.Text(owner)}
	for _, id := range account {
		parts = append(parts, store.Text(id))
	}
	return store.Tuple(parts...)
}

// waitingKey sorts who waits before the others: the longest first, then the others by
// their last message.
func waitingKey(c *Conversation) store.Key {
	if c.WaitingSince.IsZero() {
		return store.Tuple(store.Int(1), store.Int(-c.LastAt.UnixMicro()))
	}
	return store.Tuple(store.Int(0), store.Time(c.WaitingSince))
}

func flagsOf(c *Conversation) (out []string) {
	add := func(holds bool, flag string) {
		if holds {
			out = append(out, flag)
		}
	}
	add(c.Unread > 0, flagUnread)
	add(!c.WaitingSince.IsZero(), flagWaiting)
	add(c.HasFiles, flagFiles)
	add(c.Personal, flagPersonal)
	add(!c.Personal, flagOpen)
	add(c.HandoffID != "", flagHandoff)
	add(!c.DoneAt.IsZero(), flagDone)
	return out
}

// nameKeys are the words of the person's name and the username: a search finds the
// beginning of any of them, in either script.
func nameKeys(c *Conversation) (out []store.Key) {
	seen := map[string]bool{}
	add := func(word string) {
		if word = cutTo(word, maxWord); word != "" && !seen[word] && len(out) < maxWords {
			seen[word] = true
			out = append(out, store.Text(word))
		}
	}
	add(strings.ToLower(c.Person.Username))
	for _, name := range []string{c.Person.FirstName, c.Person.LastName} {
		for _, word := range geotext.Tokens(name) {
			add(word)
		}
	}
	return out
}

// Bounds of what a search looks at.
const (
	maxWord  = 24 // bytes of a word
	maxWords = 8
)

func oneKey(s string) []store.Key {
	if s == "" {
		return nil
	}
	return []store.Key{store.Text(s)}
}

func present(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Get reads a conversation: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Conversation, error) { return conversations.Get(tx, org, id) }

// GetVisible is Get for somebody who asks: a personal chat is not found by those who may not
// manage accounts (contract 10.1).
func GetVisible(tx *store.Tx, c *api.Call, id string) (Conversation, error) {
	k, err := conversations.Get(tx, c.Org, id)
	if err == nil && k.Personal && !c.Caller.Perms.Has(perm.AccountsManage) {
		return Conversation{}, store.ErrNotFound
	}
	return k, err
}

// Of finds the conversation with a person, or answers store.ErrNotFound.
func Of(tx *store.Tx, org string, name channel.Name, owner, person string) (Conversation, error) {
	return byPerson.Find(tx, org, personKey(name, owner, person))
}

// ofOnePerson bounds the conversations of one recipient that a change touches: one for each
// account that knows them.
const ofOnePerson = 200

// OnOptOut has f called, in the transaction of the opt-out, for every conversation with a person
// who opts out.
func OnOptOut(b *signal.Bus, f func(tx *store.Tx, org, conversation string) error) {
	signal.On(b, func(tx *store.Tx, c *api.Call, x recipient.OptedOut) error {
		if x.ID == "" {
			return nil
		}
		list, err := OfRecipient(tx, c.Org, x.ID, ofOnePerson)
		for i := range list {
			if err == nil {
				err = f(tx, c.Org, list[i].ID)
			}
		}
		return err
	})
}

// OfRecipient are the conversations with a recipient, at most limit.
func OfRecipient(tx *store.Tx, org, recipient string, limit int) ([]Conversation, error) {
	list, _, err := byRecipient.Walk(tx, org, store.Range{Span: store.Is(store.Text(recipient)), Limit: limit})
	return list, err
}
