package turn

import (
	"time"

	"svc/app/business"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/app/seller/answer"
	"svc/store"
)

// Codes of turns that end before anything is written (contract 13.11). Those of the gate of
// replies are others.
const (
	aiOff    = "AI_OFF"
	aiPaused = "AI_PAUSED"
	personal = "PERSONAL"
	stopped  = "CONVERSATION_STOPPED"
	// followUpLimit ends a silence of the customer into which was written often enough.
	followUpLimit = "FOLLOW_UP_LIMIT"
)

// verdict is what the gate says of a conversation.
type verdict struct {
	ends bool
	code string
	// advise: a person has the conversation, so that at most a recommendation is written.
	advise   bool
	business business.Business
	settings business.Settings
	version  int
	// windowEnds is when the reply window closes.
	windowEnds time.Time
}

// until is when a draft is of no use any more: when the reply window closes. It is zero when
// that is over and consent alone lets it be sent.
func (v *verdict) until(now time.Time) time.Time {
	if !v.windowEnds.After(now) {
		return time.Time{}
	}
	return v.windowEnds
}

// gate says whether the AI may act in a conversation now, by the rules of contract 13.11 in
// their order.
func (s *Service) gate(tx *store.Tx, orgID string, k *conversation.Conversation) (v verdict, err error) {
	end := func(code string) (verdict, error) {
		v.ends, v.code = true, code
		return v, nil
	}
	if on, err := switchedOn(tx, orgID); err != nil || !on {
		v.ends = true
		return v, err
	}
	if k.Personal {
		return end(personal)
	}
	var m business.Mapping
	var mapped bool
	if v.business, m, mapped, err = business.Of(tx, orgID, k.AccountID); err != nil {
		return v, err
	}
	if !mapped || !m.AIEnabled || v.business.Status != business.Active {
		return end(aiOff)
	}
	if v.settings, v.version, err = business.SettingsOf(tx, orgID, v.business.ID); err != nil {
		return v, err
	}
	switch {
	case !v.settings.Active:
		return end(aiOff)
	case k.AIState == conversation.Stopped:
		return end(stopped)
	case k.AIState == conversation.PausedHandoff:
		if v.settings.Level < 1 {
			return end(aiPaused)
		}
		v.advise = true
	}
	said, err := s.o.Replies.Gate(tx, orgID, k)
	if err != nil {
		return v, err
	}
	if !said.Allowed {
		return end(said.Code)
	}
	v.windowEnds = said.WindowEnds
	return v, nil
}

// switchedOn says whether the organization may act and AI is switched on for it.
func switchedOn(tx *store.Tx, orgID string) (bool, error) {
	o, err := org.Get(tx, orgID)
	if err != nil || o.Status != org.Active {
		return false, store.IgnoreNotFound(err)
	}
	return o.AIOn(tx)
}

// blocks says whether a code is told as a reply that was blocked: not that nothing was to
// answer, nor what stops every reply of an account.
func blocks(code string) bool {
	switch code {
	case "", answer.NoReply, channel.Unavailable, channel.AuthRequired:
		return false
	}
	return true
}
