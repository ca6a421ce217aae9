package api_test

import (
	"errors"
	"testing"

	"svc/app/api"
	"svc/app/api/perm"
)

func noop(*api.Call, struct{}) (api.NoContent, error) { return api.NoContent{}, nil }

// TestAuthorize is the order of refusals of contract 44.
func TestAuthorize(t *testing.T) {
	var (
		public  = api.E("POST /public", "t.public", perm.Public, "x", noop)
		me      = api.E("GET /me", "t.me", perm.Anyone, "x", noop, api.BeforeMFA())
		mine    = api.E("POST /mine", "t.mine", perm.Anyone, "x", noop, api.ForPersons(api.ErrNotApplicable))
		read    = api.E("GET /recipients", "t.read", perm.RecipientsRead, "x", noop)
		manage  = api.E("POST /recipients", "t.manage", perm.RecipientsManage, "x", noop)
		connect = api.E("POST /accounts", "t.connect", perm.AccountsManage, "x", noop, api.ForPersons(api.ErrPersonRequired))
		team    = api.E("POST /invitations", "t.team", perm.MembersManage, "x", noop, api.ForPersons(api.ErrPersonRequired))
		admin   = api.E("GET /admin/x", "t.admin", perm.Administrator, "x", noop)
		leave   = api.E("POST /me/support/end", "t.leave", perm.Anyone, "x", noop, api.InSupport())
	)
	person := func(role perm.Role, change func(*api.Call)) *api.Call {
		c := api.NewCall(t.Context(), nil)
		c.Org, c.Caller = "org_1", api.Caller{Kind: api.Person, Role: role, Perms: role.Permissions()}
		if change != nil {
			change(c)
		}
		return c
	}
	key := func(change func(*api.Call)) *api.Call {
		return person(perm.APIClient, func(c *api.Call) {
			c.Caller.Kind, c.Caller.APIAccess = api.Key, true
			if change != nil {
				change(c)
			}
		})
	}
	nobody := api.NewCall(t.Context(), nil)
	for _, tt := range []struct {
		name string
		call *api.Call
		e    api.Endpoint
		want *api.Error
	}{
		{"anybody, public", nobody, public, nil},
		{"nobody", nobody, read, api.ErrUnauthenticated},
		{"waiting for a code", person(perm.Owner, func(c *api.Call) { c.Caller.MFAPending = true }), read, api.ErrMFARequired},
		{"waiting for a code, who am I", person(perm.Owner, func(c *api.Call) { c.Caller.MFAPending = true }), me, nil},
		{"owner", person(perm.Owner, nil), manage, nil},
		{"operator reads", person(perm.Operator, nil), read, nil},
		{"operator changes", person(perm.Operator, nil), manage, api.ErrForbidden},
		{"no organization", person(perm.Owner, func(c *api.Call) { c.Org = "" }), read, api.ErrNoOrganization},
		{"suspended, reads", person(perm.Owner, func(c *api.Call) { c.Suspended = true }), read, nil},
		{"suspended, changes", person(perm.Owner, func(c *api.Call) { c.Suspended = true }), manage, api.ErrSuspended},
		{"suspended, and not permitted anyway", person(perm.Operator, func(c *api.Call) { c.Suspended = true }), manage, api.ErrForbidden},
		{"key", key(nil), manage, nil},
		{"key without API access", key(func(c *api.Call) { c.Caller.APIAccess = false }), read, api.ErrPlanLimit},
		{"key, a person's own", key(nil), mine, api.ErrNotApplicable},
		{"key, needs a person", key(nil), connect, api.ErrPersonRequired},
		{"key, team", key(nil), team, api.ErrForbidden},
		{"key, administration", key(nil), admin, api.ErrForbidden},
		{"member, administration", person(perm.Owner, nil), admin, api.ErrForbidden},
		{"administrator without two-factor", person(perm.Owner, func(c *api.Call) { c.Caller.Administrator = true }), admin, api.ErrMFAEnrollment},
		{"administrator", person(perm.Owner, func(c *api.Call) { c.Caller.Administrator, c.Caller.Verified = true, true }), admin, nil},
		{"support reads", person(perm.Owner, func(c *api.Call) { c.Caller.Support = "ssn_1" }), read, nil},
		{"support changes", person(perm.Owner, func(c *api.Call) { c.Caller.Support = "ssn_1" }), manage, api.ErrSupportReadOnly},
		{"support leaves", person(perm.Owner, func(c *api.Call) { c.Caller.Support = "ssn_1" }), leave, nil},
		{"support, administration", person(perm.Owner, func(c *api.Call) { c.Caller.Support, c.Caller.Administrator = "ssn_1", true }), admin, api.ErrSupportSession},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.call.Authorize(&tt.e)
			if tt.want == nil && err == nil {
				return
			}
			if tt.want == nil || !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}
