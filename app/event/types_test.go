package event

import (
	"slices"
	"strings"
	"testing"

	"svc/app/api/perm"
)

// TestEveryTypeIsVisibleToSomebody: Perm panics for one that is not.
func TestEveryTypeIsVisibleToSomebody(t *testing.T) {
	seen := map[Type]bool{}
	for _, kind := range Types() {
		if seen[kind] || !kind.Valid() || !strings.Contains(string(kind), ".") {
			t.Errorf("%s: twice, not valid, or without a dot", kind)
		}
		seen[kind] = true
		if !perm.Owner.Permissions().Has(kind.Perm()) {
			t.Errorf("%s needs %s, which no owner has", kind, kind.Perm())
		}
	}
	if Type("campaign.*").Valid() || Type("").Valid() {
		t.Error("a pattern or nothing is a type")
	}
}

// TestVisible is the sentence of contract 2.1.
func TestVisible(t *testing.T) {
	for _, tt := range []struct {
		perm     perm.Perm
		prefixes []string
	}{
		{perm.CampaignsRead, []string{"campaign.", "message."}},
		{perm.RecipientsRead, []string{"recipient."}},
		{perm.AccountsRead, []string{"account.", "channels."}},
		{perm.AIRead, []string{"ai."}},
		{perm.WebhooksRead, []string{"webhook."}},
		{perm.OrgManage, nil},
	} {
		var want []Type
		for _, kind := range types {
			if slices.ContainsFunc(tt.prefixes, func(p string) bool { return strings.HasPrefix(string(kind), p) }) {
				want = append(want, kind)
			}
		}
		if got := Visible(perm.Of(tt.perm)); !slices.Equal(got, want) {
			t.Errorf("%s sees %v, want %v", tt.perm, got, want)
		}
	}
}

func TestSees(t *testing.T) {
	personal := &Stored{Event: Event{Type: ConversationMessage}, Personal: true}
	usual := &Stored{Event: Event{Type: ConversationMessage}}
	reader, manager := perm.Of(perm.AIRead), perm.Of(perm.AIRead, perm.AccountsManage)
	for _, tt := range []struct {
		e    *Stored
		who  perm.Set
		want bool
	}{
		{usual, reader, true}, {personal, reader, false}, {personal, manager, true}, {usual, perm.Of(perm.CampaignsRead), false},
	} {
		if got := tt.e.Sees(tt.who); got != tt.want {
			t.Errorf("personal %v, with %v: %v", tt.e.Personal, tt.who.Names(), got)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		patterns []string
		want     []Type
		ok       bool
	}{
		{[]string{"campaign.paused"}, []Type{CampaignPaused}, true},
		{[]string{"recipient.import*", "recipient.imported"}, []Type{RecipientImportProgress, RecipientImported}, true},
		{[]string{"message.*", "webhook.test"}, []Type{MessageDelivered, MessageFailed, MessageSkipped, WebhookTest}, true},
		{[]string{"campaign"}, nil, false},
		{[]string{"webhook.test", "nothing.*"}, []Type{WebhookTest}, false},
		{[]string{""}, nil, false},
		{[]string{"*.paused"}, nil, false},
		{nil, nil, true},
	} {
		got, ok := Match(tt.patterns)
		if ok != tt.ok || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, %v; want %v, %v", tt.patterns, got, ok, tt.want, tt.ok)
		}
	}
	if got, ok := Match([]string{"*"}); !ok || len(got) != len(types) {
		t.Errorf("*: %d types, %v", len(got), ok)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("campaign.*")
	f.Add("**")
	f.Fuzz(func(t *testing.T, pattern string) {
		got, ok := Match([]string{pattern})
		if ok != (len(got) > 0) {
			t.Errorf("%q: %v, %v", pattern, got, ok)
		}
		for _, kind := range got {
			if !kind.Valid() {
				t.Errorf("%q matches %q", pattern, kind)
			}
		}
	})
}
