package org

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/user"
	"svc/store"
)

// Member says that a person belongs to an organization, in a role.
type Member struct {
	ID        string    `json:"id"`
	UserID    string    `json:"user_id"`
	Role      perm.Role `json:"role"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

var (
	members      = store.NewTable("member", "mem", func(m *Member) string { return m.ID })
	memberByUser = members.Unique("user", func(m *Member) store.Key { return store.Text(m.UserID) })
	memberships  = members.MultiAcross("user_across", func(m *Member) []store.Key { return []store.Key{store.Text(m.UserID)} })
	memberRole   = members.Facet("role", func(m *Member) []string { return []string{string(m.Role)} })
)

// MemberOf reads the membership of a person: store.ErrNotFound when he has none.
func MemberOf(tx *store.Tx, orgID, userID string) (Member, error) {
	return memberByUser.Find(tx, orgID, store.Text(userID))
}

func saveMember(tx *store.Tx, orgID string, m *Member) error {
	tx.Changed(Topic)
	return members.Put(tx, orgID, m)
}

// MaxMemberships bounds in how many organizations one person can be.
const MaxMemberships = 100

// CountMembers is how many people belong to an organization; open invitations are not
// among them.
func CountMembers(tx *store.Tx, orgID string) (int, error) { return members.Count(tx, orgID) }

// Memberships are the organizations of a person, in the order of their ids.
func Memberships(tx *store.Tx, userID string) ([]store.Of[Member], error) {
	list, _, err := memberships.Walk(tx, store.Range{Span: store.Is(store.Text(userID)), Limit: MaxMemberships})
	return list, err
}

// Person is a member with the person.
type Person struct {
	Role perm.Role
	User user.User
}

// People are the members of an organization whose person is there; at most
// maxMembers.
func People(tx *store.Tx, orgID string) ([]Person, error) {
	page, err := members.Page(tx, orgID, store.Query[Member]{Limit: maxMembers})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(page.Data))
	for i := range page.Data {
		ids[i] = page.Data[i].UserID
	}
	found, err := user.GetMany(tx, ids)
	if err != nil {
		return nil, err
	}
	var out []Person
	for i, u := range found {
		if u != nil {
			out = append(out, Person{page.Data[i].Role, *u})
		}
	}
	return out, nil
}

// maxMembers bounds how many people of one organization hear of something by mail.
const maxMembers = 500

// MayCreate refuses a person who may not make another organization (contract 21.3,
// Suspension): with api.ErrSuspended when every one that they belong to is suspended, so
// that who was kept from sending does not go on under another name, and with
// api.ErrPlanLimit for the owner of as many as the person may own. Who belongs to none
// may make one.
func MayCreate(tx *store.Tx, userID string) error {
	list, err := Memberships(tx, userID)
	switch {
	case err != nil || len(list) == 0:
		return err
	case len(list) >= MaxMemberships:
		return errTooMany
	}
	active, owned := false, 0
	for i := range list {
		o, err := Get(tx, list[i].Org)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		active = active || o.Status == Active
		if list[i].Record.Role == perm.Owner {
			owned++
		}
	}
	if !active {
		return api.ErrSuspended.WithMessage("Every organization that you belong to is suspended, so you cannot make another; ask the administrator of this service.")
	}
	u, err := user.Get(tx, userID)
	if err != nil || owned < u.MaxOrganizations() {
		return err
	}
	return api.ErrPlanLimit.WithMessage("You own %d organizations, and may own %d; ask the administrator of this service to allow more.", owned, u.MaxOrganizations())
}
