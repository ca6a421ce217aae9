package recipient

import (
	"slices"
	"time"

	"svc/app/policy"
	"svc/app/recipient/field"
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
