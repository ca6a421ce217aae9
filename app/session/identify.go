package session

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/session/apikey"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
)

// identity is what a credential stands for.
type identity struct {
	caller  api.Caller
	user    *user.User
	session *Session
	key     *apikey.Key
	org     *org.Organization // the active one; nil for none
	// until is when time alone makes another identity of it.
	until time.Time
}

// endsBy notes that something ends at a time.
func (w *identity) endsBy(t *time.Time) {
	if t != nil && (w.until.IsZero() || t.Before(w.until)) {
		w.until = *t
	}
}

// Identify finds out who makes a call: it fills Caller, Org, Suspended and Alive.
// No credential is Nobody and no error. One that is not good, or not any more, is
// ErrCredentials; the session of a disabled person is ErrUserDisabled. It reads
// from one state of the store and writes nothing.
func (s *Service) Identify(c *api.Call, cred Credential) error {
	if cred.Bearer == "" && cred.Cookie == "" {
		return nil
	}
	now := s.db.Now()
	id, generation, found := s.cache.get(c, cred, now)
	if !found {
		var err error
		if id, err = s.identify(c, cred); err != nil {
			return err
		}
		s.cache.put(cred, id, generation)
	}
	c.Caller, c.Org, c.Suspended = id.caller, id.org, id.suspended
	ctx, in := c.Context, c.Org
	c.Alive = func() (alive bool) {
		c.Caller.Perms, alive = s.alive(ctx, cred, in)
		return alive
	}
	s.uses.note(id.use, now, c.IP)
	return nil
}

func (s *Service) identify(ctx context.Context, cred Credential) (out cachedIdentity, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		who, err := resolve(tx, cred)
		if err != nil {
			return err
		}
		out = who.cached()
		return nil
	})
	return out, err
}

// resolve is who a credential stands for; a bearer counts before a cookie.
func resolve(tx *store.Tx, cred Credential) (identity, error) {
	if cred.Bearer != "" {
		return ofBearer(tx, cred.Bearer)
	}
	return ofCookie(tx, cred)
}

// cachedIdentity is what stays of an identity between requests.
func (w *identity) cached() cachedIdentity {
	k := cachedIdentity{caller: w.caller, until: w.until}
	if w.org != nil {
		k.org, k.suspended = w.org.ID, w.org.Status == org.Suspended
	}
	if w.key != nil {
		k.use = use{true, k.org, w.key.ID}
	} else {
		k.use = use{false, "", w.session.ID}
	}
	return k
}

// alive says whether a credential is still good in that organization, and for what.
// A session whose person turned two-factor on elsewhere waits for its code again.
func (s *Service) alive(ctx context.Context, cred Credential, in string) (may perm.Set, alive bool) {
	if id, _, found := s.cache.get(ctx, cred, s.db.Now()); found && id.org == in {
		return id.caller.Perms, !id.caller.MFAPending // nothing changed since
	}
	err := s.db.View(ctx, func(tx *store.Tx) error {
		who, err := resolve(tx, cred)
		if err != nil {
			return err
		}
		if who.caller.MFAPending {
			return ErrCredentials
		}
		if in != "" && (who.org == nil || who.org.ID != in) { // the person looks at another one now
			if who.user == nil {
				return ErrCredentials
			}
			m, err := org.MemberOf(tx, in, who.user.ID)
			if err != nil {
				return err
			}
			if err := who.enter(tx, in, m.Role, m.Role.Permissions()); err != nil {
				return err
			}
		}
		may = who.caller.Perms
		return nil
	})
	return may, err == nil
}

func ofCookie(tx *store.Tx, cred Credential) (who identity, err error) {
	if len(cred.Cookie) > maxCookie {
		return who, ErrCredentials
	}
	hash, err := tx.Hash(sessionPurpose, cred.Cookie)
	if err != nil {
		return who, err
	}
	s, err := byToken.Find(tx, store.Platform, store.Text(hash))
	if err != nil {
		return who, orCredentials(err)
	}
	if !tx.DB().Now().Before(s.ExpiresAt) || s.HostCookie && cred.PlainName {
		return who, ErrCredentials
	}
	u, err := user.Get(tx, s.UserID)
	if err != nil {
		return who, orCredentials(err)
	}
	return person(tx, &s, &u)
}

// person is who a session stands for.
func person(tx *store.Tx, s *Session, u *user.User) (who identity, err error) {
	if u.Status != user.Active {
		return who, ErrUserDisabled
	}
	who = identity{user: u, session: s, caller: api.Caller{
		Kind: api.Person, ID: u.ID, Name: u.Label(), Session: s.ID,
		MFAPending:    u.MFAEnabled && !s.MFAVerified,
		Administrator: u.IsPlatformAdmin, Verified: s.MFAVerified && (u.MFAEnabled || s.Passkey != ""),
	}}
	who.endsBy(&s.ExpiresAt)
	active, role := s.Org, perm.Role("")
	if s.inSupport(tx.DB().Now()) {
		// What changes is refused by the session being one of support, not by a role.
		who.endsBy(&s.Support.ExpiresAt)
		who.caller.Support, active, role = s.Support.ID, s.Support.Org, perm.Owner
	} else if active != "" {
		m, err := org.MemberOf(tx, active, u.ID)
		if errors.Is(err, store.ErrNotFound) {
			return who, nil
		}
		if err != nil {
			return who, err
		}
		role = m.Role
	}
	return who, who.enter(tx, active, role, role.Permissions())
}

// joinOrganization makes an organization the active one. One that is gone is none.
func (w *identity) enter(tx *store.Tx, id string, role perm.Role, may perm.Set) error {
	if id == "" {
		return nil
	}
	o, err := org.Get(tx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	settings, err := setting.Get(tx)
	if err != nil {
		return err
	}
	if !settings.AIEnabled || !o.AIEnabled {
		may = may.Without(perm.AIPermissions)
	}
	w.org, w.caller.Role, w.caller.Perms = &o, role, may
	return nil
}

func ofBearer(tx *store.Tx, bearer string) (who identity, err error) {
	if len(bearer) > maxBearer {
		return who, ErrCredentials
	}
	k, in, until, err := apikey.Find(tx, bearer)
	if err != nil {
		return who, err
	}
	who = identity{until: until, key: &k, caller: api.Caller{Kind: api.Key, ID: k.ID, Name: k.Name}}
	if err := who.enter(tx, in, perm.APIClient, k.Perms()); err != nil {
		return who, err
	}
	if who.org == nil {
		return who, ErrCredentials
	}
	who.caller.APIAccess = who.org.Allows(org.LimitAPIAccess)
	return who, nil
}

// orCredentials makes what is not there a credential that is not good.
func orCredentials(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return ErrCredentials
	}
	return err
}
