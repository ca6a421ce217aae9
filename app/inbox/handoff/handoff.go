// Package handoff keeps the requests that a person answers a conversation: who has one, and
// how it ended.
//
// It promises that a conversation has one open handoff at most, that each change is
// announced, and that resolving one does not hand the conversation back to the AI (contract
// 60.19). It refuses to decide when one is needed, and to change who answers: package
// conversation does.
package handoff

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/store"
)

// Trigger says why a person is needed.
type Trigger string

// The triggers (contract 13).
const (
	HumanRequested    Trigger = "HUMAN_REQUESTED"
	LowConfidence     Trigger = "LOW_CONFIDENCE"
	Complaint         Trigger = "COMPLAINT"
	SensitiveTopic    Trigger = "SENSITIVE_TOPIC"
	PricingException  Trigger = "PRICING_EXCEPTION"
	HighValueLead     Trigger = "HIGH_VALUE_LEAD"
	PolicyUncertainty Trigger = "POLICY_UNCERTAINTY"
	CalendarAmbiguity Trigger = "CALENDAR_AMBIGUITY"
	RepeatedFailures  Trigger = "REPEATED_FAILURES"
	Custom            Trigger = "CUSTOM"
	Manual            Trigger = "MANUAL"
)

// Priority says how pressing a handoff is.
type Priority string

// The priorities.
const (
	Normal Priority = "NORMAL"
	High   Priority = "HIGH"
)

// Handoff is one request as it is kept.
type Handoff struct {
	ID           string    `json:"id"`
	Conversation string    `json:"conversation"`
	Trigger      Trigger   `json:"trigger"`
	Priority     Priority  `json:"priority"`
	AssignedTo   string    `json:"assigned_to,omitempty"`
	Resolved     bool      `json:"resolved,omitempty"`
	ResolvedAt   time.Time `json:"resolved_at,omitzero"`
	ResolvedBy   string    `json:"resolved_by,omitempty"`
	// Doubt is the message of the customer that may ask to stop, "" where that is no question.
	Doubt string `json:"doubt,omitempty"`
	// Personal is that of its conversation.
	Personal  bool         `json:"personal,omitempty"`
	CreatedAt time.Time    `json:"created_at"`
	Words     store.Sealed `json:"words,omitzero"`
}

// Words are what people and the AI wrote about a handoff, sealed.
type Words struct {
	Reason  string `json:"reason,omitempty"`
	Summary string `json:"summary,omitempty"`
	Note    string `json:"note,omitempty"` // how it was resolved
}

var (
	handoffs = store.NewTable("handoff", "hnd", func(h *Handoff) string { return h.ID })
	words    = handoffs.Sealed("words", func(h *Handoff) *store.Sealed { return &h.Words })

	byConversation = handoffs.Multi("conversation", func(h *Handoff) []store.Key { return []store.Key{store.Text(h.Conversation)} })
	stateFacet     = handoffs.Facet("state", func(h *Handoff) []string {
		if h.Resolved {
			return []string{resolved}
		}
		return []string{open}
	})
	assignedFacet = handoffs.Facet("assigned", func(h *Handoff) []string {
		if h.AssignedTo == "" {
			return []string{conversation.Nobody}
		}
		return []string{h.AssignedTo}
	})
	personalFacet = handoffs.Facet("personal", func(h *Handoff) []string {
		if h.Personal {
			return []string{"yes"}
		}
		return nil
	})
)

const (
	open     = "open"
	resolved = "resolved"
)

// The notifications of handoffs (contract 9.1).
const (
	created  notify.Kind = "HANDOFF_CREATED"
	assigned notify.Kind = "HANDOFF_ASSIGNED"
)

// Tables are what a store that holds handoffs is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{handoffs} }

// ErrResolved refuses changes of a handoff that was resolved (contract 18).
var ErrResolved = &api.Error{Kind: api.Conflict, Code: "handoff_resolved", Message: "This handoff was resolved already; load it again."}

// Get reads a handoff: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Handoff, error) { return handoffs.Get(tx, org, id) }

// Many reads handoffs in the order of their ids; nil stands for one that is not there, "" among
// them.
func Many(tx *store.Tx, org string, ids []string) ([]*Handoff, error) {
	return handoffs.GetMany(tx, org, ids)
}

// Open reads what was written about a handoff.
func (h *Handoff) Open(db *store.DB, org string) (w Words, err error) {
	err = words.OpenJSON(db, org, h, &w)
	return w, err
}

func (h *Handoff) seal(tx *store.Tx, org string, w Words) error {
	return words.SetJSON(tx, org, h, w)
}

// New is what a handoff begins with.
type New struct {
	Trigger    Trigger
	Priority   Priority // "" is Normal
	AssignedTo string   // "" for nobody yet
	// Doubt is the message of the customer that may ask to stop: a person decides that.
	Doubt string
	// Notify are the people who are told of one that nobody has yet; none: everybody who may
	// answer.
	Notify []string
	Words
}

// Asked is published when a person asked for a handoff themselves.
type Asked struct {
	Org, Account string
	Trigger      Trigger
	Personal     bool
}

// Ended is published when a person resolved a handoff.
type Ended struct{ Org, By string }

// Create opens a handoff of a conversation that has none open. The caller notes it in the
// conversation, with the AI state that follows. People are notified unless it is somebody's
// already.
func Create(tx *store.Tx, c *api.Call, org string, k *conversation.Conversation, n New) (Handoff, error) {
	h := Handoff{
		ID: tx.DB().NewID("hnd"), Conversation: k.ID, Trigger: n.Trigger, Priority: n.Priority, AssignedTo: n.AssignedTo, Doubt: n.Doubt, Personal: k.Personal,
		CreatedAt: tx.DB().Now(),
	}
	if h.Priority == "" {
		h.Priority = Normal
	}
	if err := h.seal(tx, org, n.Words); err != nil {
		return h, err
	}
	if err := handoffs.Insert(tx, org, &h); err != nil {
		return h, err
	}
	err := audit.WriteTo(tx, org, c, "handoff.created", h.resource(), audit.Changed("trigger", nil, h.Trigger), audit.Changed("assigned_user_id", nil, api.Optional(h.AssignedTo)))
	if err != nil {
		return h, err
	}
	err = conversation.Emit(tx, org, k, event.HandoffCreated, map[string]any{
		"handoff_id": h.ID, "channel": k.Channel, "trigger": h.Trigger, "assigned_user": userRef(h.AssignedTo),
	})
	if err != nil || h.AssignedTo != "" || k.Personal {
		return h, err
	}
	return h, tellNew(tx, org, k, n.Notify)
}

// tellNew notifies some people of a handoff that nobody has; none: everybody who may answer.
func tellNew(tx *store.Tx, org string, k *conversation.Conversation, people []string) error {
	if len(people) == 0 {
		people = []string{""}
	}
	for _, user := range people {
		err := notify.Send(tx, org, notify.Notice{
			Kind: created, Title: "A conversation needs a person", Body: "Nobody has it yet.", User: user,
			Resource: &notify.Resource{Type: "conversation", ID: k.ID}, Link: "/inbox/" + k.ID,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *Handoff) resource() audit.Resource { return audit.On("handoff", h.ID, "") }

func userRef(id string) any {
	if id == "" {
		return nil
	}
	return map[string]string{"id": id}
}

// Assign gives an open handoff to a person, or with "" to nobody. Whoever gets it from
// another hears of it.
func Assign(tx *store.Tx, c *api.Call, k *conversation.Conversation, h *Handoff, user string) error {
	switch {
	case h.Resolved:
		return ErrResolved
	case h.AssignedTo == user:
		return nil
	}
	was := h.AssignedTo
	h.AssignedTo = user
	if err := handoffs.Put(tx, c.Org, h); err != nil {
		return err
	}
	err := audit.Write(tx, c, "handoff.assigned", h.resource(), audit.Changed("assigned_user_id", api.Optional(was), api.Optional(user)))
	if err != nil {
		return err
	}
	if err := announce(tx, c.Org, k, h); err != nil || user == "" || user == c.Caller.ID {
		return err
	}
	return notify.Send(tx, c.Org, notify.Notice{
		Kind: assigned, Title: "A conversation was given to you", Body: "Answer the customer in the inbox.", User: user,
		Resource: &notify.Resource{Type: "conversation", ID: k.ID}, Link: "/inbox/" + k.ID,
	})
}

// announce tells of a handoff that changed.
func announce(tx *store.Tx, org string, k *conversation.Conversation, h *Handoff) error {
	return conversation.Emit(tx, org, k, event.HandoffUpdated, map[string]any{
		"handoff_id": h.ID, "assigned_user": userRef(h.AssignedTo), "resolved": h.Resolved,
	})
}

// Resolve ends a handoff. The AI state of its conversation stays.
func Resolve(tx *store.Tx, c *api.Call, k *conversation.Conversation, h *Handoff, note string) error {
	if h.Resolved {
		return ErrResolved
	}
	h.Resolved, h.ResolvedAt, h.ResolvedBy = true, tx.DB().Now(), c.Caller.ID
	w, err := h.Open(tx.DB(), c.Org)
	if err != nil {
		return err
	}
	w.Note = note
	if err := h.seal(tx, c.Org, w); err != nil {
		return err
	}
	if err := handoffs.Put(tx, c.Org, h); err != nil {
		return err
	}
	if k.HandoffID == h.ID {
		if err := conversation.SetHandoff(tx, c.Org, k, ""); err != nil {
			return err
		}
	}
	if err := audit.Write(tx, c, "handoff.resolved", h.resource()); err != nil {
		return err
	}
	for _, kind := range []notify.Kind{created, assigned} {
		if err := notify.SettleKind(tx, c.Org, kind, k.ID); err != nil {
			return err
		}
	}
	return announce(tx, c.Org, k, h)
}

// Filter narrows a list; zero fields do not, but Personal: without it there are none of
// personal chats.
type Filter struct {
	Resolved *bool
	Assigned string // a person, or conversation.Nobody
	Personal bool
}

// List reads a page of handoffs, newest first.
func List(tx *store.Tx, org string, f Filter, q store.Query[Handoff]) (store.Page[Handoff], error) {
	q.Reverse = true
	if !f.Personal {
		q.Where = append(q.Where, personalFacet.Any("yes").Not())
	}
	if f.Assigned != "" {
		q.Where = append(q.Where, assignedFacet.Any(f.Assigned))
	}
	switch {
	case f.Resolved == nil:
	case *f.Resolved:
		q.Where = append(q.Where, stateFacet.Any(resolved))
	default:
		q.Where = append(q.Where, stateFacet.Any(open))
	}
	return handoffs.Page(tx, org, q)
}

// mostOfOne bounds the handoffs of one conversation that one change touches.
const mostOfOne = 500

// SetPersonal notes on the handoffs of a conversation whether it is personal.
func SetPersonal(tx *store.Tx, org, conversationID string, personal bool) error {
	list, _, err := byConversation.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversationID)), Limit: mostOfOne})
	for i := range list {
		if err == nil && list[i].Personal != personal {
			list[i].Personal = personal
			err = handoffs.Put(tx, org, &list[i])
		}
	}
	return err
}
