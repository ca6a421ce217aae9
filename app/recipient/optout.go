package recipient

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/app/signal"
	"svc/store"
)

// OptedOut is published in the transaction in which somebody opts out: whatever
// waits to be sent to them is dropped there.
type OptedOut struct {
	ID     string // of the recipient; "" for somebody who is none
	Who    field.Who
	Source field.OptOutSource
	At     time.Time
}

// OptOut is the one operation that opts somebody out, whoever asks: consent,
// suppression, signal, event, audit. It is for good. already says that everybody
// meant had opted out before; their suppression is seen to all the same. Somebody
// who is no recipient is suppressed, and heard of like any other.
func OptOut(tx *store.Tx, c *api.Call, bus *signal.Bus, w field.Who, source field.OptOutSource) (already bool, err error) {
	found, err := FindAll(tx, c.Org, w)
	if err != nil {
		return false, err
	}
	already = true
	for i := range found {
		was := found[i].Consent == field.OptedOut
		if err := optOut(tx, c, bus, &found[i], source, ""); err != nil {
			return false, err
		}
		already = already && was
	}
	if len(found) > 0 {
		return already, nil
	}
	if rest, err := suppression.Uncovered(tx, c.Org, w); err != nil || rest == (field.Who{}) {
		return true, err
	}
	if err := suppression.Cover(tx, c.Org, w, suppression.Entry{Reason: optOutReason, Source: source, CreatedBy: c.Caller.ID}); err != nil {
		return false, err
	}
	return false, announce(tx, c, bus, OptedOut{Who: w, Source: source, At: tx.DB().Now()})
}

const optOutReason = "The person opted out."

// optOut opts a recipient out and saves it. importID is the import that asks, ""
// for none.
func optOut(tx *store.Tx, c *api.Call, bus *signal.Bus, r *Recipient, source field.OptOutSource, importID string) error {
	was, now := r.Consent, tx.DB().Now()
	r.Consent, r.Suppressed = field.OptedOut, true
	if was != field.OptedOut {
		r.OptedOutAt, r.OptOutSource, r.UpdatedAt = &now, source, now
		err := note(tx, c.Org, r, history{
			At: now, Kind: HasOptedOut, Consent: field.OptedOut, Previous: was, Source: string(source), Actor: actor(c), ImportID: importID,
		})
		if err != nil {
			return err
		}
	}
	if err := put(tx, c.Org, r); err != nil {
		return err
	}
	err := suppression.Cover(tx, c.Org, r.Who(), suppressionOf(c, r, source))
	if err != nil || was == field.OptedOut {
		return err
	}
	err = audit.Write(tx, c, "recipient.opted_out", audit.On("recipient", r.ID, ""), audit.Changed("consent_status", was, r.Consent), audit.Because(string(source)))
	if err != nil {
		return err
	}
	return announce(tx, c, bus, OptedOut{ID: r.ID, Who: r.Who(), Source: source, At: now})
}

// suppressionOf is the entry of a recipient who opted out.
func suppressionOf(c *api.Call, r *Recipient, source field.OptOutSource) suppression.Entry {
	return suppression.Entry{Reason: optOutReason, Source: source, RecipientID: r.ID, CreatedBy: c.Caller.ID}
}

// orMaintained refuses in maintenance mode what is no opt-out: an opt-out never is
// refused (contract 46.1).
func orMaintained(c *api.Call, optsOut bool) error {
	if optsOut || c.Maintained == nil {
		return nil
	}
	return c.Maintained()
}

func announce(tx *store.Tx, c *api.Call, bus *signal.Bus, o OptedOut) error {
	err := event.Emit(tx, c.Org, event.RecipientOptedOut, struct {
		RecipientID *string            `json:"recipient_id"`
		MessengerID *int64             `json:"messenger_id"`
		Username    *string            `json:"username"`
		Source      field.OptOutSource `json:"source"`
	}{api.Optional(o.ID), number(o.Who.MessengerID), api.Optional(o.Who.Username), o.Source})
	if err != nil {
		return err
	}
	return signal.Publish(bus, tx, c, o)
}

func number(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// SourceOf is the source of an opt-out by who asks for it.
func SourceOf(c *api.Call) field.OptOutSource {
	switch {
	case c.Administration():
		return field.ByAdmin
	case c.Caller.Kind == api.Key:
		return field.ByKey
	case c.Caller.Kind == api.Customer:
		return field.ByLink
	case c.Caller.Kind == api.Service:
		return field.ByImport
	}
	return field.ByPerson
}

// Freed notes that an entry of the suppression list is gone that named somebody. Consent
// stays as it is.
func Freed(tx *store.Tx, c *api.Call, r *Recipient) error {
	still, err := suppression.Names(tx, c.Org, r.Who())
	if err != nil || still {
		return err
	}
	r.Suppressed = false
	if err := note(tx, c.Org, r, history{At: c.Now, Kind: WasUnblocked, Actor: actor(c)}); err != nil {
		return err
	}
	return put(tx, c.Org, r)
}
