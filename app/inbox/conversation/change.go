package conversation

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/signal"
	"svc/store"
)

// SetPersonal makes a chat personal, or not, because a person said so (contract 10.3).
func SetPersonal(tx *store.Tx, c *api.Call, bus *signal.Bus, k *Conversation, personal bool) error {
	if k.Personal == personal && k.PersonalSource == ByOwner {
		return nil
	}
	was := k.Personal
	k.Personal, k.PersonalSource, k.UpdatedAt = personal, ByOwner, tx.DB().Now()
	if err := Turn(tx, c, bus, c.Org, k); err != nil {
		return err
	}
	return audit.Write(tx, c, "conversation.personal_changed", k.Resource(), audit.Changed("personal", was, personal))
}

// Turn saves a chat that is personal from now on, or not any more, and publishes that. Who listens
// may change it: k is as it is then.
func Turn(tx *store.Tx, c *api.Call, bus *signal.Bus, org string, k *Conversation) (err error) {
	if err := conversations.Put(tx, org, k); err != nil {
		return err
	}
	if k.Personal {
		err = signal.Publish(bus, tx, c, BecamePersonal{Org: org, Conversation: k.ID})
	} else {
		err = signal.Publish(bus, tx, c, PersonalEnded{Org: org, Conversation: k.ID})
	}
	if err != nil {
		return err
	}
	*k, err = conversations.Get(tx, org, k.ID)
	return err
}

// Assign gives a conversation to a person, or with "" to nobody.
func Assign(tx *store.Tx, c *api.Call, k *Conversation, user string) error {
	if k.AssignedTo == user {
		return nil
	}
	was := k.AssignedTo
	k.AssignedTo, k.UpdatedAt = user, tx.DB().Now()
	if err := conversations.Put(tx, c.Org, k); err != nil {
		return err
	}
	err := audit.Write(tx, c, "conversation.assigned", k.Resource(), audit.Changed("assigned_user_id", api.Optional(was), api.Optional(user)))
	if err != nil {
		return err
	}
	return emit(tx, c.Org, k, event.ConversationAssigned, map[string]any{"by": by(c), "assigned_user": userRef(user)})
}

// userRef is a person in an event: the id alone.
func userRef(id string) any {
	if id == "" {
		return nil
	}
	return map[string]string{"id": id}
}

// by is the person who does something, nil for a key and the service.
func by(c *api.Call) any {
	if c.Caller.Kind != api.Person {
		return nil
	}
	return map[string]string{"id": c.Caller.ID}
}

// By is the person who does something, for events: nil for a key and the service.
func By(c *api.Call) any { return by(c) }

// Done notes that nobody needs to answer: it is read and waits for nobody, until the
// customer writes again. The caller resolves its handoff.
func Done(tx *store.Tx, c *api.Call, k *Conversation) error {
	k.DoneAt, k.UpdatedAt = tx.DB().Now(), tx.DB().Now()
	notified := k.WaitingNotified
	k.answered()
	unread := k.Unread
	k.Unread = 0
	if err := putAnswered(tx, c.Org, k, notified); err != nil {
		return err
	}
	if err := audit.Write(tx, c, "conversation.done", k.Resource()); err != nil || unread == 0 {
		return err
	}
	return emitRead(tx, c.Org, k, c)
}

// SetHandoff notes which handoff of a conversation is open, "" for none. Package handoff
// calls it with every change of one.
func SetHandoff(tx *store.Tx, org string, k *Conversation, handoff string) error {
	if k.HandoffID == handoff {
		return nil
	}
	k.HandoffID, k.UpdatedAt = handoff, tx.DB().Now()
	return conversations.Put(tx, org, k)
}

// Unlink takes a recipient who was deleted out of up to limit conversations, which stay
// (contract 22), and names those.
func Unlink(tx *store.Tx, org, recipient string, limit int) (ids []string, err error) {
	list, err := OfRecipient(tx, org, recipient, limit)
	for i := range list {
		if err == nil {
			list[i].RecipientID = ""
			ids = append(ids, list[i].ID)
			err = conversations.Put(tx, org, &list[i])
		}
	}
	return ids, err
}

// Written is a message that somebody writes here.
type Written struct {
	ID          string // made before, so that its files know it; "" makes one
	Author      Author // Human or AI
	User        string // who wrote or approved it; "" for a key, and for the AI by itself
	Text        string
	Entities    []channel.Entity
	ReplyTo     string // id of the network
	Files       []File
	FileWords   map[string]FileWords
	ClientID    string
	Basis       string
	ExecutionID string
	DraftID     string
	Demo        bool // the demo model wrote it
	// AnswersSeq is up to which message of the customer it answers; 0 for one that no
	// later message makes wrong.
	AnswersSeq int64
	// Nth is that of the message (Message.Nth).
	Nth int
	// Notice: it answers nothing, so the customer goes on waiting.
	Notice bool
	// Anyway and BesideHandoff are those of the message (Message.Anyway).
	Anyway, BesideHandoff bool
}

// Write stores a message that waits to be sent: the customer waits for nobody any more, and
// what they wrote is read.
func Write(tx *store.Tx, c *api.Call, k *Conversation, w Written) (Message, error) {
	now := tx.DB().Now()
	m := Message{
		ID: firstOf(w.ID, tx.DB().NewID("msg")), Conversation: k.ID, Owner: k.Owner, Direction: Out, Author: w.Author, AuthorUser: w.User,
		Kind: Text, Status: Queued, SendBasis: w.Basis, ClientID: w.ClientID, ExecutionID: w.ExecutionID, DraftID: w.DraftID, Demo: w.Demo,
		AnswersSeq: w.AnswersSeq, Nth: w.Nth, Anyway: w.Anyway, BesideHandoff: w.BesideHandoff,
		ReplyTo: w.ReplyTo, Files: w.Files, At: now, CreatedAt: now, Answers: !w.Notice && !k.WaitingSince.IsZero(),
	}
	switch {
	case len(w.Files) > 1:
		m.Kind = Album
	case len(w.Files) == 1:
		m.Kind = Media
	}
	if err := m.seal(tx, c.Org, &Content{Text: w.Text, Entities: w.Entities, Files: w.FileWords}); err != nil {
		return m, err
	}
	k.place(&m)
	notified, before := k.WaitingNotified, *k
	k.arrived(&m, false, false)
	if w.Notice {
		k.WaitingSince, k.UnansweredSince, k.NotifyAt, k.WaitingNotified = before.WaitingSince, before.UnansweredSince, before.NotifyAt, before.WaitingNotified
		k.Unread, m.AnswersSince = before.Unread, time.Time{}
	}
	if err := messages.Insert(tx, c.Org, &m); err != nil {
		return m, err
	}
	if err := putAnswered(tx, c.Org, k, notified); err != nil {
		return m, err
	}
	return m, announce(tx, c.Org, k, &m, nil)
}

// PurgeBefore removes what up to limit messages from before a time say, the oldest first,
// and names their files, which the caller removes; the rows stay (contract 10.3).
func PurgeBefore(tx *store.Tx, org string, before time.Time, limit int) (n int, files []string, err error) {
	list, _, err := kept.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(before)), Limit: limit})
	for i := range list {
		m := &list[i]
		if err != nil {
			break
		}
		for _, f := range m.Files {
			files = append(files, f.ID)
		}
		m.Purged, m.Files = true, nil
		if err = content.Set(tx, org, m, nil); err == nil {
			err = messages.Put(tx, org, m)
		}
	}
	return len(list), files, err
}

// SetSale notes in which stage of the funnel a conversation is, and how likely a sale is, ""
// while there is no lead. Package lead of the seller decides both.
func SetSale(tx *store.Tx, org string, k *Conversation, stage, quality string) error {
	if k.Stage == stage && k.LeadQuality == quality {
		return nil
	}
	k.Stage, k.LeadQuality, k.UpdatedAt = stage, quality, tx.DB().Now()
	return conversations.Put(tx, org, k)
}

// InStage reads up to limit conversations of accounts that are in one of some stages.
func InStage(tx *store.Tx, org string, accounts, stages []string, limit int) ([]Conversation, error) {
	page, err := conversations.Page(tx, org, store.Query[Conversation]{
		Where: []store.Cond[Conversation]{accountFacet.Any(accounts...), stageFacet.Any(stages...)}, Limit: limit,
	})
	return page.Data, err
}
