package recipient

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/recipient/field"
	"svc/store"
)

// ShownRecipient is a recipient as the API answers it.
type ShownRecipient struct {
	ID             string              `json:"id"`
	MessengerID    *int64              `json:"messenger_id"`
	Username       *string             `json:"username" doc:"Without @."`
	FirstName      string              `json:"first_name"`
	LastName       string              `json:"last_name"`
	Language       *string             `json:"language"`
	Consent        field.Consent       `json:"consent_status" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT"`
	ConsentAt      *time.Time          `json:"consent_timestamp"`
	ConsentNote    *string             `json:"consent_note"`
	Attributes     map[string]any      `json:"attributes"`
	Tags           []string            `json:"tags"`
	Source         field.Source        `json:"source" enum:"CSV,JSON,API,MANUAL,CRM"`
	OptedOutAt     *time.Time          `json:"opted_out_at"`
	OptOutSource   *field.OptOutSource `json:"opt_out_source"`
	Lists          []ListRef           `json:"lists"`
	Suppressed     bool                `json:"suppressed" doc:"The suppression list names the person."`
	KnownTo        []string            `json:"known_to_accounts" doc:"Accounts that can reach the person by messenger_id."`
	LastMessagedAt *time.Time          `json:"last_messaged_at"`
	LastRepliedAt  *time.Time          `json:"last_replied_at"`
	ConversationID *string             `json:"conversation_id"`
	CreatedAt      time.Time           `json:"created_at"`
	UpdatedAt      time.Time           `json:"updated_at"`
}

// ListRef names a list.
type ListRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// show makes the answers for recipients, with the names of their lists.
func show(tx *store.Tx, org string, recs []Recipient) ([]ShownRecipient, error) {
	var ids []string
	for i := range recs {
		ids = union(ids, recs[i].Lists)
	}
	names, err := ListNames(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make([]ShownRecipient, len(recs))
	for i := range recs {
		out[i] = recs[i].shown(names)
	}
	return out, nil
}

func showOne(tx *store.Tx, org string, r Recipient) (ShownRecipient, error) {
	out, err := show(tx, org, []Recipient{r})
	if err != nil {
		return ShownRecipient{}, err
	}
	return out[0], nil
}

func (r *Recipient) shown(listNames map[string]string) ShownRecipient {
	s := ShownRecipient{
		ID: r.ID, MessengerID: number(r.MessengerID), Username: api.Optional(r.Username), FirstName: r.FirstName, LastName: r.LastName,
		Language: api.Optional(r.Language), Consent: r.Consent, ConsentAt: r.ConsentAt, ConsentNote: r.ConsentNote, Attributes: r.Attributes,
		Tags: notNil(r.Tags), Source: r.Source, OptedOutAt: r.OptedOutAt, OptOutSource: api.Optional(r.OptOutSource), Lists: []ListRef{},
		Suppressed: r.Suppressed, KnownTo: notNil(r.KnownTo), LastMessagedAt: r.LastMessagedAt, LastRepliedAt: r.LastRepliedAt,
		ConversationID: api.Optional(r.ConversationID), CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if s.Attributes == nil {
		s.Attributes = map[string]any{}
	}
	for _, id := range r.Lists {
		if name, ok := listNames[id]; ok {
			s.Lists = append(s.Lists, ListRef{id, name})
		}
	}
	return s
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return slices.Clone(list)
}
