package recipient

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// put saves a recipient. Somebody else with its messenger_id or username is
// ErrExists.
func put(tx *store.Tx, org string, r *Recipient) error {
	err := recipients.Put(tx, org, r)
	if store.Duplicate(err) {
		return ErrExists.WithCause(err)
	}
	return err
}

// save saves a recipient that changed or is new (before is nil), and opts out
// whoever the suppression list names.
func (s *Service) save(tx *store.Tx, c *api.Call, before, r *Recipient, source field.OptOutSource) error {
	if before != nil && before.Who() == r.Who() {
		return put(tx, c.Org, r)
	}
	named, err := suppression.Names(tx, c.Org, r.Who())
	if err != nil {
		return err
	}
	return s.saveAndSuppress(tx, c, r, named, source, "")
}

// saveAndSuppress saves a recipient whose name is new. named says whether the suppression
// list has any part of it: then the rest is added to the list too.
func (s *Service) saveAndSuppress(tx *store.Tx, c *api.Call, r *Recipient, named bool, source field.OptOutSource, importID string) error {
	if r.Suppressed || named {
		return optOut(tx, c, s.bus, r, source, importID)
	}
	return put(tx, c.Org, r)
}

// linkKnownAccounts notes which accounts have met a person whose messenger_id is new; was is the one
// before, 0 for none.
func (s *Service) linkKnownAccounts(tx *store.Tx, org string, r *Recipient, was int64) error {
	if r.MessengerID == was {
		return nil
	}
	if was != 0 {
		r.KnownTo = nil // that was somebody else
	}
	known, err := s.Acquaintances(tx, org, r.MessengerID)
	r.KnownTo = union(r.KnownTo, known)
	return err
}

// Acquaintances are the accounts that have met the person of a messenger_id, 0 for none.
func (s *Service) Acquaintances(tx *store.Tx, org string, messengerID int64) ([]string, error) {
	if messengerID == 0 || s.o.KnownTo == nil {
		return nil, nil
	}
	return s.o.KnownTo(tx, org, messengerID)
}

// ForgetAccount takes an account that is gone out of up to most people whom it knew, and
// says how many those were.
func ForgetAccount(tx *store.Tx, org, account string, most int) (int, error) {
	page, err := recipients.Page(tx, org, store.Query[Recipient]{Where: []Cond{knownFacet.Any(account)}, Limit: most})
	if err != nil {
		return 0, err
	}
	for i := range page.Data {
		r := &page.Data[i]
		r.KnownTo, _ = without(r.KnownTo, []string{account})
		if err := recipients.Put(tx, org, r); err != nil {
			return 0, err
		}
	}
	return len(page.Data), nil
}

// setConsent changes the basis for contact of a recipient that the caller saves.
// Nobody leaves OPTED_OUT, and nobody gets there this way.
func setConsent(tx *store.Tx, c *api.Call, r *Recipient, to field.Consent, at *time.Time, remark *string) error {
	if r.Consent == field.OptedOut {
		return ErrOptedOut
	}
	was := r.Consent
	r.Consent, r.ConsentAt, r.ConsentNote, r.UpdatedAt = to, at, remark, c.Now
	if r.ConsentAt == nil && to.Basis() {
		r.ConsentAt = &c.Now
	}
	if was == to {
		return nil
	}
	h := history{At: c.Now, Kind: ConsentSet, Consent: to, Previous: was, Source: string(SourceOf(c)), Actor: actor(c)}
	if remark != nil {
		h.Note = *remark
	}
	return note(tx, c.Org, r, h)
}

// remove deletes a recipient; its suppression stays, and that of an opt-out is there
// again when it is not. The history follows in a job, because it may be long.
func (s *Service) remove(tx *store.Tx, c *api.Call, r *Recipient) error {
	if sending, err := isBusy(tx, c.Org, r.ID); err != nil || sending {
		return orBusy(err)
	}
	if r.Consent == field.OptedOut { // whoever took the entry off the list: an opt-out is for ever
		if err := suppression.Cover(tx, c.Org, r.Who(), suppressionOf(c, r, r.OptOutSource)); err != nil {
			return err
		}
	}
	if err := recipients.Delete(tx, c.Org, r.ID); err != nil {
		return err
	}
	if err := audit.Write(tx, c, "recipient.deleted", audit.On("recipient", r.ID, "")); err != nil {
		return err
	}
	if _, err := queue.Add(tx, forget{Org: c.Org, Recipient: r.ID, Left: r.Notes}, time.Time{}, queue.For(c.Org, r.ID)); err != nil {
		return err
	}
	return signal.Publish(s.bus, tx, c, Deleted{r.ID})
}

// Contact is what passed between an account and a person. Zero fields say nothing.
type Contact struct {
	At             time.Time
	Sent, Received bool   // a message to them, from them
	Account        string // an account that knows them from now on
	CampaignID     string
	ConversationID string
	MessageID      string
	Status         string // of a message that was sent
}

// RecordContact notes contact with somebody: what the recipient shows of it and an entry of
// the history for a message. A recipient that is gone is no error.
func RecordContact(tx *store.Tx, org, id string, ct Contact) error {
	return editIfPresent(tx, org, id, func(r *Recipient) error {
		h := history{
			At: ct.At, CampaignID: ct.CampaignID, ConversationID: ct.ConversationID, MessageID: ct.MessageID, AccountID: ct.Account, Status: ct.Status,
		}
		if ct.Account != "" {
			r.KnownTo = union(r.KnownTo, []string{ct.Account})
		}
		replace(&r.ConversationID, ct.ConversationID)
		switch {
		case ct.Sent:
			r.LastMessagedAt, h.Kind = latest(r.LastMessagedAt, ct.At), WasMessaged
			if ct.CampaignID != "" {
				r.LastCampaignAt = latest(r.LastCampaignAt, ct.At)
			}
		case ct.Received:
			r.LastRepliedAt, h.Kind = latest(r.LastRepliedAt, ct.At), HasReplied
		default:
			return nil
		}
		return note(tx, org, r, h)
	})
}

// ForgetConversation takes a conversation that is not theirs any more, or not to be seen, from
// somebody.
func ForgetConversation(tx *store.Tx, org, id, conversation string) error {
	return editIfPresent(tx, org, id, func(r *Recipient) error {
		r.forget(conversation)
		return nil
	})
}

func (r *Recipient) forget(conversation string) {
	if r.ConversationID == conversation {
		r.ConversationID = ""
	}
}

func latest(a *time.Time, b time.Time) *time.Time {
	if a != nil && a.After(b) {
		return a
	}
	return &b
}

func editIfPresent(tx *store.Tx, org, id string, change func(*Recipient) error) error {
	_, err := recipients.Edit(tx, org, id, change)
	if store.IsNotFound(err) {
		return nil
	}
	return err
}
