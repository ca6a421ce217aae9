package apiv1

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
	"svc/store/coord"
)

// bucket is one rate: so many a minute, so many at once.
type bucket struct {
	name             string
	perMinute, burst int
}

// The rates of contract 1.3. Streams are counted where they are. After a
// mailing many people behind one address leave at the same time: so the rate of opt-outs
// is that of each link, and an address has room for ten times as many (contract 21.3,
// Behind a proxy). Nobody guesses a link.
var (
	perAddress = bucket{"auth", 30, 30}
	perOptOut  = bucket{"opt-out", 60, 20}
	perLeavers = bucket{"opt-out-address", 600, 300}
	perKey     = bucket{"key", 600, 100}
	perPerson  = bucket{"person", 1200, 200}
	perImport  = bucket{"import", 10, 5}
	perThought = bucket{"ai", 30, 10}
)

// ofOperation are the rates of single operations, beside that of the caller.
var ofOperation = map[string]struct {
	bucket
	who func(*api.Call) string
}{
	"recipients.import": {perImport, func(c *api.Call) string { return c.Org }},
	"ai.playground.run": {perThought, func(c *api.Call) string { return c.Caller.ID }},
	"ai.compose":        {perThought, func(c *api.Call) string { return c.Caller.ID }},
}

// strictly are operations of people who are signed in that take a password or a code:
// they have the rate of addresses too.
var strictly = map[string]bool{"auth.mfa_verify": true, "me.change_email": true, "me.mfa_recovery_codes": true}

// limits holds a token bucket for everybody who called lately.
type limits struct {
	db    *store.DB // that other nodes have open too, so that it counts; nil: there is none
	now   func() time.Time
	mu    sync.Mutex
	of    map[string]*counted
	swept time.Time
}

type counted struct {
	*rate.Limiter
	used time.Time
}

// maxBuckets is where the oldest are forgotten before they are full again: an
// attacker from many addresses costs memory for so many and no more.
const maxBuckets = 100_000

func newLimits(db *store.DB, now func() time.Time) *limits {
	if db != nil && db.Exclusive() {
		db = nil
	}
	return &limits{db: db, now: now, of: map[string]*counted{}}
}

// optOutPath begins the paths of the links with which recipients opt out.
const optOutPath = "/public/opt-out/"

// linkOf is a short form of the link in the path of a request: links are long.
func linkOf(path string) string {
	_, token, _ := strings.Cut(path, optOutPath)
	sum := sha256.Sum256([]byte(token))
	return string(sum[:16])
}

// before holds the rates of addresses and of links: of whoever has no name yet. path is
// that of the request.
func (l *limits) before(c *api.Call, e *api.Endpoint, path string) error {
	switch {
	case strings.HasPrefix(e.Path, optOutPath):
		if err := l.take(c, perLeavers, api.Network(c.IP)); err != nil {
			return err
		}
		return l.take(c, perOptOut, linkOf(path))
	case e.Perm == perm.Public && (strings.HasPrefix(e.Path, "/auth/") || strings.HasPrefix(e.Path, "/invitations/")), strictly[e.ID]:
		return l.take(c, perAddress, api.Network(c.IP))
	}
	return nil
}

// after holds the rates of callers.
func (l *limits) after(c *api.Call, e *api.Endpoint) error {
	switch c.Caller.Kind {
	case api.Key:
		if err := l.take(c, perKey, c.Caller.ID); err != nil {
			return err
		}
	case api.Person:
		if err := l.take(c, perPerson, c.Caller.ID); err != nil {
			return err
		}
	default:
		return nil
	}
	if o, ok := ofOperation[e.ID]; ok {
		return l.take(c, o.bucket, o.who(c))
	}
	return nil
}

// take asks for one request, and tells the caller in headers what is left.
func (l *limits) take(c *api.Call, b bucket, who string) error {
	now := l.now()
	left, ok, err := l.spendShared(c, b, b.name+" "+who)
	if err != nil {
		return err
	}
	if l.db == nil {
		left, ok = l.spend(b, b.name+" "+who, now)
	}
	perSecond := float64(b.perMinute) / 60
	c.SetHeader("X-RateLimit-Limit", strconv.Itoa(b.perMinute))
	c.SetHeader("X-RateLimit-Remaining", strconv.Itoa(int(math.Max(0, math.Floor(left)))))
	c.SetHeader("X-RateLimit-Reset", strconv.Itoa(int(math.Ceil((float64(b.burst)-left)/perSecond))))
	if ok {
		return nil
	}
	return api.ErrRateLimited.After(time.Duration((1 - left) / perSecond * float64(time.Second)))
}

// spendShared is spend where several nodes answer the calls of one caller.
func (l *limits) spendShared(c *api.Call, b bucket, key string) (left float64, ok bool, err error) {
	if l.db == nil {
		return 0, false, nil
	}
	err = l.db.Update(store.WithoutTxHook(c), func(tx *store.Tx) (err error) {
		left, ok, err = coord.Take(tx, hex.EncodeToString([]byte(key)), b.perMinute, b.burst)
		return err
	})
	return left, ok, err
}

func (l *limits) spend(b bucket, key string, now time.Time) (left float64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	at := l.of[key]
	if at == nil {
		at = &counted{Limiter: rate.NewLimiter(rate.Limit(float64(b.perMinute)/60), b.burst)}
		l.of[key] = at
	}
	at.used = now
	ok = at.AllowN(now, 1)
	return at.TokensAt(now), ok
}

// sweep forgets buckets that are full again, once a minute, and any when there are
// too many.
func (l *limits) sweep(now time.Time) {
	if now.Sub(l.swept) < time.Minute && len(l.of) < maxBuckets {
		return
	}
	l.swept = now
	for key, at := range l.of {
		if at.TokensAt(now) >= float64(at.Burst()) {
			delete(l.of, key)
		}
	}
	for key := range l.of {
		if len(l.of) < maxBuckets {
			break
		}
		delete(l.of, key)
	}
}
