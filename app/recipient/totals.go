package recipient

import (
	"svc/app/recipient/field"
	"svc/store"
)

// Totals are the people of an organization as its dashboard shows them.
type Totals struct {
	Total          int `json:"total"`
	Sendable       int `json:"sendable" doc:"Who may be sent campaigns."`
	OptedOut       int `json:"opted_out"`
	UnknownConsent int `json:"unknown_consent"`
}

// TotalsOf reads the totals. They are kept, not counted.
func TotalsOf(tx *store.Tx, org string) (t Totals, err error) {
	if t.Total, err = recipients.Count(tx, org); err != nil {
		return t, err
	}
	if _, t.Sendable, err = sizes(tx, org, ""); err != nil {
		return t, err
	}
	if t.OptedOut, err = consentFacet.Count(tx, org, string(field.OptedOut)); err != nil {
		return t, err
	}
	t.UnknownConsent, err = consentFacet.Count(tx, org, string(field.Unknown))
	return t, err
}
