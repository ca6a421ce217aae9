package inbox

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/reply"
	"svc/app/org"
	"svc/app/signal"
	"svc/store"
	"svc/store/coord"
)

// ReadOut is the answer of a conversation that was marked read.
type ReadOut struct {
	Unread int `json:"unread_count"`
}

func (s *Service) read(c *api.Call, in IDIn) (out ReadOut, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		k, err := find(tx, c, in.ID)
		if err != nil {
			return err
		}
		return conversation.Read(tx, c, &k)
	})
}

type takeoverIn struct {
	IDIn
	Body struct {
		Note *string `json:"note" maxLength:"1000" doc:"For colleagues; the customer never sees it."`
	}
}

// cancelAI takes back what the AI is about to send, which changes the conversation.
func (s *Service) cancelAI(tx *store.Tx, c *api.Call, k *conversation.Conversation) error {
	if err := s.o.Replies.CancelAI(tx, c, k); err != nil {
		return err
	}
	fresh, err := conversation.Get(tx, c.Org, k.ID)
	if err == nil {
		*k = fresh
	}
	return err
}

// takeover lets the caller answer in the AI's place: what the AI has queued is cancelled,
// and the open handoff is theirs, or a new one (contract 60.19).
func (s *Service) takeover(c *api.Call, in takeoverIn) (Conversation, error) {
	return s.change(c, in.ID, func(tx *store.Tx, k *conversation.Conversation) error {
		if k.AIState == conversation.Stopped {
			return api.ErrState
		}
		if err := s.cancelAI(tx, c, k); err != nil {
			return err
		}
		person := personOf(c)
		h, err := s.own(tx, c, k, person, orEmpty(in.Body.Note))
		if err != nil {
			return err
		}
		t := conversation.Transition{Event: conversation.TakenOver, Reason: "A person answers.", Handoff: h}
		err = conversation.Apply(tx, c, c.Org, k, t)
		if err == nil && person != "" {
			err = conversation.Assign(tx, c, k, person)
		}
		if err != nil {
			return err
		}
		return conversation.Read(tx, c, k)
	})
}

// personOf is the person who calls, "" for a key.
func personOf(c *api.Call) string {
	if c.Caller.Kind != api.Person {
		return ""
	}
	return c.Caller.ID
}

// own makes the open handoff of a conversation the caller's, or opens one.
func (s *Service) own(tx *store.Tx, c *api.Call, k *conversation.Conversation, person, note string) (id string, err error) {
	if k.HandoffID == "" {
		h, err := handoff.Create(tx, c, c.Org, k, handoff.New{
			Trigger: handoff.Manual, AssignedTo: person, Words: handoff.Words{Reason: "A person took the conversation over.", Summary: note},
		})
		if err != nil {
			return "", err
		}
		return h.ID, signal.Publish(s.o.Bus, tx, c, handoff.Asked{Org: c.Org, Account: k.AccountID, Trigger: h.Trigger, Personal: k.Personal})
	}
	h, err := handoff.Get(tx, c.Org, k.HandoffID)
	if err != nil || person == "" {
		return k.HandoffID, err
	}
	return h.ID, handoff.Assign(tx, c, k, &h, person)
}

type resumeIn struct {
	IDIn
	Body struct {
		Note *string `json:"handoff_resolution_note" maxLength:"1000"`
	}
}

func (s *Service) resume(c *api.Call, in resumeIn) (Conversation, error) {
	return s.change(c, in.ID, func(tx *store.Tx, k *conversation.Conversation) error {
		if k.AIState != conversation.PausedHandoff {
			return api.ErrState
		}
		if err := s.resolveOpen(tx, c, k, orEmpty(in.Body.Note)); err != nil {
			return err
		}
		return conversation.Apply(tx, c, c.Org, k, conversation.Transition{Event: conversation.Resumed})
	})
}

type stopIn struct {
	IDIn
	Body struct {
		Note *string `json:"handoff_resolution_note" maxLength:"1000"`
	}
}

// stop opts the customer out and stops the conversation, because a person read that they want
// no more messages. Who said so before stays opted out (contract 10.3).
func (s *Service) stop(c *api.Call, in stopIn) (Conversation, error) {
	return s.change(c, in.ID, func(tx *store.Tx, k *conversation.Conversation) error {
		if err := s.o.Replies.CancelAI(tx, c, k); err != nil {
			return err
		}
		fresh, err := conversation.Get(tx, c.Org, k.ID) // what was cancelled changed it
		if err != nil {
			return err
		}
		if err := s.resolveOpen(tx, c, &fresh, orEmpty(in.Body.Note)); err != nil {
			return err
		}
		if err := s.o.Replies.OptOut(tx, c, &fresh, reply.OptedOut{Reason: "A person read that the customer wants no more messages.", By: "PERSON"}); err != nil {
			return err
		}
		*k, err = conversation.Get(tx, c.Org, k.ID) // who listens changed it too
		return err
	})
}

// resolveOpen resolves the open handoff of a conversation, if it has one.
func (s *Service) resolveOpen(tx *store.Tx, c *api.Call, k *conversation.Conversation, note string) error {
	if k.HandoffID == "" {
		return nil
	}
	h, err := handoff.Get(tx, c.Org, k.HandoffID)
	if err != nil {
		return err
	}
	return s.resolve(tx, c, k, &h, note)
}

// resolve resolves a handoff and publishes that.
func (s *Service) resolve(tx *store.Tx, c *api.Call, k *conversation.Conversation, h *handoff.Handoff, note string) error {
	if err := handoff.Resolve(tx, c, k, h, note); err != nil || personOf(c) == "" || k.Personal {
		return err
	}
	return signal.Publish(s.o.Bus, tx, c, handoff.Ended{Org: c.Org, By: c.Caller.ID})
}

type personalIn struct {
	IDIn
	Body struct {
		Personal bool `json:"personal" required:"true"`
	}
}

func (s *Service) personal(c *api.Call, in personalIn) (Conversation, error) {
	return s.change(c, in.ID, func(tx *store.Tx, k *conversation.Conversation) error {
		return conversation.SetPersonal(tx, c, s.o.Bus, k, in.Body.Personal)
	})
}

type platformReadIn struct {
	IDIn
	Body struct {
		UpTo *string `json:"up_to_message_id" maxLength:"64" doc:"The last message that counts as read; the newest of the customer when left out."`
	}
}

// PlatformRead is the answer of a read receipt.
type PlatformRead struct {
	Already bool       `json:"already_read" doc:"The network was told before; nothing was sent now."`
	ReadAt  *time.Time `json:"read_at"`
}

// platformRead tells the network once that the customer's messages were read: a second call
// for the same messages sends nothing, also one that comes while the first is under way
// (contract 10.3).
func (s *Service) platformRead(c *api.Call, in platformReadIn) (out PlatformRead, err error) {
	k, upTo, err := s.readUpTo(c, in)
	if err != nil || upTo <= k.PlatformRead {
		return toldBefore(&k), err
	}
	unlock, err := coord.Of(s.db).Lock(c, "inbox/platform-read/"+k.ID)
	if err != nil {
		return out, err
	}
	defer unlock()
	if k, upTo, err = s.readUpTo(c, in); err != nil || upTo <= k.PlatformRead {
		return toldBefore(&k), err // while this call waited for the lock
	}
	if err := s.o.Networks.Of(k.Channel).MarkRead(c, c.Org, k.AccountID, k.Person, upTo); err != nil {
		return out, err
	}
	at := s.db.Now()
	return PlatformRead{ReadAt: &at}, s.noteRead(c, k.ID, upTo, at)
}

// toldBefore is the answer for messages of which the network was told.
func toldBefore(k *conversation.Conversation) PlatformRead {
	return PlatformRead{Already: true, ReadAt: api.Optional(k.PlatformReadAt)}
}

// readUpTo is a conversation that the caller may see, and up to where the network is to be told
// that its messages were read.
func (s *Service) readUpTo(c *api.Call, in platformReadIn) (k conversation.Conversation, upTo int64, err error) {
	err = s.db.View(c, func(tx *store.Tx) (err error) {
		if k, err = find(tx, c, in.ID); err != nil {
			return err
		}
		upTo, err = lastOf(tx, c.Org, &k, in.Body.UpTo)
		return err
	})
	return k, upTo, err
}

// noteRead notes that the network was told, also for a caller who is gone by now.
func (s *Service) noteRead(c *api.Call, id string, upTo int64, at time.Time) error {
	return s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error {
		k, err := conversation.Get(tx, c.Org, id)
		if err != nil || upTo <= k.PlatformRead {
			return err
		}
		if err := conversation.ReadOnPlatform(tx, c.Org, &k, upTo, at); err != nil {
			return err
		}
		return audit.Write(tx, c, "conversation.platform_read", k.Resource())
	})
}

// lastOf is up to where the network is told that messages were read.
func lastOf(tx *store.Tx, org string, k *conversation.Conversation, message *string) (int64, error) {
	if message != nil {
		m, err := conversation.GetMessage(tx, org, *message)
		if store.IsNotFound(err) || err == nil && (m.Conversation != k.ID || m.Direction != conversation.In) {
			return 0, api.Wrong("up_to_message_id", "there is no message %.64s of the customer in this conversation", *message)
		}
		return m.Seq(), err
	}
	return conversation.LastIn(tx, org, k.ID)
}

type listHandoffsIn struct {
	api.PageIn
	Resolved string `query:"resolved" enum:"true,false"`
	Assigned string `query:"assigned_user_id" maxLength:"64" doc:"A person, me or none."`
}

func (s *Service) listHandoffs(c *api.Call, in listHandoffsIn) (out api.Page[Handoff], err error) {
	f := handoff.Filter{Resolved: flag(in.Resolved), Assigned: in.Assigned, Personal: visible(c)}
	if in.Assigned == "me" {
		f.Assigned = c.Caller.ID
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := handoff.List(tx, c.Org, f, store.Query[handoff.Handoff]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(x *handoff.Handoff) (Handoff, error) { return showHandoff(tx, c.Org, x) })
		return err
	})
	return out, err
}

type changeHandoffIn struct {
	IDIn
	Body struct {
		AssignedUserID api.PatchNull[string] `json:"assigned_user_id" doc:"A member; null for nobody."`
		Resolved       api.Patch[bool]       `json:"resolved" doc:"true resolves it, for good; the AI stays paused."`
		Note           *string               `json:"resolution_note" maxLength:"1000"`
	}
}

func (s *Service) changeHandoff(c *api.Call, tx *store.Tx, in changeHandoffIn) (out Handoff, err error) {
	h, err := handoff.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	k, err := find(tx, c, h.Conversation)
	if err != nil {
		return out, err
	}
	if h.Resolved {
		return out, handoff.ErrResolved
	}
	if in.Body.AssignedUserID.Set {
		if err := s.assignHandoff(tx, c, &k, &h, orEmpty(in.Body.AssignedUserID.Value)); err != nil {
			return out, err
		}
	}
	if in.Body.Resolved.Set && in.Body.Resolved.Value {
		if err := s.resolve(tx, c, &k, &h, orEmpty(in.Body.Note)); err != nil {
			return out, err
		}
	}
	return showHandoff(tx, c.Org, &h)
}

func (s *Service) assignHandoff(tx *store.Tx, c *api.Call, k *conversation.Conversation, h *handoff.Handoff, user string) error {
	if err := mayAnswer(tx, c.Org, "assigned_user_id", user, k); err != nil {
		return err
	}
	if err := handoff.Assign(tx, c, k, h, user); err != nil {
		return err
	}
	return conversation.Assign(tx, c, k, user)
}

// mayAnswer refuses somebody to whom a conversation cannot be given: a stranger, and who may
// not answer it.
func mayAnswer(tx *store.Tx, orgID, field, user string, k *conversation.Conversation) error {
	if user == "" {
		return nil
	}
	m, err := org.MemberOf(tx, orgID, user)
	switch {
	case store.IsNotFound(err):
		return api.Wrong(field, "there is no member %.64s", user)
	case err != nil:
		return err
	case !answers(m.Role, k.Personal):
		return api.Wrong(field, "their role does not answer this conversation")
	}
	return nil
}
