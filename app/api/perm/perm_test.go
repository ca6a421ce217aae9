package perm_test

import (
	"slices"
	"testing"

	"svc/app/api/perm"
)

func TestRoles(t *testing.T) {
	all := perm.Owner.Permissions()
	if n := len(all.Names()); n != 22 {
		t.Fatalf("an owner has %d permissions, want all 22", n)
	}
	for _, tt := range []struct {
		role  perm.Role
		lacks []string
	}{
		{perm.Owner, []string{}},
		{perm.Admin, []string{}},
		{perm.Manager, []string{"org:manage", "members:manage", "accounts:manage", "proxies:manage", "audit:read", "developers:manage", "webhooks:manage", "billing:read"}},
		{perm.Operator, []string{"org:manage", "members:manage", "accounts:manage", "proxies:read", "proxies:manage", "recipients:manage", "campaigns:manage", "campaigns:execute", "audit:read", "developers:manage", "webhooks:read", "webhooks:manage", "billing:read", "ai:manage"}},
		{perm.Analyst, []string{"org:manage", "members:manage", "accounts:manage", "proxies:read", "proxies:manage", "recipients:manage", "campaigns:manage", "campaigns:execute", "developers:manage", "webhooks:manage", "ai:manage", "ai:operate"}},
		{perm.APIClient, []string{"members:manage", "developers:manage"}},
		{"STRANGER", all.Names()},
	} {
		if got := all.Without(tt.role.Permissions()).Names(); !slices.Equal(got, tt.lacks) {
			t.Errorf("%s lacks %v, want %v", tt.role, got, tt.lacks)
		}
	}
}

func TestSuspension(t *testing.T) {
	got := []string{}
	for p := range perm.Owner.Permissions().All() {
		if p.RefusedWhileSuspended() {
			got = append(got, p.String())
		}
	}
	want := []string{"org:manage", "members:manage", "accounts:manage", "proxies:manage", "recipients:manage", "campaigns:manage", "campaigns:execute", "developers:manage", "webhooks:manage", "ai:manage", "ai:operate"}
	if !slices.Equal(got, want) {
		t.Errorf("refused while suspended: %v\nwant %v", got, want)
	}
}

func TestNames(t *testing.T) {
	for p := range perm.Owner.Permissions().All() {
		if back, ok := perm.Parse(p.String()); !ok || back != p {
			t.Errorf("%s does not parse back", p)
		}
	}
	for _, name := range []string{"", "public", "signed-in", "platform-administrator", "org:write"} {
		if _, ok := perm.Parse(name); ok {
			t.Errorf("%q is a permission", name)
		}
	}
	for _, r := range perm.Roles() {
		if r.ForPeople() != (r != perm.APIClient) {
			t.Errorf("%s for people: %v", r, r.ForPeople())
		}
	}
}
