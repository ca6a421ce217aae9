package apikey

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/store"
)

// Forms of keys and tokens (contract 40, 44.4 and 44.5).
const (
	keyStart   = "svck_"
	tokenStart = "svcat_"
	prefixSize = 12
	secretSize = 52
	macSize    = 64 // hex characters of HMAC-SHA-256
)

// Purposes keep the hashes of different secrets apart.
const (
	keyPurpose   = "api-key"
	tokenPurpose = "access-token"
)

// newKey makes an API key: the prefix by which it is known and the whole.
func newKey() (prefix, whole string) {
	prefix = strings.ToLower(rand.Text())[:prefixSize]
	return prefix, keyStart + prefix + "_" + strings.ToLower(rand.Text() + rand.Text())[:secretSize]
}

// IsKey says whether a text looks like an API key.
func IsKey(s string) bool {
	_, ok := parseKey(s)
	return ok
}

// parseKey gives the prefix of what looks like an API key.
func parseKey(s string) (prefix string, ok bool) {
	rest, ok := strings.CutPrefix(s, keyStart)
	if !ok || len(rest) != prefixSize+1+secretSize || rest[prefixSize] != '_' {
		return "", false
	}
	return rest[:prefixSize], lowerBase32(rest[:prefixSize]) && lowerBase32(rest[prefixSize+1:])
}

// accessToken is what a token says: for which key it stands, and until when. The
// MAC makes it ours.
type accessToken struct {
	prefix  string
	expires time.Time
	mac     string
}

func (t accessToken) String() string {
	return tokenStart + t.prefix + "_" + strconv.FormatInt(t.expires.Unix(), 16) + "_" + t.mac
}

// signed is what the MAC of a token of that key covers.
func (t accessToken) signed(keyID string) string {
	return fmt.Sprintf("%s %d", keyID, t.expires.Unix())
}

// parseToken reads what looks like an access token. Only the one spelling that
// String writes counts.
func parseToken(s string) (t accessToken, ok bool) {
	rest, ok := strings.CutPrefix(s, tokenStart)
	parts := strings.Split(rest, "_")
	if !ok || len(parts) != 3 || len(parts[0]) != prefixSize || !lowerBase32(parts[0]) || len(parts[2]) != macSize {
		return t, false
	}
	unix, err := strconv.ParseInt(parts[1], 16, 64)
	if err != nil || unix < 0 || unix > 1<<36 {
		return t, false
	}
	t = accessToken{parts[0], time.Unix(unix, 0), parts[2]}
	return t, t.String() == s
}

// lowerBase32 says whether s has only the characters that rand.Text writes, in
// lower case.
func lowerBase32(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return s != ""
}

// Find finds the key that a bearer is, or an access token stands for, with its
// organization, and until when time alone lets it work; zero: for ever. One that does not
// work, or not any more, is api.ErrCredentials.
func Find(tx *store.Tx, bearer string) (k Key, org string, until time.Time, err error) {
	prefix, isKey := parseKey(bearer)
	token, isToken := parseToken(bearer)
	now := tx.DB().Now()
	if isToken {
		prefix, until = token.prefix, token.expires
	}
	if !isKey && !isToken || isToken && !now.Before(token.expires) {
		return k, "", until, api.ErrCredentials
	}
	if k, org, err = byPrefix.Find(tx, store.Text(prefix)); store.IsNotFound(err) {
		err = api.ErrCredentials
	}
	if err == nil {
		err = verifySecret(tx, &k, bearer, token)
	}
	if err == nil && !k.works(now) {
		err = api.ErrCredentials
	}
	for _, end := range []*time.Time{k.ExpiresAt, k.ValidUntil} {
		if end != nil && (until.IsZero() || end.Before(until)) {
			until = *end
		}
	}
	return k, org, until, err
}

// verifySecret is api.ErrCredentials unless the bearer is that key, or a token of it.
func verifySecret(tx *store.Tx, k *Key, bearer string, token accessToken) error {
	kept, purpose, shown := k.Hash, keyPurpose, bearer
	if token.mac != "" {
		kept, purpose, shown = token.mac, tokenPurpose, token.signed(k.ID)
	}
	hash, err := tx.Hash(purpose, shown)
	if err == nil && subtle.ConstantTimeCompare([]byte(hash), []byte(kept)) != 1 {
		err = api.ErrCredentials
	}
	return err
}

// NewToken makes an access token of a key.
func NewToken(tx *store.Tx, k *Key, expires time.Time) (string, error) {
	t := accessToken{prefix: k.Prefix, expires: expires}
	mac, err := tx.Hash(tokenPurpose, t.signed(k.ID))
	t.mac = mac
	return t.String(), err
}
