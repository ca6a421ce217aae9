package recipient

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/recipient/field"
	"svc/app/signal"
	"svc/store"
	"svc/store/recordid"
)

// OptedOut is published in the transaction in which somebody opts out: whatever
// waits to be sent to them is dropped there.
type OptedOut struct {
	ID     string // of the recipient; "" for somebody who is none
	Who    Who
	Source OptOutSource
	At     time.Time
}

// OptOut is the one operation that opts somebody out, whoever asks: consent,
// suppression, signal, event, audit. It is for good. already says that everybody
// meant had opted out before; their suppression is seen to all the same. Somebody
// who is no recipient is suppressed, and heard of like any other.
func OptOut(tx *store.Tx, c *api.Call, bus *signal.Bus, w Who, source OptOutSource) (already bool, err error) {
	found, err := w.matching(tx, c.Org)
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
	if rest, _, err := uncovered(tx, c.Org, w); err != nil || rest == (Who{}) {
		return true, err
	}
	if err := suppress(tx, c.Org, w, Suppression{Reason: optOutReason, Source: source, CreatedBy: c.Caller.ID}); err != nil {
		return false, err
	}
	return false, announce(tx, c, bus, OptedOut{Who: w, Source: source, At: tx.DB().Now()})
}

const optOutReason = "The person opted out."

// optOut opts a recipient out and saves it. importID is the import that asks, ""
// for none.
func optOut(tx *store.Tx, c *api.Call, bus *signal.Bus, r *Recipient, source OptOutSource, importID string) error {
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
	err := suppress(tx, c.Org, r.who(), suppressionOf(c, r, source))
	if err != nil || was == field.OptedOut {
		return err
	}
	err = audit.Write(tx, c, "recipient.opted_out", audit.On("recipient", r.ID, ""), audit.Changed("consent_status", was, r.Consent), audit.Because(string(source)))
	if err != nil {
		return err
	}
	return announce(tx, c, bus, OptedOut{ID: r.ID, Who: r.who(), Source: source, At: now})
}

// suppressionOf is the entry of a recipient who opted out.
func suppressionOf(c *api.Call, r *Recipient, source OptOutSource) Suppression {
	return Suppression{Reason: optOutReason, Source: source, RecipientID: r.ID, CreatedBy: c.Caller.ID}
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
		RecipientID *string      `json:"recipient_id"`
		MessengerID *int64       `json:"messenger_id"`
		Username    *string      `json:"username"`
		Source      OptOutSource `json:"source"`
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

// sourceOf is the source of an opt-out by who asks for it.
func sourceOf(c *api.Call) OptOutSource {
	switch {
	case c.Administration():
		return ByAdmin
	case c.Caller.Kind == api.Key:
		return ByKey
	case c.Caller.Kind == api.Customer:
		return ByLink
	case c.Caller.Kind == api.Service:
		return ByImport
	}
	return ByPerson
}

// A token of an opt-out link is the organization and the recipient, 16 bytes each, and
// ten bytes of a keyed hash over both. It is good for as long as the recipient exists,
// without being kept. Links of before hold the characters of the two ids and 16 bytes of
// the hash; they stay good, for they stand in messages that people have.
const (
	tokenPurpose = "opt-out link"
	idBytes      = 16
	macBytes     = 10
	idChars      = 26
	longMacBytes = 16
)

var tokenText = base64.RawURLEncoding

// OptOutToken is the token of a recipient's opt-out link.
func OptOutToken(db *store.DB, org, id string) (string, error) {
	o, ok := recordid.Bytes("org", org)
	r, known := recordid.Bytes("rcp", id)
	if !ok || !known {
		return "", ErrInvalidLink
	}
	mac, err := linkMAC(db, org, id)
	if err != nil {
		return "", err
	}
	return tokenText.EncodeToString(slices.Concat(o[:], r[:], mac[:macBytes])), nil
}

// longToken is the token as links of before have it.
func longToken(db *store.DB, org, id string) (string, error) {
	mac, err := linkMAC(db, org, id)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(org, "org_") + strings.TrimPrefix(id, "rcp_") + tokenText.EncodeToString(mac[:longMacBytes]), nil
}

func linkMAC(db *store.DB, org, id string) ([]byte, error) {
	h, err := db.Hash(tokenPurpose, org+"/"+id)
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(h)
}

// OptOutPath is where a token is shown, below the address of the API.
func OptOutPath(token string) string { return "/public/opt-out/" + token }

// ShortOptOutPath is the same page below the address of the service, as messages name it
// (contract 49).
func ShortOptOutPath(token string) string { return "/o/" + token }

// readToken finds whom a token means. Every fault is ErrInvalidLink.
func readToken(db *store.DB, token string) (org, id string, err error) {
	made := OptOutToken
	switch len(token) {
	case tokenText.EncodedLen(2*idBytes + macBytes):
		b, err := tokenText.DecodeString(token)
		if err != nil {
			return "", "", ErrInvalidLink
		}
		org, id = recordid.Of("org", [idBytes]byte(b[:idBytes])), recordid.Of("rcp", [idBytes]byte(b[idBytes:2*idBytes]))
	case 2*idChars + tokenText.EncodedLen(longMacBytes):
		org, id, made = "org_"+token[:idChars], "rcp_"+token[idChars:2*idChars], longToken
	default:
		return "", "", ErrInvalidLink
	}
	if !recordid.Valid("org", org) || !recordid.Valid("rcp", id) {
		return "", "", ErrInvalidLink
	}
	want, err := made(db, org, id)
	if err != nil {
		return "", "", err
	}
	if !hmac.Equal([]byte(want), []byte(token)) {
		return "", "", ErrInvalidLink
	}
	return org, id, nil
}
