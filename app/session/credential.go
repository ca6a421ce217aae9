package session

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/org"
)

// Names of the cookie that carries a session: over https it is bound to the host, so that
// no page of a neighbouring host can set it (contract 21.3, Elevation). Cookie
// is that of development, and of sessions that were opened before the other name was.
const (
	Cookie     = "svc_session"
	HostCookie = "__Host-" + Cookie
)

// Forms of credentials (contract 40, 44.1, 44.4 and 44.5).
const (
	keyStart   = "svck_"
	tokenStart = "svcat_"
	prefixSize = 12
	secretSize = 52
	macSize    = 64 // hex characters of HMAC-SHA-256
	maxBearer  = 256
	maxCookie  = 256
)

// Purposes keep the hashes of different secrets apart.
const (
	sessionPurpose = "session"
	keyPurpose     = "api-key"
	tokenPurpose   = "access-token"
	setupPurpose   = "setup"
	supportPurpose = "support-link"
)

// Credential is what a request brought. At most one of them counts: the bearer.
type Credential struct {
	Bearer string // what stands behind "Bearer " in the Authorization header
	Cookie string // the value of the cookie
	// PlainName: the cookie has the name that is not bound to the host.
	PlainName bool
}

// ParseBearer reads an Authorization header: "" for none. ok is false for one that
// is there and is no bearer.
func ParseBearer(header string) (token string, ok bool) {
	header = strings.TrimSpace(header)
	if header == "" {
		return "", true
	}
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// newSessionToken makes the value of a cookie: 32 random bytes, in 43 characters.
func newSessionToken() string { return org.NewToken() }

// newKey makes an API key: the prefix by which it is known and the whole.
func newKey() (prefix, whole string) {
	prefix = strings.ToLower(rand.Text())[:prefixSize]
	return prefix, keyStart + prefix + "_" + strings.ToLower(rand.Text() + rand.Text())[:secretSize]
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

// cookie is a Set-Cookie header.
func (s *Service) cookie(value string, life time.Duration) string {
	if s.options.Secure {
		return setCookie(HostCookie, value, life) + "; Secure"
	}
	return setCookie(Cookie, value, life)
}

func setCookie(name, value string, life time.Duration) string {
	return fmt.Sprintf("%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax", name, value, int64(life/time.Second))
}

// clearCookies ends the cookie of a session that ended, and one of the plain name that may
// be left of an earlier session.
func (s *Service) clearCookies(c *api.Call) {
	c.SetHeader("Set-Cookie", s.cookie("", 0))
	if s.options.Secure {
		c.SetHeader("Set-Cookie", setCookie(Cookie, "", 0)+"; Secure")
	}
}
