package reply

import (
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/signal"
	"svc/store"
)

// Written is a reply of the AI.
type Written struct {
	Text      string
	Execution string
	// Demo: the demo model wrote it.
	Demo bool
	// AnswersSeq is up to which message of the customer it answers: it is not sent any more
	// when the customer wrote another, but for Anyway, or a person answered. 0: it goes out
	// whatever comes.
	AnswersSeq int64
	Anyway     bool
	// Nth tells apart what is written to the same messages (conversation.Message.Nth).
	Nth int
	// Notice: it answers nothing, so the customer goes on waiting.
	Notice bool
	// BesideHandoff: a person gets the conversation in the same transaction, and the customer
	// this answer all the same.
	BesideHandoff bool
	// NotBefore is the earliest time at which it goes out.
	NotBefore time.Time
}

// QueueAI keeps a reply of the AI and hands it over to be sent. The gate is asked; its
// verdict is the answer, and when it does not allow, nothing was kept.
func (s *Service) QueueAI(tx *store.Tx, c *api.Call, k *conversation.Conversation, w Written) (m conversation.Message, v Verdict, err error) {
	if v, err = s.Gate(tx, c.Org, k); err != nil || !v.Allowed {
		return m, v, err
	}
	m, err = conversation.Write(tx, c, k, conversation.Written{
		Author: conversation.AI, Text: w.Text, Basis: string(v.Basis), ExecutionID: w.Execution, AnswersSeq: w.AnswersSeq, Nth: w.Nth, Notice: w.Notice,
		Anyway: w.Anyway, BesideHandoff: w.BesideHandoff, Demo: w.Demo,
	})
	if err != nil {
		return m, v, err
	}
	return m, v, s.o.Networks.Of(k.Channel).Queue(tx, c.Org, channel.Reply{
		Message: m.ID, Conversation: k.ID, Account: k.AccountID, RecipientID: v.Standing.RecipientID, AI: true, NotBefore: w.NotBefore,
	})
}

// Rules are what the network of a conversation lets be sent.
func (s *Service) Rules(k *conversation.Conversation) channel.Rules {
	return s.o.Networks.Of(k.Channel).Rules()
}

// OptedOut says why a customer is opted out. Reason is a short sentence, By who found it out:
// CLASSIFIER or PERSON (contract 8.2).
type OptedOut struct{ Reason, By string }

// OptOut opts the customer of a conversation out, for good, and stops the conversation. One that
// is stopped already stays as it is.
func (s *Service) OptOut(tx *store.Tx, c *api.Call, k *conversation.Conversation, why OptedOut) error {
	if err := s.o.Networks.Of(k.Channel).OptOut(tx, c, k.Person); err != nil || k.AIState == conversation.Stopped {
		return err
	}
	err := conversation.Apply(tx, c, c.Org, k, conversation.Transition{Event: conversation.SaidStop, Reason: why.Reason, Handoff: k.HandoffID})
	if err != nil {
		return err
	}
	if err := signal.Publish(s.o.Bus, tx, c, conversation.Stop{Org: c.Org, Conversation: k.ID}); err != nil {
		return err
	}
	return conversation.Emit(tx, c.Org, k, event.ConversationOptedOut, map[string]any{
		"channel": k.Channel, "account_id": k.AccountID, "detection": why.By, "keyword": nil,
	})
}

// outdated is why a reply of the AI does not fit its conversation any more, "" when it does:
// a person has the conversation, the customer wrote again, or somebody answered meanwhile.
func outdated(tx *store.Tx, org string, k *conversation.Conversation, m *conversation.Message) (string, error) {
	if m.Author != conversation.AI || m.AnswersSeq == 0 {
		return "", nil
	}
	handedOver := m.BesideHandoff && k.AIState == conversation.PausedHandoff
	if k.AIState != conversation.Active && !handedOver || k.Personal {
		return channel.TakenOver, nil
	}
	last, err := conversation.LastIn(tx, org, k.ID)
	if err != nil || last > m.AnswersSeq && !m.Anyway {
		return channel.Outdated, err
	}
	later, err := conversation.AnsweredByPeople(tx, org, m)
	if err != nil || later {
		return channel.Outdated, err
	}
	return "", nil
}
