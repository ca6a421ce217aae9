// Package consent sends people to the consent pages of outside services and takes them back:
// who asked, for what, where they go afterwards, and a state that nobody guesses.
//
// It promises that a state is kept as a hash, used once, within ten minutes, by whoever asked
// for it and in the same session, and that nobody is sent anywhere but to a path of this
// service. It refuses to know what was consented to: whoever asked for the page does.
package consent

import (
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Bounds of a consent.
const (
	life      = 10 * time.Minute
	maxReturn = 500
)

// Consent is what somebody was sent to a consent page for. Its id is the hash of the state.
type Consent struct {
	ID       string    `json:"id"`
	Org      string    `json:"org"`
	Provider string    `json:"platform"`
	Person   string    `json:"person,omitempty"` // "" for a key
	Session  string    `json:"session,omitempty"`
	ReturnTo string    `json:"return_to,omitempty"`
	Redirect string    `json:"redirect"` // where the page returns to, the same in both steps
	Expires  time.Time `json:"expires"`
	Used     bool      `json:"used,omitempty"`

	// Verifier is that of PKCE. It is made of the state and the key of the store, so that it is kept nowhere.
	Verifier string `json:"-"`
}

var (
	consents  = store.NewTable("channel_consent", "", func(c *Consent) string { return c.ID }).Global()
	byExpires = consents.Index("expires", func(c *Consent) store.Key { return store.Time(c.Expires) })
)

// Tables are what a store that holds consents is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{consents} }

// Purposes of hashes of a state.
const (
	purpose         = "channel consent"
	verifierPurpose = "consent verifier"
)

// Hash is the id of the consent with a state.
func Hash(tx *store.Tx, state string) (string, error) { return tx.Hash(purpose, state) }

// State makes a state.
func State() (string, error) {
	b := make([]byte, 32)
	_, err := rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b), err
}

// Begin keeps a consent that a caller asks for with a state, and answers it with its end.
func Begin(tx *store.Tx, c *api.Call, state string, x Consent) (Consent, error) {
	var err error
	if x.ID, err = Hash(tx, state); err != nil {
		return x, err
	}
	if x.Verifier, err = tx.Hash(verifierPurpose, state); err != nil {
		return x, err
	}
	x.Org, x.Expires = c.Org, c.Now.Add(life)
	if c.Caller.Kind == api.Person {
		x.Person, x.Session = c.Caller.ID, c.Caller.Session
	}
	return x, consents.Insert(tx, store.Platform, &x)
}

// Consume uses a state of a provider up: once, in time, and by whoever asked for it. A key has no
// browser: there a person of its organization with a permission answers the page. What is left of
// it is kept for a time, so that a repeated return is told from one that never was.
func Consume(tx *store.Tx, c *api.Call, provider, state string, may perm.Perm, keep time.Duration) (x Consent, ok bool, err error) {
	if state == "" {
		return x, false, nil
	}
	id, err := Hash(tx, state)
	if err != nil {
		return x, false, err
	}
	if x, err = consents.Get(tx, store.Platform, id); err != nil {
		return x, false, store.IgnoreNotFound(err)
	}
	now := tx.DB().Now()
	if x.Used || x.Provider != provider || !now.Before(x.Expires) || !answers(c, &x, may) {
		return x, false, nil
	}
	if x.Verifier, err = tx.Hash(verifierPurpose, state); err != nil {
		return x, false, err
	}
	x.Used, x.Expires = true, now.Add(keep)
	return x, true, consents.Put(tx, store.Platform, &x)
}

// answers says whether the caller is who asked for the consent.
func answers(c *api.Call, x *Consent, may perm.Perm) bool {
	if x.Person != "" {
		return c.Caller.Kind == api.Person && c.Caller.ID == x.Person && c.Caller.Session == x.Session
	}
	return c.Caller.Kind == api.Person && c.Org == x.Org && c.Can(may)
}

// Forget removes consents that nobody answered.
func Forget(tx *store.Tx, limit int) (int, error) {
	list, _, err := byExpires.Walk(tx, store.Platform, store.Range{Span: store.During(time.Time{}, tx.DB().Now()), Limit: limit})
	for i := range list {
		if err := consents.Delete(tx, store.Platform, list[i].ID); err != nil {
			return i, err
		}
	}
	return len(list), err
}

// ReturnTo is a path of this service, or what is wrong with it; nobody where nobody asked for one.
func ReturnTo(c *api.Call, asked *string, nobody string) (string, error) {
	if asked == nil || *asked == "" {
		return nobody, nil
	}
	path, own := strings.CutPrefix(*asked, c.Base)
	if !own || c.Base == "" {
		path = *asked
	}
	u, err := url.Parse(path)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.ContainsAny(path, "\\\r\n\t") || len(path) > maxReturn {
		return "", api.Wrong("return_to", "must be a path of this service, such as %s", nobody)
	}
	return path, nil
}

// Back is the way back to a path, with pairs of what is to be said there.
func Back(to string, pairs ...string) api.Redirect {
	u, err := url.Parse(to)
	if err != nil {
		u = &url.URL{Path: "/console"}
	}
	q := u.Query()
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	u.RawQuery = q.Encode()
	return api.Redirect{To: u.String()}
}

// Callback is how a consent page returns.
type Callback struct {
	Code   string `query:"code" maxLength:"2000"`
	State  string `query:"state" maxLength:"200"`
	Error  string `query:"error" maxLength:"100"`
	Reason string `query:"error_reason" maxLength:"100"`
}

// Connecting is where to send a person.
type Connecting struct {
	URL     string    `json:"authorization_url"`
	Expires time.Time `json:"expires_at" doc:"Until then the page may be answered, once."`
}

// PageAt makes one. An address that is a path is a page of this service: of its simulator.
func PageAt(c *api.Call, address string, x *Consent) Connecting {
	if strings.HasPrefix(address, "/") {
		address = c.Base + address
	}
	return Connecting{address, x.Expires}
}

// Codes that a callback returns with, whatever was consented to.
const (
	InvalidState = "invalid_state"
	Denied       = "access_denied"
	Failed       = "network_failed"
)
