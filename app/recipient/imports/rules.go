package imports

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
)

// outcome is what a row of an import comes to.
type outcome struct {
	rec    recipient.Recipient
	isNew  bool
	optOut bool       // the person has to be opted out now
	issue  sheet.Kind // "" for nothing to say; INVALID keeps the row out
	reason string     // of the issue
	was    field.Consent
	named  bool // the suppression list names the person
	// renamed says that the name of somebody who is there changes.
	renamed bool
	draft   *draft // it was foreseen, and is ready to be saved
}

// terms are what an import says of all its rows.
type terms struct {
	Default field.Consent `json:"default_consent"`
	Source  field.Source  `json:"source"`
	List    string        `json:"list,omitempty"`
}

// merge decides what becomes of a row: old is the recipient it matches, nil for
// none; suppressed says whether the suppression list names the person; nameTaken
// whether another recipient has the username (contract 35.4).
func merge(old *recipient.Recipient, row *sheet.Row, t terms, suppressed, nameTaken bool, now time.Time) outcome {
	o := outcome{isNew: old == nil}
	if old != nil {
		o.rec, o.was = *old, old.Consent
	} else {
		o.rec = recipient.Recipient{Consent: t.Default, Source: t.Source, CreatedAt: now}
	}
	r := &o.rec
	r.UpdatedAt = now
	if r.MessengerID == 0 {
		r.MessengerID = row.MessengerID
	}
	if row.Username != "" && !nameTaken {
		r.Username = row.Username
	}
	r.FirstName, r.LastName = cmp.Or(row.FirstName, r.FirstName), cmp.Or(row.LastName, r.LastName)
	r.Language = cmp.Or(row.Language, r.Language)
	o.renamed = old != nil && (r.FirstName != old.FirstName || r.LastName != old.LastName)
	r.Tags = field.AddTags(r.Tags, row.Tags)
	if t.List != "" && !slices.Contains(r.Lists, t.List) {
		r.Lists = append(slices.Clip(r.Lists), t.List)
	}
	if len(row.Attributes) > 0 {
		r.Attributes = maps.Clone(r.Attributes)
		if r.Attributes == nil {
			r.Attributes = map[string]any{}
		}
		maps.Copy(r.Attributes, row.Attributes)
	}
	if old == nil {
		o.consent(row, suppressed, now) // a new one has what the row has, which was checked
		return o
	}
	if len(r.Tags) > field.MaxTags {
		o.issue, o.reason = sheet.Invalid, "With the tags that the person has there would be more than 50; remove some first."
	} else if err := field.CheckAttributes(r.Attributes); err != nil {
		o.issue, o.reason = sheet.Invalid, "With the attributes that the person has: "+err.Error()+"."
	}
	if o.issue == "" {
		o.consent(row, suppressed, now)
	}
	return o
}

// consent merges the basis for contact. Nobody leaves OPTED_OUT.
func (o *outcome) consent(row *sheet.Row, suppressed bool, now time.Time) {
	r := &o.rec
	switch {
	case o.was == field.OptedOut:
		o.issue, o.reason = sheet.OptedOut, "The person opted out earlier and stays so; an import cannot opt anybody back in."
		return
	case row.Consent == field.OptedOut || row.Consent == "" && o.isNew && r.Consent == field.OptedOut:
		o.issue, o.reason, o.optOut = sheet.OptedOut, "The row says OPTED_OUT: imported as opted out, for good.", true
	case suppressed:
		o.issue, o.reason, o.optOut = sheet.Suppressed, "On the suppression list: imported as opted out.", true
	case row.Consent != "":
		r.Consent = row.Consent
	}
	if o.optOut {
		r.Consent = o.was // OptOut changes it
		if o.isNew {
			r.Consent = field.Unknown
		}
	}
	if !row.ConsentAt.IsZero() {
		r.ConsentAt = &row.ConsentAt
	}
	if row.ConsentNote != "" {
		r.ConsentNote = &row.ConsentNote
	}
	if r.ConsentAt == nil && r.Consent.Basis() {
		r.ConsentAt = &now
	}
	if o.issue == "" && r.Consent == field.Unknown {
		o.issue, o.reason = sheet.UnknownConsent, "No basis for contact is recorded: imported, but campaigns will not write to the person."
	}
}

// becomes is the consent that the person ends with.
func (o *outcome) becomes() field.Consent {
	if o.optOut {
		return field.OptedOut
	}
	return o.rec.Consent
}
