package recipient

import (
	"maps"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// ShownSuppression is an entry of the suppression list as the API answers it.
type ShownSuppression struct {
	ID          string       `json:"id"`
	MessengerID *int64       `json:"messenger_id"`
	Username    *string      `json:"username"`
	Reason      string       `json:"reason"`
	Source      OptOutSource `json:"source" enum:"OPT_OUT_LINK,MANUAL,API,IMPORT,ADMIN"`
	RecipientID *string      `json:"recipient_id"`
	Recipient   *api.Named   `json:"recipient"`
	CreatedBy   *string      `json:"created_by"`
	Creator     *api.Named   `json:"creator"`
	CreatedAt   time.Time    `json:"created_at"`
}

// NewSuppression is a new entry with what it did.
type NewSuppression struct {
	ShownSuppression
	OptedOut int `json:"recipients_opted_out" doc:"Recipients that were not opted out before."`
}

func (s *Suppression) shown(org string) ShownSuppression {
	return ShownSuppression{
		ID: s.ID, MessengerID: number(s.MessengerID), Username: api.Optional(s.Username), Reason: s.Reason, Source: s.Source,
		RecipientID: api.Optional(s.RecipientID), Recipient: api.Ref(org, s.RecipientID),
		CreatedBy: api.Optional(s.CreatedBy), Creator: api.Ref(org, s.CreatedBy), CreatedAt: s.CreatedAt,
	}
}

type suppressionsIn struct {
	api.PageIn
	Q      string       `query:"q" minLength:"2" maxLength:"64" doc:"The beginning of a username or of a messenger_id."`
	Source OptOutSource `query:"source" enum:"OPT_OUT_LINK,MANUAL,API,IMPORT,ADMIN"`
	Sort   string       `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) suppressions(c *api.Call, in suppressionsIn) (out api.Page[ShownSuppression], err error) {
	var where []store.Cond[Suppression]
	if in.Source != "" {
		where = append(where, suppressedBy.Any(string(in.Source)))
	}
	if q := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(in.Q), "@")); q != "" {
		where = append(where, prefixSearch(q, suppressedInitial, suppressedName, suppressedID))
	}
	return api.ListOf(c, s.db, suppressions, store.Query[Suppression]{
		Where: where, Reverse: strings.HasPrefix(in.Sort, "-"), Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
	}, in.PageIn, func(_ *store.Tx, x *Suppression) (ShownSuppression, error) { return x.shown(c.Org), nil })
}

type suppressIn struct {
	Body struct {
		MessengerID int64  `json:"messenger_id" nullable:"true" doc:"This, a username, or both." example:"123456789"`
		Username    string `json:"username" nullable:"true" example:"olga_k"`
		Reason      string `json:"reason" nullable:"true" maxLength:"500" example:"Asked by phone."`
	}
}

func (s *Service) suppress(c *api.Call, in suppressIn) (out api.Created[NewSuppression], err error) {
	w := Who{in.Body.MessengerID, in.Body.Username}
	if wrong := w.check(); len(wrong) > 0 {
		return out, api.WrongFields(maps.Clone(wrong))
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		entry, optedOut, err := s.suppressWho(tx, c, w, in.Body.Reason)
		out = api.New(NewSuppression{entry.shown(c.Org), optedOut})
		return err
	})
	return out, err
}

// suppressWho makes an entry and opts out whoever it names.
func (s *Service) suppressWho(tx *store.Tx, c *api.Call, w Who, reason string) (entry Suppression, optedOut int, err error) {
	rest, _, err := uncovered(tx, c.Org, w)
	if err != nil {
		return entry, 0, err
	}
	if rest == (Who{}) {
		return entry, 0, ErrAlreadySuppressed
	}
	found, err := w.matching(tx, c.Org)
	if err != nil {
		return entry, 0, err
	}
	entry = Suppression{
		ID: tx.DB().NewID("sup"), MessengerID: rest.MessengerID, Username: rest.Username, Reason: reason, Source: sourceOf(c),
		CreatedBy: c.Caller.ID, CreatedAt: c.Now,
	}
	if len(found) == 1 {
		entry.RecipientID = found[0].ID
	}
	if err := suppressions.Insert(tx, c.Org, &entry); err != nil {
		return entry, 0, err
	}
	if err := audit.Write(tx, c, "suppression.created", audit.On("suppression", entry.ID, ""), audit.Because(reason)); err != nil {
		return entry, 0, err
	}
	for i := range found {
		if found[i].OptedOutAt == nil {
			optedOut++
		}
		if err := optOut(tx, c, s.bus, &found[i], sourceOf(c), ""); err != nil {
			return entry, 0, err
		}
	}
	// Opting out may have completed the entry with the other part of the name.
	entry, err = suppressions.Get(tx, c.Org, entry.ID)
	return entry, optedOut, err
}

// unsuppress removes an entry. What is left of the opt-out of a recipient who was deleted
// stays: nothing else would keep them from being added, and written to, again.
func (s *Service) unsuppress(c *api.Call, in IDIn) (api.NoContent, error) {
	err := s.db.Update(c, func(tx *store.Tx) error {
		entry, err := suppressions.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		w := Who{entry.MessengerID, entry.Username}
		found, err := w.matching(tx, c.Org)
		if err != nil {
			return err
		}
		if len(found) == 0 && entry.RecipientID != "" {
			return ErrLastOfOptOut
		}
		if err := suppressions.Delete(tx, c.Org, entry.ID); err != nil {
			return err
		}
		for i := range found {
			if err := s.freed(tx, c, &found[i]); err != nil {
				return err
			}
		}
		return audit.Write(tx, c, "suppression.deleted", audit.On("suppression", entry.ID, ""))
	})
	return api.NoContent{}, err
}

// freed notes that an entry is gone that named a recipient. Consent stays as it is.
func (s *Service) freed(tx *store.Tx, c *api.Call, r *Recipient) error {
	still, err := IsSuppressed(tx, c.Org, r.who())
	if err != nil || still {
		return err
	}
	r.Suppressed = false
	if err := note(tx, c.Org, r, history{At: c.Now, Kind: WasUnblocked, Actor: actor(c)}); err != nil {
		return err
	}
	return put(tx, c.Org, r)
}
