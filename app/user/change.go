package user

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/signal"
	"svc/store"
)

// Fields are what a new person begins with. Password is a hash (Service.Hash),
// Email one that CheckEmail gave back.
type Fields struct {
	Email, Password string
	Name            *string
	IsPlatformAdmin bool
	Language        string // uz, ru, en, or "" for none
}

// Add makes a person. An address that somebody has is ErrEmailTaken.
func Add(tx *store.Tx, c *api.Call, f Fields) (User, error) {
	now := tx.DB().Now()
	name, err := cleanName(f.Name)
	if err != nil {
		return User{}, err
	}
	u := User{
		ID: tx.DB().NewID("usr"), Email: f.Email, Name: name, IsPlatformAdmin: f.IsPlatformAdmin, Status: Active, Language: f.Language,
		CreatedAt: now, UpdatedAt: now, Password: f.Password,
	}
	if err := table.Insert(tx, store.Platform, &u); store.Duplicate(err, "email") {
		return User{}, ErrEmailTaken
	} else if err != nil {
		return User{}, err
	}
	return u, audit.WriteTo(tx, store.Platform, c, "user.created", audit.On("user", u.ID, u.Label()))
}

// Rename changes the name; nil takes it away.
func Rename(tx *store.Tx, c *api.Call, id string, name *string) (User, error) {
	var before *string
	name, err := cleanName(name)
	if err != nil {
		return User{}, err
	}
	u, err := edit(tx, id, func(u *User) error {
		before, u.Name, u.UpdatedAt = u.Name, name, tx.DB().Now()
		return nil
	})
	if err != nil {
		return User{}, err
	}
	return u, audit.Write(tx, c, "user.updated", audit.On("user", u.ID, u.Label()), audit.Changed("name", before, u.Name))
}

// SetPreferences changes the language of mails and which notifications come by mail;
// nil leaves one as it is.
func SetPreferences(tx *store.Tx, c *api.Call, id string, language *string, choice *MailChoice) error {
	var changes []audit.Detail
	u, err := edit(tx, id, func(u *User) error {
		if language != nil && *language != u.Language {
			changes = append(changes, audit.Changed("language", u.Language, *language))
			u.Language = *language
		}
		if choice != nil && *choice != u.MailChoice() {
			changes = append(changes, audit.Changed("mail_notifications", u.MailChoice(), *choice))
			u.Mail = *choice
		}
		if len(changes) > 0 {
			u.UpdatedAt = tx.DB().Now()
		}
		return nil
	})
	if err != nil || len(changes) == 0 {
		return err
	}
	return audit.Write(tx, c, "user.updated", audit.On("user", u.ID, u.Label()), changes...)
}

// SetEmail gives a person another address, one that CheckEmail gave back. One that
// somebody else has is ErrEmailTaken.
func SetEmail(tx *store.Tx, c *api.Call, id, email string) (User, error) {
	before := ""
	u, err := edit(tx, id, func(u *User) error {
		before, u.Email, u.UpdatedAt = u.Email, email, tx.DB().Now()
		return nil
	})
	if store.Duplicate(err, "email") {
		return u, ErrEmailTaken
	}
	if err != nil {
		return u, err
	}
	return u, audit.Write(tx, c, "user.email_changed", audit.On("user", u.ID, u.Label()), audit.Changed("email", before, email))
}

// SetMaxOrganizations chooses how many organizations a person may own; nil is the default.
func SetMaxOrganizations(tx *store.Tx, c *api.Call, id string, n *int) (User, error) {
	before := 0
	u, err := edit(tx, id, func(u *User) error {
		before = u.MaxOrganizations()
		u.Organizations, u.UpdatedAt = n, tx.DB().Now()
		return nil
	})
	if err != nil || before == u.MaxOrganizations() {
		return u, err
	}
	return u, audit.WriteTo(tx, store.Platform, c, "user.updated", audit.On("user", u.ID, u.Label()), audit.Changed("max_organizations", before, u.MaxOrganizations()))
}

// SetPassword replaces the hash of the password. The caller ends sessions.
func SetPassword(tx *store.Tx, c *api.Call, id, hash string) error {
	u, err := edit(tx, id, func(u *User) error {
		u.Password, u.UpdatedAt = hash, tx.DB().Now()
		return nil
	})
	if err != nil {
		return err
	}
	return audit.Write(tx, c, "user.password_changed", audit.On("user", u.ID, u.Label()), audit.Hidden("password"))
}

// SignedIn notes when a person signed in. Nobody has to hear of it.
func SignedIn(tx *store.Tx, id string, at time.Time) (User, error) {
	return table.Edit(tx, store.Platform, id, func(u *User) error {
		u.LastLoginAt = &at
		return nil
	})
}

// Promote makes a person a platform administrator.
func Promote(tx *store.Tx, c *api.Call, id string) error {
	u, err := edit(tx, id, func(u *User) error {
		u.IsPlatformAdmin, u.UpdatedAt = true, tx.DB().Now()
		return nil
	})
	if err != nil {
		return err
	}
	return audit.WriteTo(tx, store.Platform, c, "user.promoted", audit.On("user", u.ID, u.Label()), audit.Changed("is_platform_admin", false, true))
}

// Disable keeps a person from signing in and ends his sessions. One who is
// disabled already stays as he is.
func (s *Service) Disable(tx *store.Tx, c *api.Call, id, reason string) (User, error) {
	u, changed, err := setStatus(tx, id, Inactive, &reason)
	if err != nil || !changed {
		return u, err
	}
	if err := signal.Publish(s.bus, tx, c, Disabled{id}); err != nil {
		return u, err
	}
	return u, audit.WriteTo(tx, store.Platform, c, "user.disabled", audit.On("user", u.ID, u.Label()), audit.Because(reason))
}

// Enable lets a disabled person sign in again.
func (s *Service) Enable(tx *store.Tx, c *api.Call, id string) (User, error) {
	u, changed, err := setStatus(tx, id, Active, nil)
	if err != nil || !changed {
		return u, err
	}
	return u, audit.WriteTo(tx, store.Platform, c, "user.enabled", audit.On("user", u.ID, u.Label()))
}

func setStatus(tx *store.Tx, id string, to Status, reason *string) (u User, changed bool, err error) {
	u, err = Get(tx, id)
	if err != nil || u.Status == to {
		return u, false, err
	}
	u.Status, u.DisabledReason, u.UpdatedAt = to, reason, tx.DB().Now()
	return u, true, put(tx, &u)
}
