// Package support keeps the looks of platform administrators at organizations, which change
// nothing, and what was looked at.
//
// It promises that a link works once, for five minutes and one administrator, and that the
// organization reads who looked, why and at what. It refuses to know sessions: package
// session enters and leaves.
package support

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/notify"
	"svc/app/org"
	"svc/store"
)

// Status is where a support session is in its life; time alone moves it too.
type Status string

// The statuses (contract 17).
const (
	Pending Status = "PENDING" // its link was not used yet
	Active  Status = "ACTIVE"
	Ended   Status = "ENDED"
	Expired Status = "EXPIRED"
)

// Session is a look of a platform administrator at an organization: it
// changes nothing, and the organization sees every access.
type Session struct {
	ID        string     `json:"id"`
	Org       string     `json:"org"`
	AdminID   string     `json:"admin_id"`
	AdminName string     `json:"admin_name"`
	Reason    string     `json:"reason"`
	Minutes   int        `json:"minutes"`
	TokenHash string     `json:"token_hash,omitempty"` // of the link that was not used yet
	StartedAt *time.Time `json:"started_at,omitempty"`
	ExpiresAt time.Time  `json:"expires_at"`
	EndedAt   *time.Time `json:"ended_at,omitempty"`
	Accesses  int        `json:"accesses"`
	CreatedAt time.Time  `json:"created_at"`
}

// Access is one request of a support session.
type Access struct {
	ID       string          `json:"id"`
	Support  string          `json:"support"`
	At       time.Time       `json:"at"`
	Method   string          `json:"method"`
	Path     string          `json:"path"`
	Resource *audit.Resource `json:"resource,omitempty"`
	IP       string          `json:"ip"`
}

var (
	supports = store.NewTable("support_session", "ssn", func(s *Session) string { return s.ID })
	byLink   = supports.UniqueAcross("link", linkKey)
	// supportsAcross are those of all organizations in the order in which they were opened.
	supportsAcross = supports.MultiAcross("across", func(s *Session) []store.Key { return []store.Key{store.Text(s.ID)} })
	supportCount   = supports.TallyAcross("all", func(*Session) []string { return []string{everyone} })

	accesses  = store.NewTable("support_access", "", func(a *Access) string { return a.ID })
	ofSupport = accesses.Facet("support", func(a *Access) []string { return []string{a.Support} })
)

// everyone is what all support sessions are counted under.
const everyone = "all"

func linkKey(s *Session) store.Key {
	if s.TokenHash == "" {
		return nil
	}
	return store.Text(s.TokenHash)
}

// linkPurpose keeps the hashes of links apart from others.
const linkPurpose = "support-link"

// Tables are what a store that holds support sessions is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{supports, accesses} }

// linkLives is how long the link of a support session works, once.
const linkLives = 5 * time.Minute

// Bounds of a support session in minutes (contract 17).
const maxMinutes = 240

// status is where the session is at a time.
func (s *Session) status(now time.Time) Status {
	switch {
	case s.EndedAt != nil:
		return Ended
	case !now.Before(s.ExpiresAt):
		return Expired
	case s.StartedAt == nil:
		return Pending
	}
	return Active
}

// Open prepares a support session of the caller, who administers the
// platform, and answers the token of its link.
func Open(tx *store.Tx, c *api.Call, orgID, reason string, minutes int, token string) (Session, error) {
	switch {
	case reason == "" || utf8.RuneCountInString(reason) > 500:
		return Session{}, api.Wrong("reason", "must have 1 to 500 characters: the organization reads it")
	case minutes < 1 || minutes > maxMinutes:
		return Session{}, api.Wrong("minutes", "must be between 1 and %d", maxMinutes)
	}
	if _, err := org.Get(tx, orgID); err != nil {
		return Session{}, err
	}
	hash, err := tx.Hash(linkPurpose, token)
	if err != nil {
		return Session{}, err
	}
	now := tx.DB().Now()
	s := Session{
		ID: tx.DB().NewID("ssn"), Org: orgID, AdminID: c.Caller.ID, AdminName: c.Caller.Name, Reason: reason, Minutes: minutes,
		TokenHash: hash, ExpiresAt: now.Add(linkLives), CreatedAt: now,
	}
	if err := supports.Insert(tx, orgID, &s); err != nil {
		return s, err
	}
	on := audit.On("support_session", s.ID, c.Caller.Name)
	return s, errors.Join(
		audit.WriteTo(tx, store.Platform, c, "support_session.opened", on, audit.Because(reason)),
		audit.WriteTo(tx, orgID, c, "support_session.opened", on, audit.Because(reason)))
}

// Begin begins the support session of a link, which the caller enters.
// A link that was used, is too old or belongs to another administrator is
// store.ErrNotFound.
func Begin(tx *store.Tx, c *api.Call, token string) (Session, error) {
	hash, err := tx.Hash(linkPurpose, token)
	if err != nil {
		return Session{}, err
	}
	s, orgID, err := byLink.Find(tx, store.Text(hash))
	if err != nil {
		return s, err
	}
	now := tx.DB().Now()
	if s.status(now) != Pending || s.AdminID != c.Caller.ID {
		return s, store.ErrNotFound
	}
	s.TokenHash, s.StartedAt, s.ExpiresAt = "", &now, now.Add(time.Duration(s.Minutes)*time.Minute)
	if err := supports.Put(tx, orgID, &s); err != nil {
		return s, err
	}
	err = notify.Send(tx, orgID, notify.Notice{
		Kind: "SUPPORT_SESSION_STARTED", Title: "Support is looking at your organization",
		Body:     fmt.Sprintf("%s looks at your organization for at most %d minutes and changes nothing. Reason: %s", s.AdminName, s.Minutes, s.Reason),
		Resource: &notify.Resource{Type: "support_session", ID: s.ID}, Link: "/settings/support",
	})
	if err != nil {
		return s, err
	}
	return s, audit.WriteTo(tx, orgID, c, "support_session.started", audit.On("support_session", s.ID, s.AdminName), audit.Because(s.Reason))
}

// Left notes that a support session was left. One that is gone, or that an
// administrator ended before, stays as it is.
func Left(tx *store.Tx, orgID, id string) error {
	s, err := supports.Get(tx, orgID, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && s.EndedAt != nil {
		return nil
	}
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	s.EndedAt, s.TokenHash = &now, ""
	return supports.Put(tx, orgID, &s)
}

// Accessed notes a request of a support session, which the organization sees.
func (s *Service) Accessed(c *api.Call, method, path string) error {
	return s.db.Update(c, func(tx *store.Tx) error {
		at, err := supports.Get(tx, c.Org, c.Caller.Support)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		at.Accesses++
		if err := supports.Put(tx, c.Org, &at); err != nil {
			return err
		}
		return accesses.Insert(tx, c.Org, &Access{
			ID: fmt.Sprintf("%s.%08d", at.ID, at.Accesses), Support: at.ID, At: tx.DB().Now(), Method: method, Path: path,
			Resource: resourceIn(path), IP: c.IP,
		})
	})
}
