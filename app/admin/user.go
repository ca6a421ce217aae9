package admin

import (
	"errors"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
)

func (s *Service) userEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/users", "list_users", "List people, newest first.", api.Read(s.db, s.listUsers)),
		e("PATCH /admin/users/{id}", "update_user", "Choose how many organizations a person may own.", s.updateUser),
		e("POST /admin/users/{id}/disable", "disable_user", "Keep a person from signing in and end his sessions.", s.disableUser, api.Errors(api.ErrConflict)),
		e("POST /admin/users/{id}/password-reset", "reset_user_password", "Make a link for a new password of a person, to hand over; the link is in this answer only.", s.resetUserPassword,
			api.OneTime("url"), api.Errors(session.ErrResetRefused, session.ErrUserDisabled)),
		e("POST /admin/users/{id}/enable", "enable_user", "Let a disabled person sign in again.", s.enableUser),
	}
}

// User is a person as administrators see him (contract 17).
type User struct {
	ID              string       `json:"id"`
	Email           string       `json:"email"`
	Name            *string      `json:"name"`
	Status          user.Status  `json:"status" enum:"ACTIVE,DISABLED"`
	DisabledReason  *string      `json:"disabled_reason"`
	IsPlatformAdmin bool         `json:"is_platform_admin"`
	MFAEnabled      bool         `json:"mfa_enabled"`
	Organizations   []Membership `json:"organizations"`
	Most            int          `json:"max_organizations" doc:"How many the person may own." example:"3"`
	LastLoginAt     *time.Time   `json:"last_login_at"`
	CreatedAt       time.Time    `json:"created_at"`
}

// Membership is where a person belongs.
type Membership struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role perm.Role `json:"role" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST"`
}

func showUser(tx *store.Tx, u *user.User) (User, error) {
	out := User{
		ID: u.ID, Email: u.Email, Name: u.Name, Status: u.Status, DisabledReason: u.DisabledReason, IsPlatformAdmin: u.IsPlatformAdmin,
		MFAEnabled: u.MFAEnabled, Organizations: []Membership{}, Most: u.MaxOrganizations(), LastLoginAt: u.LastLoginAt, CreatedAt: u.CreatedAt,
	}
	list, err := org.Memberships(tx, u.ID)
	for i := range list {
		if err != nil {
			break
		}
		var o org.Organization
		if o, err = org.Get(tx, list[i].Org); errors.Is(err, store.ErrNotFound) {
			err = nil
			continue
		}
		out.Organizations = append(out.Organizations, Membership{o.ID, o.Name, list[i].Record.Role})
	}
	return out, err
}

type listUsersIn struct {
	api.PageIn
	Q      string      `query:"q" minLength:"2" maxLength:"254" doc:"The beginning of an address, of a name or of a word in it; or, with an @, of what stands behind that of the address."`
	Status user.Status `query:"status" enum:"ACTIVE,DISABLED"`
	Sort   string      `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listUsers(_ *api.Call, tx *store.Tx, in listUsersIn) (out api.Page[User], err error) {
	page, err := user.List(tx, user.Filter{Q: in.Q, Status: in.Status}, strings.HasPrefix(in.Sort, "-"), in.PageIn)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *user.User) (User, error) { return showUser(tx, x) })
}

type updateUserIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Most api.PatchNull[int] `json:"max_organizations" minimum:"0" maximum:"100" doc:"How many the person may own; null for the 3 of everybody." example:"10"`
	}
}

func (s *Service) updateUser(c *api.Call, in updateUserIn) (out User, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		u, err := user.Get(tx, in.ID)
		if err == nil && in.Body.Most.Set {
			u, err = user.SetMaxOrganizations(tx, c, in.ID, in.Body.Most.Value)
		}
		if err != nil {
			return err
		}
		out, err = showUser(tx, &u)
		return err
	})
	return out, err
}

func (s *Service) disableUser(c *api.Call, body reasonIn) (out User, err error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return out, err
	}
	if body.ID == c.Caller.ID {
		return out, errSelf
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		u, err := user.Get(tx, body.ID)
		if err != nil {
			return err
		}
		if err := keepsAdministrator(tx, &u); err != nil {
			return err
		}
		if u, err = s.o.Users.Disable(tx, c, u.ID, reason); err != nil {
			return err
		}
		out, err = showUser(tx, &u)
		return err
	})
	return out, err
}

// keepsAdministrator refuses what would leave the platform without an administrator: the
// caller may have been disabled since the request began.
func keepsAdministrator(tx *store.Tx, u *user.User) error {
	others, err := user.Administrators(tx, u.ID)
	if err == nil && u.IsPlatformAdmin && others == 0 {
		err = errLast
	}
	return err
}

func (s *Service) enableUser(c *api.Call, in idIn) (out User, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		u, err := s.o.Users.Enable(tx, c, in.ID)
		if err != nil {
			return err
		}
		out, err = showUser(tx, &u)
		return err
	})
	return out, err
}

func (s *Service) resetUserPassword(c *api.Call, in idIn) (out api.Created[session.ResetLink], err error) {
	token := org.NewToken()
	err = s.db.Update(c, func(tx *store.Tx) error {
		l, err := session.MakeResetLink(tx, c, in.ID, token)
		out = api.New(l)
		return err
	})
	return out, err
}
