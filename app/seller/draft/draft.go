// Package draft keeps the texts that the AI proposes and people send, and lets people decide
// on them.
//
// It promises that a conversation has one draft at most that waits; that its status changes
// in one place, with its event; that what was proposed and what was sent are both kept,
// sealed; and that an approved draft passes the gate of every reply (contract 13.1). It
// refuses to decide when something is proposed: package turn does.
package draft

import (
	"errors"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/app/seller/figure"
	"svc/store"
	"svc/store/queue"
)

// Kind says what a person is to do with it.
type Kind string

// The kinds.
const (
	// ForSending waits for a person's decision.
	ForSending Kind = "DRAFT"
	// Recommendation helps a person who answers.
	Recommendation Kind = "RECOMMENDATION"
)

// Status is where a draft is.
type Status string

// The statuses (contract 60.27).
const (
	Waiting    Status = "PENDING"
	Approved   Status = "APPROVED"
	Discarded  Status = "DISCARDED"
	Superseded Status = "SUPERSEDED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Waiting, Approved, Discarded, Superseded} }

// Event is what happens to a draft.
type Event string

// The events.
const (
	WasApproved  Event = "approved by a person"
	WasDiscarded Event = "discarded by a person"
	RanOut       Event = "its time passed"
	Overtaken    Event = "another turn"
	LostObject   Event = "nobody may be answered any more"
)

// Events lists them.
func Events() []Event { return []Event{WasApproved, WasDiscarded, RanOut, Overtaken, LostObject} }

// life is that of a draft (contract 60.27).
var life = api.Table[Status, Event]{
	{From: []Status{Waiting}, On: WasApproved, To: Approved},
	{From: []Status{Waiting}, On: WasDiscarded, To: Discarded},
	{From: []Status{Waiting}, On: RanOut, To: Discarded},
	{From: []Status{Waiting}, On: LostObject, To: Discarded},
	{From: []Status{Waiting}, On: Overtaken, To: Superseded},
}

// Draft is one draft as it is kept.
type Draft struct {
	ID           string `json:"id"`
	Conversation string `json:"conversation"`
	Business     string `json:"business,omitempty"`
	Account      string `json:"account"`
	Kind         Kind   `json:"kind"`
	Status       Status `json:"status"`
	Language     string `json:"language,omitempty"`
	Execution    string `json:"execution,omitempty"`
	// Demo: the demo model wrote it.
	Demo bool `json:"demo,omitempty"`
	// PromptVersion is that of the prompt that wrote it, "" for the default.
	PromptVersion string   `json:"prompt_version,omitempty"`
	Reasons       []string `json:"reasons,omitempty"`
	Files         []string `json:"files,omitempty"` // uploads of the conversation
	// AnswersSeq is the last message of the customer that it answers.
	AnswersSeq int64     `json:"answers_seq,omitempty"`
	Message    string    `json:"message,omitempty"` // that it became
	Edited     bool      `json:"edited,omitempty"`
	Expired    bool      `json:"expired,omitempty"`
	DecidedBy  string    `json:"decided_by,omitempty"` // a person
	DecidedAt  time.Time `json:"decided_at,omitzero"`
	ExpiresAt  time.Time `json:"expires_at,omitzero"`
	Job        string    `json:"job,omitempty"` // that discards it then
	CreatedAt  time.Time `json:"created_at"`
	// Purged: its words were removed because the organization keeps texts for a time only.
	Purged bool         `json:"purged,omitempty"`
	Words  store.Sealed `json:"words,omitzero"`
}

// Words are what is sealed of a draft.
type Words struct {
	Proposed string `json:"proposed,omitempty"`
	Sent     string `json:"sent,omitempty"`
	Reason   string `json:"reason,omitempty"` // why a person discarded it
}

var (
	drafts = store.NewTable("seller_draft", "drf", func(d *Draft) string { return d.ID })
	words  = drafts.Sealed("words", func(d *Draft) *store.Sealed { return &d.Words })

	pendingOf = drafts.Unique("pending", func(d *Draft) store.Key {
		if d.Status != Waiting {
			return nil
		}
		return store.Text(d.Conversation)
	})
	// pending counts those that wait for a person.
	pending = drafts.Tally("pending", func(d *Draft) []string {
		if d.Status != Waiting || d.Kind != ForSending {
			return nil
		}
		return []string{"all"}
	})
	// kept are those that have words, by when they were made, for retention.
	kept = drafts.Multi("kept", func(d *Draft) []store.Key {
		if d.Purged || d.Status == Waiting {
			return nil
		}
		return []store.Key{store.Time(d.CreatedAt)}
	})
)

// Tables are what a store that holds drafts is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{drafts} }

// Get reads a draft: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Draft, error) { return drafts.Get(tx, org, id) }

// Open reads what a draft says.
func (d *Draft) Open(db *store.DB, org string) (w Words, err error) {
	err = words.OpenJSON(db, org, d, &w)
	return w, err
}

func (d *Draft) seal(tx *store.Tx, org string, w Words) error {
	return words.SetJSON(tx, org, d, w)
}

func (d *Draft) resource() audit.Resource { return audit.On("draft", d.ID, "") }

// over says whether the time of a draft has passed.
func (d *Draft) over(now time.Time) bool { return !d.ExpiresAt.IsZero() && !now.Before(d.ExpiresAt) }

// Pending is the draft of a conversation that waits for a person; store.ErrNotFound when
// there is none.
func Pending(tx *store.Tx, org, conversation string) (Draft, error) {
	d, err := pendingOf.Find(tx, org, store.Text(conversation))
	if err == nil && d.over(tx.DB().Now()) {
		return Draft{}, store.ErrNotFound
	}
	return d, err
}

// Count is how many drafts wait for a person. Recommendations wait for nobody.
func Count(tx *store.Tx, org string) (int, error) { return pending.Count(tx, org, "all") }

// New is what a draft begins with.
type New struct {
	Kind          Kind
	Text          string
	Language      string
	Business      string
	Execution     string
	Demo          bool // the demo model wrote it
	PromptVersion string
	// Reasons say why the AI does not send it: codes or short sentences, never a customer's
	// words.
	Reasons []string
	// Files are uploads of the conversation.
	Files []string
	// ExpiresAt is the end of the reply window; zero: in 24 hours.
	ExpiresAt time.Time
	// AnswersSeq is the last message of the customer that it answers.
	AnswersSeq int64
}

// life of a draft that answers no window.
const usualLife = 24 * time.Hour

// Bounds of a draft.
const (
	maxReasons = 20
	maxReason  = 300 // bytes
)

// Propose keeps a text of the AI for a person. The draft that waits is superseded.
func Propose(tx *store.Tx, org string, k *conversation.Conversation, n New) (Draft, error) {
	if err := Supersede(tx, org, k.ID); err != nil {
		return Draft{}, err
	}
	now := tx.DB().Now()
	d := Draft{
		ID: tx.DB().NewID("drf"), Conversation: k.ID, Business: n.Business, Account: k.AccountID, Kind: n.Kind, Status: Waiting, Language: n.Language,
		Execution: n.Execution, Demo: n.Demo, PromptVersion: n.PromptVersion, Reasons: bounded(n.Reasons), Files: n.Files, AnswersSeq: n.AnswersSeq,
		ExpiresAt: n.ExpiresAt.UTC(), CreatedAt: now,
	}
	if n.ExpiresAt.IsZero() {
		d.ExpiresAt = now.Add(usualLife)
	}
	if err := d.seal(tx, org, Words{Proposed: n.Text}); err != nil {
		return d, err
	}
	job, err := queue.Add(tx, expire{Org: org, Draft: d.ID}, d.ExpiresAt, queue.For(org, d.ID))
	if err != nil {
		return d, err
	}
	d.Job = job
	if err := drafts.Insert(tx, org, &d); err != nil {
		return d, err
	}
	if err := d.count(tx, org, ""); err != nil {
		return d, err
	}
	err = conversation.Emit(tx, org, k, event.ReplyDrafted, map[string]any{"draft_id": d.ID, "kind": d.Kind, "execution_id": api.Optional(d.Execution)})
	if err != nil || d.Kind != ForSending {
		return d, err
	}
	return d, notify.Send(tx, org, notify.Notice{
		Kind: "DRAFT_WAITING", Title: "A reply waits for you", Body: "The AI wrote a draft; send it, change it or set it aside.",
		Resource: &notify.Resource{Type: "conversation", ID: k.ID}, Link: "/inbox/" + k.ID,
	})
}

func bounded(reasons []string) []string {
	out := make([]string, 0, min(len(reasons), maxReasons))
	for _, r := range reasons[:min(len(reasons), maxReasons)] {
		out = append(out, strings.ToValidUTF8(r[:min(len(r), maxReason)], ""))
	}
	return out
}

// Supersede ends the draft that waits in a conversation, if there is one, because another
// turn began.
func Supersede(tx *store.Tx, org, conversation string) error {
	return settlePending(tx, org, conversation, Overtaken)
}

// Withdraw ends the draft that waits in a conversation, if there is one, because nobody may
// be answered there any more: the customer opted out, or the chat is personal.
func Withdraw(tx *store.Tx, org, conversation string) error {
	return settlePending(tx, org, conversation, LostObject)
}

func settlePending(tx *store.Tx, org, id string, e Event) error {
	d, err := pendingOf.Find(tx, org, store.Text(id))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	k, err := conversation.Get(tx, org, id)
	if err != nil {
		return err
	}
	return apply(tx, org, &k, &d, e)
}

// apply changes the status of a draft, with its event, and saves it. Nobody else sets one.
// What the table does not have is ErrNotPending.
func apply(tx *store.Tx, org string, k *conversation.Conversation, d *Draft, e Event) error {
	to, ok := life.Next(d.Status, e)
	if !ok {
		return ErrNotPending
	}
	if e != RanOut {
		if err := queue.Discard(tx, d.Job); store.IgnoreNotFound(err) != nil && !errors.Is(err, queue.ErrActive) {
			return err
		}
	}
	d.Status, d.Expired, d.DecidedAt = to, e == RanOut, tx.DB().Now()
	if err := drafts.Put(tx, org, d); err != nil {
		return err
	}
	if err := d.count(tx, org, e); err != nil {
		return err
	}
	return conversation.Emit(tx, org, k, event.DraftUpdated, map[string]any{
		"draft_id": d.ID, "status": d.Status, "message_id": api.Optional(d.Message),
	})
}

// count adds what happened to a draft to the figures; "" is that it was made.
// Recommendations are not counted.
func (d *Draft) count(tx *store.Tx, org string, e Event) error {
	f := figure.Draft{Place: figure.Place{Business: d.Business, Account: d.Account}, PromptVersion: d.PromptVersion}
	switch {
	case d.Kind != ForSending || e == Overtaken:
		return nil
	case e == "":
		f.Created = 1
	case e == WasApproved:
		f.Approved, f.ByPerson = 1, true
		if d.Edited {
			f.Edited = 1
		}
	default:
		f.Discarded, f.ByPerson = 1, e == WasDiscarded
	}
	return figure.Drafted(tx, org, &f)
}

// ErrNotPending refuses decisions on a draft that has one (contract 18).
var ErrNotPending = &api.Error{
	Kind: api.Conflict, Code: "draft_not_pending", Message: "Somebody decided on this draft already, its time passed, or a newer one took its place; load the conversation again.",
}

// Purge removes the words of up to limit drafts from before a time, the oldest first, and
// says how many there were.
func Purge(tx *store.Tx, org string, before time.Time, limit int) (int, error) {
	list, _, err := kept.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(before)), Limit: limit})
	for i := range list {
		if err == nil {
			list[i].Purged = true
			err = errors.Join(words.Set(tx, org, &list[i], nil), drafts.Put(tx, org, &list[i]))
		}
	}
	return len(list), err
}
