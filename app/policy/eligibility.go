package policy

import "time"

// Reason is why a person may not get a message (contract 4.5).
type Reason string

// The reasons, in the order in which they count: of somebody for whom several hold, the
// first is told.
const (
	OptedOut         Reason = "OPTED_OUT"
	Suppressed       Reason = "SUPPRESSED"
	UnknownConsent   Reason = "UNKNOWN_CONSENT"
	RecentlyMessaged Reason = "RECENTLY_MESSAGED"
)

// Person is what the rules must know of somebody.
type Person struct {
	OptedOut, Suppressed bool
	// Unknown: no basis for contact is recorded.
	Unknown bool
	// LastCampaignAt is when the last message of a campaign went to them; zero: never.
	LastCampaignAt time.Time
}

// Message is what the rules must know of a message.
type Message struct {
	// Campaign: it is one of a campaign. Replies and test messages ask for no basis.
	Campaign bool
	// AllowUnknown: the platform lets campaigns write to people without a basis.
	AllowUnknown bool
	// RestSince: who got a message of a campaign after this time is left alone; zero:
	// nobody is.
	RestSince time.Time
}

// Since is the RestSince of a campaign that leaves people alone for some days after a
// message; 0 days: for none.
func Since(now time.Time, days int) time.Time {
	if days <= 0 {
		return time.Time{}
	}
	return now.Add(-time.Duration(days) * 24 * time.Hour)
}

// Reasons are those that can keep somebody from a message, in their order.
func (m Message) Reasons() []Reason {
	out := []Reason{OptedOut, Suppressed}
	if !m.Campaign {
		return out
	}
	if !m.AllowUnknown {
		out = append(out, UnknownConsent)
	}
	if !m.RestSince.IsZero() {
		out = append(out, RecentlyMessaged)
	}
	return out
}

// holds compares one reason. Sets of people are compared with the same reasons by
// recipient.CountAudience.
func (m Message) holds(r Reason, p Person) bool {
	switch r {
	case OptedOut:
		return p.OptedOut
	case Suppressed:
		return p.Suppressed
	case UnknownConsent:
		return p.Unknown
	default: // RecentlyMessaged
		return p.LastCampaignAt.After(m.RestSince)
	}
}

// Objections are all reasons why a person may not get a message.
func (m Message) Objections(p Person) (out []Reason) {
	for _, r := range m.Reasons() {
		if m.holds(r, p) {
			out = append(out, r)
		}
	}
	return out
}

// Objection is the first reason why a person may not get a message; "" when they may.
func (m Message) Objection(p Person) Reason {
	for _, r := range m.Reasons() {
		if m.holds(r, p) {
			return r
		}
	}
	return ""
}
