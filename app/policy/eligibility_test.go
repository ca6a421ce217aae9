package policy

import (
	"slices"
	"testing"
	"time"
)

// TestObjections: who may get what, and the order of the reasons (contract 4.5).
func TestObjections(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	campaign := Message{Campaign: true, RestSince: Since(now, 3)}
	lenient := Message{Campaign: true, AllowUnknown: true}
	everything := Person{OptedOut: true, Suppressed: true, Unknown: true, LastCampaignAt: now}
	for _, tt := range []struct {
		name string
		m    Message
		p    Person
		want []Reason
	}{
		{"nothing against it", campaign, Person{}, nil},
		{"all of it", campaign, everything, []Reason{OptedOut, Suppressed, UnknownConsent, RecentlyMessaged}},
		{"a reply asks for no basis and no rest", Message{}, everything, []Reason{OptedOut, Suppressed}},
		{"people without a basis are allowed", lenient, Person{Unknown: true, LastCampaignAt: now}, nil},
		{"a message within the days", campaign, Person{LastCampaignAt: now.Add(-71 * time.Hour)}, []Reason{RecentlyMessaged}},
		{"a message as many days ago", campaign, Person{LastCampaignAt: now.Add(-72 * time.Hour)}, nil},
		{"an opt-out is for ever", lenient, Person{OptedOut: true}, []Reason{OptedOut}},
	} {
		got := tt.m.Objections(tt.p)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		first := Reason("")
		if len(tt.want) > 0 {
			first = tt.want[0]
		}
		if why := tt.m.Objection(tt.p); why != first {
			t.Errorf("%s: first %q, want %q", tt.name, why, first)
		}
	}
}
