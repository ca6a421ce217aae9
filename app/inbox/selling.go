package inbox

import (
	"time"

	"svc/app/api"
	"svc/app/inbox/conversation"
	"svc/store"
)

// Selling says what the seller keeps beside conversations. The slice of the seller offers
// it; without one there is nothing.
type Selling struct {
	// Drafts are the drafts that wait for a person, by conversation.
	Drafts func(tx *store.Tx, org string, conversations []string) (map[string]Draft, error)
	// Leads are what conversations may become, by conversation.
	Leads func(tx *store.Tx, org string, conversations []string) (map[string]Lead, error)
	// OpenFor is when the business that an account speaks for has been open for a while since
	// a time; ok is false when it never is, set says that it has hours of its own.
	OpenFor func(tx *store.Tx, org, account string, since time.Time, long time.Duration) (at time.Time, ok, set bool, err error)
	// ReplyWindow is how long after a customer's message the business of an account lets it
	// be answered without consent; 0 for an account that speaks for none.
	ReplyWindow func(tx *store.Tx, org, account string) (time.Duration, error)
}

// Draft is a text that the AI proposes and a person sends (contract 13.1).
type Draft struct {
	ID             string     `json:"id"`
	ConversationID string     `json:"conversation_id"`
	Kind           string     `json:"kind" enum:"DRAFT,RECOMMENDATION"`
	Text           *string    `json:"text" doc:"As the AI proposed it; null when the organization keeps texts for a time only."`
	SentText       *string    `json:"sent_text" doc:"As a person sent it."`
	Language       *string    `json:"language" example:"uz"`
	Files          []string   `json:"files" nullable:"false" doc:"Uploads that go with it."`
	Status         string     `json:"status" enum:"PENDING,APPROVED,DISCARDED,SUPERSEDED"`
	ExecutionID    *string    `json:"execution_id"`
	Demo           bool       `json:"demo" doc:"No language model wrote it; show it as Demo."`
	Reasons        []string   `json:"reasons" nullable:"false" doc:"Why the AI did not send it by itself."`
	MessageID      *string    `json:"message_id" doc:"The message that it became."`
	DecidedBy      *api.Named `json:"decided_by" doc:"Who approved or discarded it; null for a key and the service."`
	DiscardReason  *string    `json:"discard_reason"`
	ExpiresAt      *time.Time `json:"expires_at" doc:"Then the service discards it."`
	DecidedAt      *time.Time `json:"decided_at"`
	CreatedAt      time.Time  `json:"created_at"`
}

// Lead is what a conversation may become.
type Lead struct {
	ID      string `json:"id"`
	Quality string `json:"quality" enum:"cold,warm,hot"`
	Status  string `json:"status" enum:"OPEN,WON,LOST"`
}

// addSelling fills in what the seller keeps beside conversations.
func (s *Service) addSelling(tx *store.Tx, org string, list []conversation.Conversation, rows []Conversation) error {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	if s.selling.Drafts != nil {
		drafts, err := s.selling.Drafts(tx, org, ids)
		if err != nil {
			return err
		}
		for i := range rows {
			if d, ok := drafts[rows[i].ID]; ok {
				rows[i].PendingDraftID, rows[i].draft = &d.ID, &d
			}
		}
	}
	if s.selling.Leads == nil {
		return nil
	}
	leads, err := s.selling.Leads(tx, org, ids)
	for i := range rows {
		if l, ok := leads[rows[i].ID]; ok {
			rows[i].Lead = &l
		}
	}
	return err
}
