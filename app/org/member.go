package org

import (
	"time"

	"svc/app/api/perm"
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
	tx.Notify(Topic)
	return members.Put(tx, orgID, m)
}

// MaxMemberships bounds in how many organizations one person can be.
const MaxMemberships = 100

// Memberships are the organizations of a person, in the order of their ids.
func Memberships(tx *store.Tx, userID string) ([]store.Of[Member], error) {
	list, _, err := memberships.Walk(tx, store.Range{Span: store.Is(store.Text(userID)), Limit: MaxMemberships})
	return list, err
}
