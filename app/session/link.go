package session

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/user"
	"svc/store"
)

// linkKind is what a one-time link lets a person do.
type linkKind string

const (
	resetLink linkKind = "password_reset"
	emailLink linkKind = "email"
)

// How long links work (contract 21.2, Coming back).
const (
	resetLife = time.Hour
	emailLife = 24 * time.Hour
)

// oneTimeLink is a link of one person that works once. Only the hash of its token is
// kept.
type oneTimeLink struct {
	ID        string   `json:"id"`
	Kind      linkKind `json:"kind"`
	UserID    string   `json:"user_id"`
	TokenHash string   `json:"token_hash"`
	// Email is the new address that the link confirms.
	Email string `json:"email,omitempty"`
	// Org is the organization whose member copied the link; "" for one that was
	// mailed, or made by an administrator of the platform.
	Org       string    `json:"org,omitempty"`
	ExpiresAt time.Time `json:"expires_at"`
	CreatedAt time.Time `json:"created_at"`
}

var (
	links      = store.NewTable("one_time_link", "lnk", func(l *oneTimeLink) string { return l.ID }).Global()
	linkToken  = links.Unique("token", func(l *oneTimeLink) store.Key { return store.Text(l.TokenHash) })
	linkOwner  = links.Index("user", func(l *oneTimeLink) store.Key { return store.Tuple(store.Text(l.UserID), store.Text(string(l.Kind))) })
	linkExpiry = links.Index("expires", func(l *oneTimeLink) store.Key { return store.Time(l.ExpiresAt) })
)

// linkPurpose keeps the hashes of these tokens apart from others.
const linkPurpose = "one-time link"

// addLink makes a link; earlier ones of its kind and person stop working.
func addLink(tx *store.Tx, l oneTimeLink, token string, life time.Duration) (oneTimeLink, error) {
	if err := endLinks(tx, l.UserID, l.Kind); err != nil {
		return l, err
	}
	hash, err := tx.Hash(linkPurpose, token)
	if err != nil {
		return l, err
	}
	l.ID, l.TokenHash, l.CreatedAt = tx.DB().NewID("lnk"), hash, tx.DB().Now()
	l.ExpiresAt = l.CreatedAt.Add(life)
	return l, links.Insert(tx, store.Platform, &l)
}

// endLinks makes the links of one kind of a person stop working; there is at most one.
func endLinks(tx *store.Tx, userID string, kind linkKind) error {
	ids, _, err := linkOwner.IDs(tx, store.Platform, store.Range{Span: store.Is(store.Tuple(store.Text(userID), store.Text(string(kind)))), Limit: sweepChunk})
	for _, id := range ids {
		if err == nil {
			err = links.Delete(tx, store.Platform, id)
		}
	}
	return err
}

// openLink finds the link of a token with its person, ErrLink when it does not work:
// used, replaced, too old, or of a person who may not sign in.
func openLink(tx *store.Tx, kind linkKind, token string) (l oneTimeLink, u user.User, err error) {
	hash, err := tx.Hash(linkPurpose, token)
	if err != nil {
		return l, u, err
	}
	l, err = linkToken.Find(tx, store.Platform, store.Text(hash))
	if err == nil {
		u, err = user.Get(tx, l.UserID)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return l, u, ErrLink
	case err != nil:
		return l, u, err
	case l.Kind != kind, !tx.DB().Now().Before(l.ExpiresAt), u.Status != user.Active:
		return l, u, ErrLink
	}
	if l.Org != "" {
		// Meanwhile the person may have joined another organization, or administer.
		if err := onlyIn(tx, l.Org, &u); errors.Is(err, ErrResetRefused) {
			return l, u, ErrLink
		} else if err != nil {
			return l, u, err
		}
	}
	return l, u, nil
}

// onlyIn is ErrResetRefused unless the person belongs to that organization alone and
// does not administer the platform: whoever manages members of one organization must
// not get into another through a shared person.
func onlyIn(tx *store.Tx, orgID string, u *user.User) error {
	all, err := org.Memberships(tx, u.ID)
	if err != nil {
		return err
	}
	if u.IsPlatformAdmin || len(all) != 1 || all[0].Org != orgID {
		return ErrResetRefused
	}
	return nil
}

// sweepLinks removes links that are over.
func sweepLinks(tx *store.Tx, limit int) (int, error) {
	ids, _, err := linkExpiry.IDs(tx, store.Platform, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now())), Limit: limit})
	for _, id := range ids {
		if err == nil {
			err = links.Delete(tx, store.Platform, id)
		}
	}
	return len(ids), err
}

// ErrLink refuses a one-time link; ErrResetRefused a link for a person whom another
// organization shares.
var (
	ErrLink         = &api.Error{Kind: api.Gone, Code: "link_invalid", Message: "This link was used already, was replaced by a newer one, or is too old; ask for a new one."}
	ErrResetRefused = &api.Error{
		Kind: api.Forbidden, Code: "reset_not_allowed",
		Message: "Only an administrator of the platform may make a link for this person, who administers the platform or belongs to other organizations too.",
	}
	errOwnReset = ErrResetRefused.WithMessage("Change your own password in your profile.")
)
