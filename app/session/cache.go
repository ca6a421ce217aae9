package session

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
)

// cachedIdentity is what a good credential stands for, until something ends by itself.
type cachedIdentity struct {
	caller    api.Caller
	org       string
	suspended bool
	use       use
	until     time.Time // zero: no end
}

// maxIdentities bounds the cache; when it is full it begins anew.
const maxIdentities = 10_000

// cache keeps what good credentials stand for, so that a check reads nothing while
// nothing changed. Every commit that changes a session, a key, a person, an
// organization, a member or a setting empties it: the store tells its listeners
// before Update returns, and they are asked before each use, as is the count of changes
// of other processes: nobody who knows of a change meets an identity from before it. Ends
// by time are checked at each use.
type cache struct {
	db         *store.DB
	mu         sync.Mutex
	changes    int64 // that known is good for
	wakes      []<-chan struct{}
	generation uint64
	identities map[[sha256.Size]byte]cachedIdentity
}

// topics are those of what an identity is made of.
var topics = []string{topic, user.Topic, org.Topic, setting.Topic}

func newCache(db *store.DB) *cache {
	c := &cache{db: db, identities: map[[sha256.Size]byte]cachedIdentity{}, wakes: make([]<-chan struct{}, len(topics))}
	for i, t := range topics {
		c.wakes[i], _ = db.Listen(t) // for as long as the store is open
	}
	return c
}

// refresh empties the cache when something changed, here or elsewhere.
func (c *cache) refresh(changes int64) {
	if changes > c.changes {
		c.changes, c.generation = changes, c.generation+1
		clear(c.identities)
	}
	for _, wake := range c.wakes {
		select {
		case <-wake:
			c.generation++
			clear(c.identities)
		default:
		}
	}
}

// sum is what a credential is kept under: not the credential.
func (cred Credential) sum() [sha256.Size]byte {
	if cred.Bearer != "" {
		return sha256.Sum256([]byte("bearer " + cred.Bearer))
	}
	if cred.PlainName {
		return sha256.Sum256([]byte("plain cookie " + cred.Cookie))
	}
	return sha256.Sum256([]byte("cookie " + cred.Cookie))
}

// get answers what is known, and the generation that put needs.
func (c *cache) get(ctx context.Context, cred Credential, now time.Time) (k cachedIdentity, generation uint64, found bool) {
	if len(cred.Bearer)+len(cred.Cookie) > maxBearer+maxCookie {
		return k, 0, false
	}
	changes, err := c.db.Changes(ctx, topics...)
	sum := cred.sum()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh(changes)
	k, found = c.identities[sum]
	return k, c.generation, err == nil && found && (k.until.IsZero() || now.Before(k.until))
}

// put keeps what a credential stands for, unless something changed since the
// generation began: the identity may be from before the change.
func (c *cache) put(cred Credential, k cachedIdentity, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh(c.changes)
	if generation != c.generation {
		return
	}
	if len(c.identities) >= maxIdentities {
		clear(c.identities)
	}
	c.identities[cred.sum()] = k
}
