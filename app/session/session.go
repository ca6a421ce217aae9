// Package session knows who is calling: people who signed in, and programs with an
// API key or one of its access tokens.
//
// It promises that secrets are kept as keyed hashes only, that a session, key or
// token stops working with the commit that ends it, that a check reads a few
// records and writes none, and that an address nobody has is refused like a wrong
// password. It opens sessions: by signing in, signing up and accepting an
// invitation. It refuses to decide what a caller may do (package api does) and to
// know how a credential travels (package web does).
package session

import (
	"log/slog"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/session/apikey"
	"svc/app/session/guess"
	"svc/app/session/support"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
)

// Session is a person who is signed in, in one browser.
type Session struct {
	ID        string `json:"id"`
	UserID    string `json:"user_id"`
	TokenHash string `json:"token_hash"`
	// Org is the active organization; "" for none.
	Org string `json:"org,omitempty"`
	// MFAVerified: a two-factor code was given in this session.
	MFAVerified bool `json:"mfa_verified,omitempty"`
	// Waits: it was opened with a password alone by a person with two-factor, and no code
	// was given in it since.
	Waits bool `json:"waits,omitempty"`
	// Passkey is the one that opened it and verified its person; "" for none. It counts as
	// both factors, whether or not the person has two-factor.
	Passkey string `json:"passkey,omitempty"`
	// HostCookie: its cookie has the name that is bound to this host (contract
	// 21.3, Elevation); the plain name does not open it.
	HostCookie bool `json:"host_cookie,omitempty"`
	// Support is set while an administrator looks at an organization.
	Support    *Support  `json:"support,omitempty"`
	IP         string    `json:"ip,omitempty"`
	UserAgent  string    `json:"user_agent,omitempty"`
	CreatedAt  time.Time `json:"created_at"`
	ExpiresAt  time.Time `json:"expires_at"`
	LastUsedAt time.Time `json:"last_used_at"`
	LastUsedIP string    `json:"last_used_ip,omitempty"`
}

// Support is the support session in which an administrator looks at an
// organization; his own organization waits meanwhile.
type Support struct {
	ID        string    `json:"id"`
	Org       string    `json:"org"`
	ExpiresAt time.Time `json:"expires_at"`
}

var (
	sessions = store.NewTable("session", "ses", func(s *Session) string { return s.ID }).Global()
	byToken  = sessions.Unique("token", func(s *Session) store.Key { return store.Text(s.TokenHash) })
	byUser   = sessions.Index("user", func(s *Session) store.Key { return store.Tuple(store.Text(s.UserID), store.Time(s.CreatedAt)) })
	byExpiry = sessions.Index("expires", func(s *Session) store.Key { return store.Time(s.ExpiresAt) })
)

// Alive says whether a session has not ended.
func Alive(tx *store.Tx, id string) (bool, error) { return sessions.Has(tx, store.Platform, id) }

// topic is what the store is told when a session or a key changed what it is good
// for. Ends by time are nobody's change.
const topic = apikey.Topic

func put(tx *store.Tx, s *Session) error {
	tx.Changed(topic)
	return sessions.Put(tx, store.Platform, s)
}

func edit(tx *store.Tx, id string, change func(*Session) error) (Session, error) {
	tx.Changed(topic)
	return sessions.Edit(tx, store.Platform, id, change)
}

// drop ends a session, and with it the support session that it was in.
func drop(tx *store.Tx, id string) error {
	s, err := sessions.Get(tx, store.Platform, id)
	if err != nil {
		return err
	}
	if s.inSupport(tx.DB().Now()) {
		if err := support.Left(tx, s.Support.Org, s.Support.ID); err != nil {
			return err
		}
	}
	tx.Changed(topic)
	return sessions.Delete(tx, store.Platform, id)
}

// inSupport says whether the session looks at an organization in support.
func (s *Session) inSupport(now time.Time) bool {
	return s.Support != nil && now.Before(s.Support.ExpiresAt)
}

// MaxSessions bounds the sessions of one person; one more ends the oldest. Those that wait
// for a two-factor code are counted apart, MaxWaiting of them, and live for waitingLife:
// who knows only the password ends no session of somebody who knew the code, too
// (contract 21.3, Guessing).
const (
	MaxSessions = 50
	MaxWaiting  = 5
	waitingLife = 15 * time.Minute
)

// Tables are what a store that holds sessions and keys is opened with.
func Tables() []store.AnyTable {
	return slices.Concat(apikey.Tables(), support.Tables(), guess.Tables(), []store.AnyTable{sessions, setups, links, resetRequests})
}

// HasPasskey says whether a person has a passkey. The slice of passkeys offers it.
type HasPasskey func(tx *store.Tx, userID string) (bool, error)

// Options of New.
type Options struct {
	// Secure marks the cookie for https only: set in production (contract 20.14).
	Secure bool
	// PublicURL is where people reach the service, without a slash at its end.
	PublicURL string
	// HasPasskey says whether a person has a passkey; nil: nobody has.
	HasPasskey HasPasskey
	// Log hears of what fails aside of any request. nil: nobody does.
	Log *slog.Logger
}

// Service opens, checks and ends sessions and keys.
type Service struct {
	db      *store.DB
	bus     *signal.Bus
	users   *user.Service
	options Options
	uses    uses
	cache   *cache
}

// New makes the service. Sessions of a person who is disabled end in the same
// transaction.
func New(db *store.DB, bus *signal.Bus, users *user.Service, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	signal.On(bus, func(tx *store.Tx, _ *api.Call, d user.Disabled) error { return EndAll(tx, d.ID, "") })
	return &Service{db: db, bus: bus, users: users, options: o, cache: newCache(db)}
}

// insert makes a session of a person, in the organization that he was in last or, if
// that is gone, any of his. The token comes from outside of the transaction.
func insert(tx *store.Tx, s *Session, token string, ttl time.Duration) (err error) {
	if s.TokenHash, err = tx.Hash(sessionPurpose, token); err != nil {
		return err
	}
	now := tx.DB().Now()
	s.ID, s.CreatedAt, s.LastUsedAt, s.ExpiresAt = tx.DB().NewID("ses"), now, now, now.Add(ttl)
	s.LastUsedIP = s.IP
	if err := makeRoom(tx, s); err != nil {
		return err
	}
	return sessions.Insert(tx, store.Platform, s)
}

// makeRoom ends the oldest sessions of a person until there is room for one more like s.
func makeRoom(tx *store.Tx, s *Session) error {
	most := MaxSessions
	if s.Waits {
		most = MaxWaiting
	}
	all, err := ofPerson(tx, s.UserID)
	if err != nil {
		return err
	}
	var alike []string
	for i := range all {
		if all[i].Waits == s.Waits && all[i].ID != s.ID {
			alike = append(alike, all[i].ID)
		}
	}
	for ; len(alike) >= most; alike = alike[1:] {
		if err := drop(tx, alike[0]); err != nil {
			return err
		}
	}
	return nil
}

func ofUser(id string) store.Span { return store.Is(store.Tuple(store.Text(id))) }

// ofPerson are the sessions of a person, the oldest first.
func ofPerson(tx *store.Tx, userID string) ([]Session, error) {
	list, _, err := byUser.Walk(tx, store.Platform, store.Range{Span: ofUser(userID), Limit: MaxSessions + MaxWaiting})
	return list, err
}

// EndAll ends the sessions of a person but one; "" spares none.
func EndAll(tx *store.Tx, userID, but string) error {
	list, err := ofPerson(tx, userID)
	for i := range list {
		if err == nil && list[i].ID != but {
			err = drop(tx, list[i].ID)
		}
	}
	return err
}

// LastOrg is the organization that a new session of a person begins in, "" for
// none.
func LastOrg(tx *store.Tx, userID string) (string, error) {
	list, err := org.Memberships(tx, userID)
	if err != nil || len(list) == 0 {
		return "", err
	}
	before, err := ofPerson(tx, userID)
	if err != nil {
		return "", err
	}
	for i := len(before) - 1; i >= 0; i-- {
		for _, m := range list {
			if m.Org == before[i].Org {
				return m.Org, nil
			}
		}
	}
	return list[0].Org, nil
}

// EndOpenedBy ends the sessions that a passkey opened; the caller's own goes on without
// what the passkey proved.
func EndOpenedBy(tx *store.Tx, c *api.Call, passkeyID string) error {
	list, err := ofPerson(tx, c.Caller.ID)
	for i := range list {
		switch {
		case err != nil:
			return err
		case list[i].Passkey != passkeyID:
		case list[i].ID == c.Caller.Session:
			list[i].Passkey = ""
			err = put(tx, &list[i])
		default:
			err = drop(tx, list[i].ID)
		}
	}
	return err
}
