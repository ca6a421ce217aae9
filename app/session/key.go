package session

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// KeyStatus is where a key is in its life. It follows from the times that are
// stored.
type KeyStatus string

// The statuses (contract 9).
const (
	KeyActive   KeyStatus = "ACTIVE"
	KeyRotating KeyStatus = "ROTATING" // replaced, and good for a while yet
	KeyExpired  KeyStatus = "EXPIRED"
	KeyRevoked  KeyStatus = "REVOKED"
)

const (
	// overlap is how long a key works after it was rotated.
	overlap = 24 * time.Hour
	// tokenLife is how long an access token works.
	tokenLife = time.Hour
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

func editKey(tx *store.Tx, orgID, id string, change func(*Key) error) (Key, error) {
	tx.Changed(topic)
	return keys.Edit(tx, orgID, id, change)
}

// Status is what the key is at a time.
func (k *Key) Status(now time.Time) KeyStatus {
	past := func(t *time.Time) bool { return t != nil && !now.Before(*t) }
	switch {
	case k.RevokedAt != nil:
		return KeyRevoked
	case past(k.ExpiresAt) || past(k.ValidUntil):
		return KeyExpired
	case k.ValidUntil != nil:
		return KeyRotating
	}
	return KeyActive
}

// works says whether the key lets anybody in at a time.
func (k *Key) works(now time.Time) bool {
	s := k.Status(now)
	return s == KeyActive || s == KeyRotating
}

// perms are what the key may do, as far as its scopes say.
func (k *Key) perms() perm.Set {
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

// KeyNames are the names of API keys by id.
func KeyNames(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, keys, ids, func(k *Key) string { return k.Name })
}
