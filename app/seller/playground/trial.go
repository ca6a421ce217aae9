package playground

import (
	"cmp"

	"svc/ai/check"
	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/prompt"
	"svc/app/org"
	"svc/app/seller/answer"
	"svc/app/seller/turn"
	"svc/store"
)

// Trial is a conversation that is no customer's, over a real business. Nothing of an answer to
// it is sent or remembered.
type Trial struct {
	Business string
	// Messages are the oldest first; the last is the customer's.
	Messages []answer.Said
	// Stage is one of the funnel; "": its first.
	Stage string
	// Level is that of autonomy; nil: that of the settings.
	Level *int
	// Agent is the one of which Prompt and Chain are, DECISION or SELLER; "": SELLER.
	Agent agent.Agent
	// Prompt is a version of a prompt of the agent; "": the active one.
	Prompt string
	Memory []answer.Known
	// Offers replace those of the business; nil: those.
	Offers []business.Offer
	Chain  []agent.ChainEntry // replaces the models of the agent; nil: those
}

// Situation is what an answer to a trial depends on. Its errors name the fields business_id,
// stage, prompt_version and messages.
func (s *Service) Situation(tx *store.Tx, orgID string, t Trial) (*answer.Situation, error) {
	about := &answer.Situation{
		Org: orgID, Now: tx.DB().Now(), Knowledge: s.o.Knowledge, JEV: s.o.JEV.Ask, Tried: cmp.Or(t.Agent, agent.Seller), Prompt: t.Prompt, Chain: t.Chain,
		Unit: check.UTF16, MaxLength: maxLength,
	}
	var err error
	if about.Business, err = business.Get(tx, orgID, t.Business); store.IsNotFound(err) {
		return nil, api.Wrong("business_id", "names no business of the organization")
	} else if err != nil {
		return nil, err
	}
	if about.Settings, about.Version, err = business.SettingsOf(tx, orgID, t.Business); err != nil {
		return nil, err
	}
	if about.Level = about.Settings.Level; t.Level != nil {
		about.Level = *t.Level
	}
	if err := turn.Configure(tx, about); err != nil {
		return nil, err
	}
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	about.StopWords = o.Keywords().All()
	if t.Prompt != "" {
		if _, err := prompt.Named(tx, orgID, about.Tried, t.Prompt); store.IsNotFound(err) {
			return nil, api.Wrong("prompt_version", "names no version of a prompt of the agent %s", about.Tried)
		} else if err != nil {
			return nil, err
		}
	}
	return Place(about, &t)
}

// Place puts the conversation of a trial into a situation that Situation made for the same
// business, so that many trials read the business once. Its errors name messages and stage.
func Place(base *answer.Situation, t *Trial) (*answer.Situation, error) {
	about := *base
	if n := len(t.Messages); n == 0 || t.Messages[n-1].From != answer.Customer {
		return nil, api.Wrong("messages", "must end with a message of the customer")
	}
	if t.Stage != "" {
		if _, _, known := about.Funnel.Stage(t.Stage); !known {
			return nil, api.Wrong("stage", "is no stage of the funnel of this business")
		}
		about.Stage = t.Stage
	}
	if t.Offers != nil {
		about.Offers = t.Offers
	}
	about.Memory, about.Messages = t.Memory, nil
	for _, m := range t.Messages {
		m.At, m.Sent = about.Now, true
		about.Messages = append(about.Messages, m)
	}
	about.Messages = answer.Bound(about.Messages)
	about.Burst = answer.BurstOf(about.Messages)
	return &about, nil
}
