package session

import (
	"errors"
	"maps"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/session/apikey"
	"svc/app/session/guess"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
)

type signupIn struct {
	Body struct {
		Name         *string `json:"name" nullable:"true" maxLength:"120"`
		Email        string  `json:"email" required:"true" maxLength:"254" example:"olga@example.com"`
		Password     string  `json:"password" required:"true" maxLength:"1024" doc:"At least 10 characters."`
		Organization string  `json:"organization_name" required:"true" maxLength:"480"`
		Timezone     string  `json:"timezone" maxLength:"64" example:"Asia/Tashkent"`
		Language     string  `json:"language" enum:"uz,ru,en" doc:"Of mails to you."`
		SetupToken   string  `json:"setup_token" maxLength:"100" doc:"From the link that the service printed when it first started: makes the first person the platform's administrator."`
	}
}

// check reads who signs up, and the organization that they begin.
func (in *signupIn) check() (person user.Fields, begun org.Fields, err error) {
	b := &in.Body
	email, err := user.CheckEmail("email", b.Email)
	person = user.Fields{Email: email, Name: b.Name, Language: b.Language}
	begun = org.Fields{Name: b.Organization, Timezone: b.Timezone}
	return person, begun, api.AllWrong(err, user.CheckPassword("password", b.Password), named(begun.Check(), "name", "organization_name"))
}

func (s *Service) signup(c *api.Call, in signupIn) (out api.Created[Payload], err error) {
	person, begun, err := in.check()
	if err != nil {
		return out, err
	}
	b := &in.Body
	if err := s.db.View(c, func(tx *store.Tx) error { _, err := mayJoin(tx, b.SetupToken); return err }); err != nil {
		return out, err
	}
	if person.Password, err = s.users.Hash(c, b.Password); err != nil {
		return out, err
	}
	token, ttl := org.NewToken(), time.Duration(0)
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, life, err := s.join(tx, c, person, begun, b.SetupToken, token)
		out, ttl = api.New(p), life
		return err
	})
	if err == nil {
		s.SetCookie(c, token, ttl)
	}
	return out, err
}

// join adds a person with an organization of their own and opens their first session.
func (s *Service) join(tx *store.Tx, c *api.Call, person user.Fields, begun org.Fields, setupToken, token string) (p Payload, ttl time.Duration, err error) {
	if person.IsPlatformAdmin, err = mayJoin(tx, setupToken); err != nil {
		return p, 0, err
	}
	u, err := user.Add(tx, c, person)
	if err != nil {
		return p, 0, err
	}
	if person.IsPlatformAdmin {
		if err := endSetup(tx); err != nil {
			return p, 0, err
		}
	}
	begun.Owner = u.ID
	o, err := org.Create(tx, As(c, &u, ""), begun)
	if err != nil {
		return p, 0, err
	}
	return s.open(tx, c, &u, o.ID, token, Opening{})
}

// mayJoin refuses a sign-up while they are closed; first says that it is that of
// the first administrator.
func mayJoin(tx *store.Tx, setupToken string) (first bool, err error) {
	settings, err := setting.Get(tx)
	if err != nil {
		return false, err
	}
	if setupToken != "" {
		if first, err = goodSetup(tx, setupToken); err != nil || first {
			return first, err
		}
	}
	switch {
	case !settings.SignupsOpen:
		return false, ErrSignupsClosed
	case setupToken != "":
		return false, api.Wrong("setup_token", "is not valid or was used; leave it out, or restart the service for a new link")
	}
	return false, nil
}

// named is a validation_failed with a field by the name it has here.
func named(err error, from, to string) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Details[from] == "" {
		return err
	}
	details := maps.Clone(e.Details)
	details[to] = details[from]
	delete(details, from)
	return api.WrongFields(details)
}

// Opening says what a session was opened with, beside a password.
type Opening struct {
	// Passkey opened it; Both: and it verified its person, which counts as both factors.
	Passkey string
	Both    bool
}

// SignIn opens a session of a person who proved who they are, and answers it, or the word
// that a code is needed, and how long it lives. token comes from outside of the
// transaction (org.NewToken).
func (s *Service) SignIn(tx *store.Tx, c *api.Call, u *user.User, orgID, token string, with Opening) (out LoginOut, ttl time.Duration, err error) {
	p, ttl, err := s.open(tx, c, u, orgID, token, with)
	out = LoginOut{Payload: &p}
	if err == nil && u.MFAEnabled && !with.Both {
		out, err = s.waitingFor(tx, u.ID)
	}
	return out, ttl, err
}

// open opens a session of a person, ends the one that the browser had, and describes
// it.
func (s *Service) open(tx *store.Tx, c *api.Call, u *user.User, orgID, token string, with Opening) (p Payload, ttl time.Duration, err error) {
	settings, err := setting.Get(tx)
	if err != nil {
		return p, 0, err
	}
	ttl = time.Duration(settings.SessionTTLHours) * time.Hour
	waits := u.MFAEnabled && !with.Both
	if waits {
		ttl = waitingLife // until the code is given
	}
	if c.Caller.Session != "" {
		if err := drop(tx, c.Caller.Session); err != nil && !errors.Is(err, store.ErrNotFound) {
			return p, 0, err
		}
	}
	in, err := user.SignedIn(tx, u.ID, tx.DB().Now())
	if err != nil {
		return p, 0, err
	}
	n := Session{UserID: u.ID, Org: orgID, IP: c.IP, UserAgent: clip(c.UserAgent), Waits: waits, HostCookie: s.options.Secure}
	if with.Both {
		n.MFAVerified, n.Passkey = true, with.Passkey
	}
	if err := guess.SignedInFrom(tx, u.Email, c.IP); err != nil {
		return p, 0, err
	}
	if err := insert(tx, &n, token, ttl); err != nil {
		return p, 0, err
	}
	if err := audit.Write(tx, As(c, u, orgID), "session.started", audit.On("session", n.ID, "")); err != nil {
		return p, 0, err
	}
	who, err := person(tx, &n, &in)
	if err != nil {
		return p, 0, err
	}
	p, err = payload(tx, &who)
	return p, ttl, err
}

// clip bounds what a browser says of itself.
func clip(userAgent string) string {
	const most = 300
	if len(userAgent) > most {
		return userAgent[:most]
	}
	return userAgent
}

type loginIn struct {
	Body struct {
		Email    string `json:"email" required:"true" maxLength:"254"`
		Password string `json:"password" required:"true" maxLength:"1024"`
	}
}

// LoginOut is the session, or the word that a code is needed.
type LoginOut struct {
	*Payload
	MFARequired bool `json:"mfa_required,omitempty" doc:"true, without the session: post a code to /auth/mfa/verify."`
	Passkey     bool `json:"passkey,omitempty" doc:"true, with mfa_required: a passkey does as well, see /auth/passkey/mfa/begin."`
}

func (s *Service) login(c *api.Call, in loginIn) (out LoginOut, err error) {
	found, counts, err := s.countSignIn(c, strings.TrimSpace(in.Body.Email))
	if err != nil {
		return out, err
	}
	right, err := s.users.Verify(c, found, in.Body.Password)
	switch {
	case err != nil:
		return out, err
	case !right:
		return out, errLogin
	}
	token, ttl := org.NewToken(), time.Duration(0)
	err = s.db.Update(c, func(tx *store.Tx) error {
		out, ttl, err = s.signInVerified(tx, c, found, counts, token)
		return err
	})
	if err == nil {
		s.SetCookie(c, token, ttl)
	}
	return out, err
}

// countSignIn counts an attempt to sign in, or refuses it as one too many, and finds the person
// with that address: nil when there is none.
func (s *Service) countSignIn(c *api.Call, email string) (found *user.User, counts []guess.Count, err error) {
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		found = nil
		if counts, err = guess.SignIn(tx, email, c.IP); err != nil {
			return err
		}
		if err := guess.Try(tx, counts); err != nil {
			return err
		}
		u, err := user.ByEmail(tx, email)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		found = &u
		return err
	})
	return found, counts, err
}

// signInVerified opens a session of a person whose password was right, as it stood in verified.
func (s *Service) signInVerified(tx *store.Tx, c *api.Call, verified *user.User, counts []guess.Count, token string) (out LoginOut, ttl time.Duration, err error) {
	u, err := user.Get(tx, verified.ID)
	switch {
	case err != nil:
		return out, 0, err
	case u.Status != user.Active:
		return out, 0, ErrUserDisabled
	case u.Password != verified.Password:
		return out, 0, errLogin // it was changed meanwhile
	}
	if err := guess.Right(tx, counts); err != nil {
		return out, 0, err
	}
	orgID, err := LastOrg(tx, u.ID)
	if err != nil {
		return out, 0, err
	}
	return s.SignIn(tx, c, &u, orgID, token, Opening{})
}

// waitingFor says what a session waits for.
func (s *Service) waitingFor(tx *store.Tx, userID string) (out LoginOut, err error) {
	out.MFARequired = true
	if s.options.HasPasskey != nil {
		out.Passkey, err = s.options.HasPasskey(tx, userID)
	}
	return out, err
}

func (s *Service) logout(c *api.Call, _ struct{}) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		its, err := sessions.Get(tx, store.Platform, c.Caller.Session)
		if errors.Is(err, store.ErrNotFound) {
			return nil // it ended meanwhile
		}
		if err != nil {
			return err
		}
		return end(tx, c, &its)
	})
	if err == nil {
		s.clearCookies(c)
	}
	return out, err
}

type tokenIn struct {
	Body struct {
		GrantType string `json:"grant_type" required:"true" maxLength:"100" example:"api_key"`
		APIKey    string `json:"api_key" maxLength:"256" doc:"Required for this grant, the only one."`
	}
}

type tokenOut struct {
	AccessToken string    `json:"access_token"`
	TokenType   string    `json:"token_type" example:"Bearer"`
	ExpiresIn   int       `json:"expires_in" example:"3600"`
	ExpiresAt   time.Time `json:"expires_at"`
}

func (s *Service) token(c *api.Call, in tokenIn) (out tokenOut, err error) {
	if err := in.check(); err != nil {
		return out, err
	}
	expires := s.db.Now().Add(apikey.TokenLife).Truncate(time.Second)
	var used use
	err = s.db.View(c, func(tx *store.Tx) error {
		out, used, err = exchange(tx, in.Body.APIKey, expires)
		return err
	})
	if err == nil {
		s.uses.note(used, s.db.Now(), c.IP)
	}
	return out, err
}

func (in *tokenIn) check() error {
	switch {
	case in.Body.GrantType != "api_key":
		return ErrGrantType // before the key: programs that know OAuth send another pair
	case in.Body.APIKey == "":
		return api.Wrong("api_key", "is required")
	case !apikey.IsKey(in.Body.APIKey):
		return errKeyInBody
	}
	return nil
}

// exchange makes an access token from an API key.
func exchange(tx *store.Tx, key string, expires time.Time) (out tokenOut, used use, err error) {
	who, err := ofBearer(tx, key)
	if errors.Is(err, ErrCredentials) {
		return out, used, errKeyInBody
	}
	if err != nil {
		return out, used, err
	}
	if err := org.CheckLimit(tx, who.org.ID, org.LimitAPIAccess, 0, 1); err != nil {
		return out, used, err
	}
	token, err := apikey.NewToken(tx, who.key, expires)
	return tokenOut{token, "Bearer", int(apikey.TokenLife / time.Second), expires}, use{true, who.org.ID, who.key.ID}, err
}
