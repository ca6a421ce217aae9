package turn

import (
	"slices"
	"time"

	"svc/ai/check"
	"svc/app/business"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/app/seller/answer"
	"svc/app/seller/decision"
	"svc/store"
)

// readBack is how many messages of a conversation are read for an answer.
const readBack = 40

// load gathers what an answer to a conversation depends on.
func (s *Service) load(tx *store.Tx, orgID string, k *conversation.Conversation, v *verdict) (*answer.Situation, error) {
	out := &answer.Situation{
		Org: orgID, Business: v.business, Settings: v.settings, Version: v.version, Stage: k.Stage, Level: v.settings.Level, Now: tx.DB().Now(),
		Knowledge: s.o.Knowledge,
	}
	if s.o.JEV != nil {
		out.JEV = s.o.JEV.Ask
	}
	if v.advise {
		out.Level = min(out.Level, 1)
	}
	rules := s.o.Replies.Rules(k)
	out.MaxLength, out.Unit = rules.MaxLength, units[rules.Unit]
	if err := Configure(tx, out); err != nil {
		return nil, err
	}
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	if out.StopWords, err = s.o.StopWords(tx, &o, k); err != nil {
		return nil, err
	}
	if out.Messages, err = said(tx, orgID, k.ID); err != nil {
		return nil, err
	}
	out.Burst = answer.BurstOf(out.Messages)
	if out.Prompt, err = s.variant(tx, orgID, v.business.ID, k.ID); err != nil {
		return nil, err
	}
	if out.Memory, out.Summary, err = s.o.Memory(tx, orgID, k.ID); err != nil {
		return nil, err
	}
	if out.LeadOffers, err = s.o.Interests(tx, orgID, k.ID, v.business.ID); err != nil {
		return nil, err
	}
	if out.Times, err = s.times(tx, orgID, k, out); err != nil {
		return nil, err
	}
	if open, next := v.business.Open(out.Now); !open && v.settings.OutsideHours == "REPLY_WITH_NOTICE" {
		out.Notice = closedNotice(out, next)
	}
	return out, nil
}

// units are those in which networks count, as validators name them: what a network calls
// characters are UTF-16 units (contract 22).
var units = map[string]check.Unit{"utf16": check.UTF16, "bytes": check.Bytes, "characters": check.UTF16}

// Configure fills in what of a situation belongs to its business and its settings.
func Configure(tx *store.Tx, s *answer.Situation) (err error) {
	id := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	set := &s.Settings
	if s.Funnel, err = business.FunnelOf(tx, s.Org, s.Business.ID, id(set.FunnelID)); store.IgnoreNotFound(err) != nil {
		return err
	}
	if s.Identity, err = business.IdentityOf(tx, s.Org, s.Business.ID, id(set.IdentityID)); store.IgnoreNotFound(err) != nil {
		return err
	}
	if s.Communication, err = business.CommunicationOf(tx, s.Org, id(set.CommunicationID)); store.IgnoreNotFound(err) != nil {
		return err
	}
	if s.Languages, err = business.LanguagesOf(tx, s.Org, set.LanguageProfileIDs); err != nil {
		return err
	}
	if s.Offers, err = business.Offers(tx, s.Org, s.Business.ID); err != nil {
		return err
	}
	if s.Reviews, err = decision.Reviews(tx, s.Org); err != nil {
		return err
	}
	if s.Stage == "" && len(s.Funnel.Stages) > 0 {
		s.Stage = s.Funnel.Stages[0].Key
	}
	canary, err := tx.Hash("seller canary", s.Org)
	s.Canary = canary[:min(len(canary), canaryLength)]
	return err
}

// canaryLength is how many characters of a hash are the mark in the instructions: 96 bits.
const canaryLength = 24

// said are the newest messages of a conversation, the oldest first.
func said(tx *store.Tx, orgID, id string) (out []answer.Said, err error) {
	list, _, err := conversation.Older(tx, orgID, id, "", readBack)
	if err != nil {
		return nil, err
	}
	for i := range list {
		m := &list[i]
		if !counts(m) {
			continue
		}
		c, err := m.Open(tx.DB(), orgID)
		if err != nil {
			return nil, err
		}
		out = append(out, answer.Said{ID: m.ID, From: author(m), Text: c.Text, At: m.At, Sent: m.Status == conversation.Sent || m.Status == conversation.Received, Files: len(m.Files)})
	}
	return answer.Bound(out), nil
}

// counts says whether a message is one that somebody reads in the conversation.
func counts(m *conversation.Message) bool {
	return m.DeletedAt.IsZero() && !m.Purged && m.Kind != conversation.ServiceNote
}

// lastByPerson says whether the newest message is one of the team's. It opens none.
func lastByPerson(tx *store.Tx, orgID, id string) (bool, error) {
	list, _, err := conversation.Older(tx, orgID, id, "", readBack)
	for i := len(list) - 1; i >= 0; i-- {
		if counts(&list[i]) {
			return author(&list[i]) == answer.Person, err
		}
	}
	return false, err
}

func author(m *conversation.Message) answer.Author {
	switch m.Author {
	case conversation.Customer:
		return answer.Customer
	case conversation.AI:
		return answer.Seller
	}
	return answer.Person
}

// personWrote says whether somebody of the team wrote within so many minutes.
func personWrote(list []answer.Said, now time.Time, minutes int) bool {
	return minutes > 0 && slices.ContainsFunc(list, func(m answer.Said) bool {
		return m.From == answer.Person && now.Sub(m.At) < time.Duration(minutes)*time.Minute
	})
}

// closedTexts are what a customer reads who writes while the business is closed. %s is when
// it opens.
var closedTexts = business.Texts{
	Uzbek: "Hozir ish vaqti emas. Ish %s boshlanadi.", Russian: "Сейчас нерабочее время. Мы откроемся %s.", English: "We are closed now. We open %s.",
}
