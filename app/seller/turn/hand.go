package turn

import (
	"context"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/reply"
	"svc/app/org"
	"svc/app/seller/answer"
	"svc/app/seller/draft"
	"svc/app/seller/figure"
	"svc/store"
)

func systemCall(tx *store.Tx, org string) *api.Call {
	return api.System(context.Background(), org, tx.DB().Now())
}

// handOver gives a conversation to people, unless they have it already, and tells the
// customer so where the seller may send. It answers the handoff.
func (s *Service) handOver(tx *store.Tx, org string, k *conversation.Conversation, why handoff.Trigger, priority handoff.Priority, reason string) (string, error) {
	id, given, err := s.giveTo(tx, org, k, handoff.New{Trigger: why, Priority: priority, Words: handoff.Words{Reason: reason}})
	if err != nil || !given {
		return id, err
	}
	return id, s.notice(tx, systemCall(tx, org), org, k)
}

// giveTo is handOver without a word to the customer. given is false when people have the
// conversation already. The handoff says what the conversation is about, as far as that is
// known, and is told to whom the settings name.
func (s *Service) giveTo(tx *store.Tx, org string, k *conversation.Conversation, n handoff.New) (id string, given bool, err error) {
	if k.ID == "" || k.HandoffID != "" || k.AIState == conversation.Stopped {
		return k.HandoffID, false, nil
	}
	c := systemCall(tx, org)
	if err := s.o.Replies.CancelAI(tx, c, k); err != nil {
		return "", false, err
	}
	if err := draft.Supersede(tx, org, k.ID); err != nil {
		return "", false, err
	}
	if _, n.Summary, err = s.o.Memory(tx, org, k.ID); err != nil {
		return "", false, err
	}
	if n.Notify, err = notified(tx, org, k, business.Trigger(n.Trigger)); err != nil {
		return "", false, err
	}
	h, err := handoff.Create(tx, c, org, k, n)
	if err != nil {
		return "", false, err
	}
	if err := figure.HandedOver(tx, org, k.AccountID, string(n.Trigger)); err != nil {
		return "", false, err
	}
	event := conversation.HandedOver
	if k.AIState == conversation.PausedHandoff {
		event = conversation.TakenOver
	}
	return h.ID, true, conversation.Apply(tx, c, org, k, conversation.Transition{Event: event, Reason: n.Reason, Handoff: h.ID})
}

// notified are the people whom the settings name for a trigger and who may still answer; none:
// everybody who may is told.
func notified(tx *store.Tx, orgID string, k *conversation.Conversation, why business.Trigger) (out []string, err error) {
	b, _, found, err := business.Of(tx, orgID, k.AccountID)
	if err != nil || !found {
		return nil, err
	}
	set, _, err := business.SettingsOf(tx, orgID, b.ID)
	if err != nil || !set.HandsOver(why) {
		return nil, err
	}
	for _, user := range set.Rules[why].Notify {
		m, err := org.MemberOf(tx, orgID, user)
		if store.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err == nil && m.Role.Permissions().Has(perm.AIOperate) {
			out = append(out, user)
		}
	}
	return out, nil
}

// hand gives the conversation to a person.
func (a *acting) hand() (err error) {
	h := a.out.Handoff
	priority := handoff.Normal
	if h.High {
		priority = handoff.High
	}
	if a.out.Doubt { // whoever may want no more messages gets none
		a.handoff, _, err = a.s.giveTo(a.tx, a.org, &a.k, handoff.New{
			Trigger: handoff.Trigger(h.Trigger), Priority: priority, Doubt: a.out.DoubtAbout, Words: handoff.Words{Reason: h.Reason},
		})
		return err
	}
	a.handoff, err = a.s.handOver(a.tx, a.org, &a.k, handoff.Trigger(h.Trigger), priority, h.Reason)
	return err
}

// noticeFrom is the level from which a customer is told that a person takes over.
const noticeFrom = 3

// notice tells the customer that a person takes over. Whoever waits goes on waiting: a
// notice is no answer.
func (s *Service) notice(tx *store.Tx, c *api.Call, org string, k *conversation.Conversation) error {
	return s.sendNotice(tx, c, org, k, func(t answer.Tongue, about *answer.Situation) string { return t.In(about.Settings.HandoffNotice) })
}

// sendNotice says something to the customer in their language, where the seller may send by itself.
func (s *Service) sendNotice(tx *store.Tx, c *api.Call, org string, k *conversation.Conversation, words func(answer.Tongue, *answer.Situation) string) error {
	b, m, found, err := business.Of(tx, org, k.AccountID)
	if err != nil || !found || !m.AIEnabled {
		return err
	}
	set, _, err := business.SettingsOf(tx, org, b.ID)
	if err != nil || set.Level < noticeFrom {
		return err
	}
	list, err := said(tx, org, k.ID)
	if err != nil {
		return err
	}
	about := &answer.Situation{Org: org, Business: b, Settings: set, Messages: list, Burst: answer.BurstOf(list)}
	if about.Languages, err = business.LanguagesOf(tx, org, set.LanguageProfileIDs); err != nil {
		return err
	}
	if about.Offers, err = business.Offers(tx, org, b.ID); err != nil {
		return err
	}
	text := words(answer.TongueOf(about), about)
	if text == "" {
		return nil
	}
	_, _, err = s.o.Replies.QueueAI(tx, c, k, reply.Written{Text: text, Notice: true})
	return err
}

// blocked tells that a reply is not sent, and why.
func (s *Service) blocked(tx *store.Tx, org string, k *conversation.Conversation, codes []string, handoffID string) error {
	return conversation.Emit(tx, org, k, event.ReplyBlocked, map[string]any{"codes": codes, "handoff_id": api.Optional(handoffID)})
}
