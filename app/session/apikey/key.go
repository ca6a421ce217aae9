// Package apikey keeps the keys of programs, and makes the access tokens that stand for
// them.
//
// It promises that keys are kept as keyed hashes only, that a key and its tokens stop
// working with the commit that ends it, and that a rotated key works for a day beside the
// one that took its place. It refuses to decide who calls: package session does.
package apikey

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Status is where a key is in its life. It follows from the times that are
// stored.
type Status string

// The statuses (contract 9).
const (
	Active   Status = "ACTIVE"
	Rotating Status = "ROTATING" // replaced, and good for a while yet
	Expired  Status = "EXPIRED"
	Revoked  Status = "REVOKED"
)

const (
	// overlap is how long a key works after it was rotated.
	overlap = 24 * time.Hour
	// TokenLife is how long an access token works.
	TokenLife = time.Hour
)

// Key is an API key.
type Key struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
	Hash   string `json:"hash"`
	// Scopes are what it may do; nil is everything that API_CLIENT may.
	Scopes      []string   `json:"scopes,omitempty"`
	ExpiresAt   *time.Time `json:"expires_at,omitempty"`
	RotatedFrom *string    `json:"rotated_from,omitempty"`
	// ValidUntil is set when the key is rotated.
	ValidUntil *time.Time `json:"valid_until,omitempty"`
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty"`
	LastUsedIP *string    `json:"last_used_ip,omitempty"`
	CreatedBy  string     `json:"created_by"`
	CreatedAt  time.Time  `json:"created_at"`
	// Warned: people were told that it expires soon.
	Warned bool `json:"warned,omitempty"`
}

var (
	keys       = store.NewTable("api_key", "key", func(k *Key) string { return k.ID })
	byPrefix   = keys.UniqueAcross("prefix", func(k *Key) store.Key { return store.Text(k.Prefix) })
	keyCreated = keys.Index("created", func(k *Key) store.Key { return store.Time(k.CreatedAt) })
	// expiring holds the keys whose end nobody was told of.
	expiring = keys.MultiAcross("expiring", func(k *Key) []store.Key {
		if k.ExpiresAt == nil || k.RevokedAt != nil || k.ValidUntil != nil || k.Warned {
			return nil
		}
		return []store.Key{store.Time(*k.ExpiresAt)}
	})
)

// Tables are what a store that holds keys is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{keys} }

// Topic is what the store is told when a key changed what it is good for, and also when a
// session did: whoever remembers identities listens to both. Ends by time are nobody's
// change.
const Topic = "sessions"

// Get reads a key: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Key, error) { return keys.Get(tx, org, id) }

// Used notes when a key was used last. One that is gone is store.ErrNotFound.
func Used(tx *store.Tx, org, id string, at time.Time, ip string) error {
	_, err := keys.Edit(tx, org, id, func(k *Key) error {
		k.LastUsedAt, k.LastUsedIP = &at, api.Optional(ip)
		return nil
	})
	return err
}

func editKey(tx *store.Tx, orgID, id string, change func(*Key) error) (Key, error) {
	tx.Changed(Topic)
	return keys.Edit(tx, orgID, id, change)
}

// Status is what the key is at a time.
func (k *Key) Status(now time.Time) Status {
	past := func(t *time.Time) bool { return t != nil && !now.Before(*t) }
	switch {
	case k.RevokedAt != nil:
		return Revoked
	case past(k.ExpiresAt) || past(k.ValidUntil):
		return Expired
	case k.ValidUntil != nil:
		return Rotating
	}
	return Active
}

// works says whether the key lets anybody in at a time.
func (k *Key) works(now time.Time) bool {
	s := k.Status(now)
	return s == Active || s == Rotating
}

// Perms are what the key may do, as far as its scopes say.
func (k *Key) Perms() perm.Set {
	all := perm.APIClient.Permissions()
	if k.Scopes == nil {
		return all
	}
	var scopes perm.Set
	for _, name := range k.Scopes {
		if p, ok := perm.Parse(name); ok {
			scopes |= perm.Of(p)
		}
	}
	return all.And(scopes)
}

// NamesOf are the names of API keys by id.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, keys, ids, func(k *Key) string { return k.Name })
}
