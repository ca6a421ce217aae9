package optout

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/store"
)

// ShownSuppression is an entry of the suppression list as the API answers it.
type ShownSuppression struct {
	ID          string             `json:"id"`
	MessengerID *int64             `json:"messenger_id"`
	Username    *string            `json:"username"`
	Reason      string             `json:"reason"`
	Source      field.OptOutSource `json:"source" enum:"OPT_OUT_LINK,MANUAL,API,IMPORT,ADMIN"`
	RecipientID *string            `json:"recipient_id"`
	Recipient   *api.Named         `json:"recipient"`
	CreatedBy   *string            `json:"created_by"`
	Creator     *api.Named         `json:"creator"`
	CreatedAt   time.Time          `json:"created_at"`
}

// NewSuppression is a new entry with what it did.
type NewSuppression struct {
	ShownSuppression
	OptedOut int `json:"recipients_opted_out" doc:"Recipients that were not opted out before."`
}

func shown(org string, e *suppression.Entry) ShownSuppression {
	return ShownSuppression{
		ID: e.ID, MessengerID: api.Optional(e.MessengerID), Username: api.Optional(e.Username), Reason: e.Reason, Source: e.Source,
		RecipientID: api.Optional(e.RecipientID), Recipient: api.Ref(org, e.RecipientID),
		CreatedBy: api.Optional(e.CreatedBy), Creator: api.Ref(org, e.CreatedBy), CreatedAt: e.CreatedAt,
	}
}

type suppressionsIn struct {
	api.PageIn
	Q      string             `query:"q" minLength:"2" maxLength:"64" doc:"The beginning of a username or of a messenger_id."`
	Source field.OptOutSource `query:"source" enum:"OPT_OUT_LINK,MANUAL,API,IMPORT,ADMIN"`
	Sort   string             `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) suppressions(c *api.Call, in suppressionsIn) (api.Page[ShownSuppression], error) {
	f := suppression.Filter{Q: in.Q, Source: in.Source, Newest: strings.HasPrefix(in.Sort, "-")}
	return suppression.Page(c, s.db, f, in.PageIn, func(e *suppression.Entry) ShownSuppression { return shown(c.Org, e) })
}

type suppressIn struct {
	Body struct {
		MessengerID int64  `json:"messenger_id" nullable:"true" doc:"This, a username, or both." example:"123456789"`
		Username    string `json:"username" nullable:"true" example:"olga_k"`
		Reason      string `json:"reason" nullable:"true" maxLength:"500" example:"Asked by phone."`
	}
}

func (s *Service) suppress(c *api.Call, in suppressIn) (out api.Created[NewSuppression], err error) {
	w := field.Who{MessengerID: in.Body.MessengerID, Username: in.Body.Username}
	if wrong := w.Check(); len(wrong) > 0 {
		return out, api.WrongFields(wrong)
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		entry, optedOut, err := s.suppressWho(tx, c, w, in.Body.Reason)
		out = api.New(NewSuppression{shown(c.Org, &entry), optedOut})
		return err
	})
	return out, err
}

// suppressWho makes an entry and opts out whoever it names.
func (s *Service) suppressWho(tx *store.Tx, c *api.Call, w field.Who, reason string) (entry suppression.Entry, optedOut int, err error) {
	rest, err := suppression.Uncovered(tx, c.Org, w)
	if err != nil {
		return entry, 0, err
	}
	if rest == (field.Who{}) {
		return entry, 0, ErrAlreadySuppressed
	}
	found, err := recipient.FindAll(tx, c.Org, w)
	if err != nil {
		return entry, 0, err
	}
	entry = suppression.Entry{
		MessengerID: rest.MessengerID, Username: rest.Username, Reason: reason, Source: recipient.SourceOf(c), CreatedBy: c.Caller.ID, CreatedAt: c.Now,
	}
	if len(found) == 1 {
		entry.RecipientID = found[0].ID
	}
	if err := suppression.Insert(tx, c.Org, &entry); err != nil {
		return entry, 0, err
	}
	if err := audit.Write(tx, c, "suppression.created", audit.On("suppression", entry.ID, ""), audit.Because(reason)); err != nil {
		return entry, 0, err
	}
	for i := range found {
		if found[i].OptedOutAt == nil {
			optedOut++
		}
	}
	if _, err := recipient.OptOut(tx, c, s.bus, w, recipient.SourceOf(c)); err != nil {
		return entry, 0, err
	}
	// Opting out may have completed the entry with the other part of the name.
	entry, err = suppression.Get(tx, c.Org, entry.ID)
	return entry, optedOut, err
}

// unsuppress removes an entry. What is left of the opt-out of a recipient who was deleted
// stays: nothing else would keep them from being added, and written to, again.
func (s *Service) unsuppress(c *api.Call, in recipient.IDIn) (api.NoContent, error) {
	err := s.db.Update(c, func(tx *store.Tx) error {
		entry, err := suppression.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		found, err := recipient.FindAll(tx, c.Org, entry.Who())
		if err != nil {
			return err
		}
		if len(found) == 0 && entry.RecipientID != "" {
			return ErrLastOfOptOut
		}
		if err := suppression.Delete(tx, c.Org, entry.ID); err != nil {
			return err
		}
		if err := freed(tx, c, found); err != nil {
			return err
		}
		return audit.Write(tx, c, "suppression.deleted", audit.On("suppression", entry.ID, ""))
	})
	return api.NoContent{}, err
}

// freed notes of each recipient that no suppression names them any more.
func freed(tx *store.Tx, c *api.Call, found []recipient.Recipient) error {
	for i := range found {
		if err := recipient.Freed(tx, c, &found[i]); err != nil {
			return err
		}
	}
	return nil
}
