package recipient

import (
	"maps"
	"slices"
	"time"

	"svc/app/policy"
	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
)

// Sendable says whether campaigns may write to somebody: a basis is recorded, or
// the platform allows to write without one, and nobody asked them to stop.
func (r *Recipient) Sendable(allowUnknown bool) bool {
	return policy.Message{Campaign: true, AllowUnknown: allowUnknown}.Objection(r.Person()) == ""
}

// Person is what the policy must know of a recipient.
func (r *Recipient) Person() policy.Person {
	p := policy.Person{OptedOut: r.Consent == field.OptedOut, Suppressed: r.Suppressed, Unknown: r.Consent == field.Unknown}
	if r.LastCampaignAt != nil {
		p.LastCampaignAt = *r.LastCampaignAt
	}
	return p
}

// Values of the tally that counts whom campaigns may write to: with a basis, and
// without one, each in the organization (the value alone) and in a list.
const (
	withBasis    = "basis "
	withoutBasis = "none "
)

func sendableIn(r *Recipient) []string {
	if !r.Sendable(true) {
		return nil
	}
	kind := withoutBasis
	if r.Consent.Basis() {
		kind = withBasis
	}
	out := []string{kind}
	for _, list := range r.Lists {
		out = append(out, kind+list)
	}
	return out
}

// outcome is what a row of an import comes to.
type outcome struct {
	rec    Recipient
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
func merge(old *Recipient, row *sheet.Row, t terms, suppressed, nameTaken bool, now time.Time) outcome {
	o := outcome{isNew: old == nil}
	if old != nil {
		o.rec, o.was = *old, old.Consent
	} else {
		o.rec = Recipient{Consent: t.Default, Source: t.Source, CreatedAt: now}
	}
	r := &o.rec
	r.UpdatedAt = now
	if r.MessengerID == 0 {
		r.MessengerID = row.MessengerID
	}
	if row.Username != "" && !nameTaken {
		r.Username = row.Username
	}
	replace(&r.FirstName, row.FirstName)
	replace(&r.LastName, row.LastName)
	replace(&r.Language, row.Language)
	o.renamed = old != nil && (r.FirstName != old.FirstName || r.LastName != old.LastName)
	r.Tags = field.AddTags(r.Tags, row.Tags)
	if t.List != "" {
		r.Lists = union(r.Lists, []string{t.List})
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

func replace(to *string, by string) {
	if by != "" {
		*to = by
	}
}

// union is a with what of b it lacks. It never writes into a.
func union(a, b []string) []string {
	for _, v := range b {
		if !slices.Contains(a, v) {
			a = append(slices.Clip(a), v)
		}
	}
	return a
}

// without is a without what is in b, and how many that took.
func without(a, b []string) (left []string, gone int) {
	for _, v := range a {
		if !slices.Contains(b, v) {
			left = append(left, v)
		}
	}
	return left, len(a) - len(left)
}

// periods are the year, month, day and hour of a time in UTC: the sets from which
// a span of time is put together without reading everybody in it.
func periods(t time.Time) []string {
	t = t.UTC()
	return []string{t.Format(layouts[0]), t.Format(layouts[1]), t.Format(layouts[2]), t.Format(layouts[3])}
}

var layouts = [...]string{"2006", "2006-01", "2006-01-02", "2006-01-02T15"}

// next begins the period after the one of a layout that t begins.
func next(t time.Time, layout int) time.Time {
	switch layout {
	case 0:
		return t.AddDate(1, 0, 0)
	case 1:
		return t.AddDate(0, 1, 0)
	case 2:
		return t.AddDate(0, 0, 1)
	}
	return t.Add(time.Hour)
}

// begins says whether t, in UTC, is the beginning of a period of that layout.
func begins(t time.Time, layout int) bool {
	from := len(layouts[layout])
	return t.Format(time.RFC3339Nano)[from:] == "0000-01-01T00:00:00Z"[from:]
}

// cover puts the hours from, inclusive, to to, exclusive, together of as few periods
// as there are. Both are whole hours in UTC.
func cover(from, to time.Time) (out []string) {
	for from.Before(to) {
		for layout := range layouts {
			if end := next(from, layout); begins(from, layout) && !end.After(to) {
				out, from = append(out, from.Format(layouts[layout])), end
				break
			}
		}
	}
	return out
}
