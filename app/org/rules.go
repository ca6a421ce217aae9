package org

import (
	"reflect"

	"svc/app/api"
	"svc/app/api/perm"
)

// touches says whether the caller may make, change or remove somebody of these
// roles: an OWNER may do everything, others nothing that makes or takes away an
// OWNER (contract 2).
func touches(c *api.Call, roles ...perm.Role) error {
	if c.Caller.Role == perm.Owner || c.Caller.Kind == api.Service || c.Administration() {
		return nil
	}
	for _, r := range roles {
		if r == perm.Owner {
			return errOwnersOnly
		}
	}
	return nil
}

// changed says whether anything but the time of the change differs.
func changed(before, after *Organization) bool {
	a := *after
	a.UpdatedAt = before.UpdatedAt
	return !reflect.DeepEqual(*before, a)
}
