package draft

import (
	"strings"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/inbox"
	"svc/app/inbox/conversation"
	"svc/app/inbox/reply"
	"svc/app/signal"
	"svc/store"
)

// Service does the operations.
type Service struct {
	db      *store.DB
	replies *reply.Service
	bus     *signal.Bus
}

// NewService makes the service, which publishes Decided.
func NewService(db *store.DB, replies *reply.Service, bus *signal.Bus) *Service {
	return &Service{db, replies, bus}
}

// Decided is published when a person sent or discarded a draft.
type Decided struct {
	Org      string
	Draft    Draft
	Proposed string
	Sent     string // "" for one that was discarded
}

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/conversations/{id}/drafts/{draft}/approve", "drafts.approve", perm.AIOperate, "Send a draft of the AI, as it is or changed.", api.Write(s.db, s.approve),
			api.Errors(append(reply.Refusals(), ErrNotPending)...)),
		api.E("POST /ai/conversations/{id}/drafts/{draft}/discard", "drafts.discard", perm.AIOperate, "Set a draft of the AI aside.", api.Write(s.db, s.discard), api.Errors(ErrNotPending)),
	}
}

// PathIn is the path of one draft. It is exported because huma reads no others that are
// embedded.
type PathIn struct {
	ID    string `path:"id" maxLength:"64"`
	Draft string `path:"draft" maxLength:"64"`
}

// find reads a draft of a conversation that the caller may see.
func (in *PathIn) find(tx *store.Tx, c *api.Call) (k conversation.Conversation, d Draft, err error) {
	if k, err = conversation.GetVisible(tx, c, in.ID); err != nil {
		return k, d, err
	}
	if d, err = drafts.Get(tx, c.Org, in.Draft); err == nil && d.Conversation != k.ID {
		err = store.ErrNotFound
	}
	return k, d, err
}

type approveIn struct {
	PathIn
	Body struct {
		Text *string `json:"text" maxLength:"16384" doc:"What to send in its place; as it was proposed when left out." example:"Salom! Ha, bor."`
	}
}

// text is what the caller sends instead of what was proposed, or that.
func (in *approveIn) text(proposed string) string {
	if in.Body.Text == nil {
		return proposed
	}
	return strings.TrimSpace(*in.Body.Text)
}

// approve sends a draft as the answer of the AI that the caller chose. The gate is asked as
// for every reply; that the customer wrote again does not matter, because somebody has read
// it.
func (s *Service) approve(c *api.Call, tx *store.Tx, in approveIn) (out inbox.Draft, err error) {
	k, d, err := in.find(tx, c)
	if err != nil {
		return out, err
	}
	if err := s.mayDecide(tx, c, &k, &d); err != nil {
		return out, err
	}
	w, err := d.Open(tx.DB(), c.Org)
	if err != nil {
		return out, err
	}
	w.Sent = in.text(w.Proposed)
	m, err := s.replies.Queue(tx, c, &k, reply.Words{Text: w.Sent, Uploads: d.Files, Draft: &reply.Draft{ID: d.ID, Execution: d.Execution, Demo: d.Demo}})
	if err != nil {
		return out, err
	}
	d.Message, d.Edited, d.DecidedBy = m.ID, w.Sent != w.Proposed, person(c)
	if err := d.seal(tx, c.Org, w); err != nil {
		return out, err
	}
	return s.settle(tx, c, &k, &d, WasApproved, "draft.approved", w, audit.Changed("edited", nil, d.Edited))
}

// mayDecide refuses what was decided. A draft whose time passed with the reply window is
// refused for what the gate says.
func (s *Service) mayDecide(tx *store.Tx, c *api.Call, k *conversation.Conversation, d *Draft) error {
	ranOut := d.Expired || d.Status == Waiting && d.over(tx.DB().Now())
	if d.Status == Waiting && !ranOut {
		return nil
	}
	if ranOut {
		if v, err := s.replies.Gate(tx, c.Org, k); err != nil {
			return err
		} else if !v.Allowed {
			return v.Refusal()
		}
	}
	return ErrNotPending
}

// person is the id of a person who calls, "" for a key.
func person(c *api.Call) string {
	if c.Caller.Kind != api.Person {
		return ""
	}
	return c.Caller.ID
}

// settle notes what a person decided, and shows the draft.
func (s *Service) settle(tx *store.Tx, c *api.Call, k *conversation.Conversation, d *Draft, e Event, action string, w Words, more ...audit.Detail) (inbox.Draft, error) {
	if err := apply(tx, c.Org, k, d, e); err != nil {
		return inbox.Draft{}, err
	}
	if err := audit.Write(tx, c, action, d.resource(), more...); err != nil {
		return inbox.Draft{}, err
	}
	if err := signal.Publish(s.bus, tx, c, Decided{c.Org, *d, w.Proposed, w.Sent}); err != nil {
		return inbox.Draft{}, err
	}
	return show(tx, c.Org, d)
}

type discardIn struct {
	PathIn
	Body struct {
		Reason *string `json:"reason" maxLength:"1000" doc:"For colleagues and for who improves the AI; the customer never sees it."`
	}
}

func (s *Service) discard(c *api.Call, tx *store.Tx, in discardIn) (out inbox.Draft, err error) {
	k, d, err := in.find(tx, c)
	if err != nil {
		return out, err
	}
	if d.Status != Waiting || d.over(tx.DB().Now()) {
		return out, ErrNotPending
	}
	w, err := d.Open(tx.DB(), c.Org)
	if err != nil {
		return out, err
	}
	if in.Body.Reason != nil {
		w.Reason = strings.TrimSpace(*in.Body.Reason)
		if err := d.seal(tx, c.Org, w); err != nil {
			return out, err
		}
	}
	d.DecidedBy = person(c)
	out, err = s.settle(tx, c, &k, &d, WasDiscarded, "draft.discarded", w)
	return out, err
}

// show makes the answer for a draft.
func show(tx *store.Tx, org string, d *Draft) (inbox.Draft, error) {
	w, err := d.Open(tx.DB(), org)
	out := inbox.Draft{
		ID: d.ID, ConversationID: d.Conversation, Kind: string(d.Kind), Text: api.Optional(w.Proposed), SentText: api.Optional(w.Sent),
		Language: api.Optional(d.Language), Files: list(d.Files), Status: string(d.Status), ExecutionID: api.Optional(d.Execution), Demo: d.Demo, Reasons: list(d.Reasons),
		MessageID: api.Optional(d.Message), DecidedBy: api.Ref(org, d.DecidedBy), DiscardReason: api.Optional(w.Reason),
		ExpiresAt: api.Optional(d.ExpiresAt), CreatedAt: d.CreatedAt,
	}
	if d.Status != Waiting {
		out.DecidedAt = api.Optional(d.DecidedAt)
	}
	return out, err
}

func list(of []string) []string { return append([]string{}, of...) }

// Shown are the drafts that wait in conversations, for the inbox.
func Shown(tx *store.Tx, org string, conversations []string) (map[string]inbox.Draft, error) {
	out := map[string]inbox.Draft{}
	for _, id := range conversations {
		d, err := Pending(tx, org, id)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if out[id], err = show(tx, org, &d); err != nil {
			return nil, err
		}
	}
	return out, nil
}
