package org

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/user"
	"svc/store"
)

// ShownMember is a member as the API shows him.
type ShownMember struct {
	ID        string       `json:"id"`
	User      memberPerson `json:"user"`
	Role      perm.Role    `json:"role" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST"`
	CreatedAt time.Time    `json:"created_at"`
}

type memberPerson struct {
	ID          string      `json:"id"`
	Name        *string     `json:"name"`
	Email       string      `json:"email"`
	Status      user.Status `json:"status" enum:"ACTIVE,DISABLED"`
	MFAEnabled  bool        `json:"mfa_enabled"`
	LastLoginAt *time.Time  `json:"last_login_at"`
}

func (m *Member) show(u *user.User) ShownMember {
	return ShownMember{m.ID, memberPerson{u.ID, u.Name, u.Email, u.Status, u.MFAEnabled, u.LastLoginAt}, m.Role, m.CreatedAt}
}

type listMembersIn struct {
	api.PageIn
	Role perm.Role `query:"role" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST"`
	Sort string    `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listMembers(c *api.Call, tx *store.Tx, in listMembersIn) (out api.Page[ShownMember], err error) {
	var where []store.Cond[Member]
	if in.Role != "" {
		where = append(where, memberRole.Any(string(in.Role)))
	}
	page, err := members.Page(tx, c.Org, store.Query[Member]{Where: where, Reverse: strings.HasPrefix(in.Sort, "-"), Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	if err != nil {
		return out, err
	}
	rows, err := withPeople(tx, page.Data)
	out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
	return out, err
}

func withPeople(tx *store.Tx, list []Member) ([]ShownMember, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].UserID
	}
	people, err := user.GetMany(tx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]ShownMember, len(list))
	for i, u := range people {
		if u == nil {
			u = &user.User{ID: ids[i]}
		}
		rows[i] = list[i].show(u)
	}
	return rows, nil
}

type changeRoleIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Role perm.Role `json:"role" required:"true" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST"`
	}
}

func (s *Service) changeRole(c *api.Call, in changeRoleIn) (out ShownMember, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		m, u, err := memberAndPerson(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		before := m.Role
		if err := touches(c, before, in.Body.Role); err != nil {
			return err
		}
		if before != in.Body.Role {
			err = m.setRole(tx, c, &u, in.Body.Role)
		}
		out = m.show(&u)
		return err
	})
	return out, err
}

// setRole gives a member another role, unless the organization would be without an owner.
func (m *Member) setRole(tx *store.Tx, c *api.Call, u *user.User, role perm.Role) error {
	before := m.Role
	if err := keepsOwner(tx, c.Org, before); err != nil {
		return err
	}
	m.Role, m.UpdatedAt = role, tx.DB().Now()
	if err := saveMember(tx, c.Org, m); err != nil {
		return err
	}
	return audit.Write(tx, c, "member.role_changed", audit.On("member", m.ID, u.Label()), audit.Changed("role", before, m.Role))
}

func (s *Service) removeMember(c *api.Call, in idIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		m, u, err := memberAndPerson(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := touches(c, m.Role); err != nil {
			return err
		}
		if err := keepsOwner(tx, c.Org, m.Role); err != nil {
			return err
		}
		if err := members.Delete(tx, c.Org, m.ID); err != nil {
			return err
		}
		tx.Changed(Topic)
		return audit.Write(tx, c, "member.removed", audit.On("member", m.ID, u.Label()), audit.Changed("role", m.Role, nil))
	})
}

func memberAndPerson(tx *store.Tx, orgID, id string) (m Member, u user.User, err error) {
	if m, err = members.Get(tx, orgID, id); err != nil {
		return m, u, err
	}
	u, err = user.Get(tx, m.UserID)
	if store.IsNotFound(err) {
		u, err = user.User{ID: m.UserID}, nil
	}
	return m, u, err
}

// MemberToManage reads a member that the caller may manage: an OWNER only by an OWNER.
func MemberToManage(tx *store.Tx, c *api.Call, id string) (Member, user.User, error) {
	m, u, err := memberAndPerson(tx, c.Org, id)
	if err == nil {
		err = touches(c, m.Role)
	}
	return m, u, err
}

// keepsOwner refuses to take away the last OWNER.
func keepsOwner(tx *store.Tx, orgID string, losing perm.Role) error {
	if losing != perm.Owner {
		return nil
	}
	n, err := memberRole.Count(tx, orgID, string(perm.Owner))
	if err == nil && n <= 1 {
		err = ErrLastOwner
	}
	return err
}

func addMember(tx *store.Tx, orgID, userID string, role perm.Role) (Member, error) {
	all, err := Memberships(tx, userID)
	if err != nil {
		return Member{}, err
	}
	if len(all) >= MaxMemberships {
		return Member{}, errTooMany
	}
	now := tx.DB().Now()
	m := Member{ID: tx.DB().NewID("mem"), UserID: userID, Role: role, CreatedAt: now, UpdatedAt: now}
	tx.Changed(Topic)
	err = members.Insert(tx, orgID, &m)
	if store.Duplicate(err, "user") {
		err = ErrAlreadyMember
	}
	return m, err
}
