package session

import (
	"fmt"
	"strings"
	"time"

	"svc/app/api"
)

// Names of the cookie that carries a session: over https it is bound to the host, so that
// no page of a neighbouring host can set it (contract 21.3, Elevation). Cookie
// is that of development, and of sessions that were opened before the other name was.
const (
	Cookie     = "svc_session"
	HostCookie = "__Host-" + Cookie
)

// Bounds of what is looked at as a credential (contract 40).
const (
	maxBearer = 256
	maxCookie = 256
)

// Purposes keep the hashes of different secrets apart.
const (
	sessionPurpose = "session"
	setupPurpose   = "setup"
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

// SetCookie gives the browser a session: its token, for as long as it lives.
func (s *Service) SetCookie(c *api.Call, token string, life time.Duration) {
	c.SetHeader("Set-Cookie", s.cookie(token, life))
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
