package sim

import (
	"net/http"
	"strings"

	"svc/messenger/platform"
)

// shortLived begins a token that a refresh token was exchanged for.
const shortLived = "short."

func (s *Simulator) videoToken(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bad := func(code string) { answer(w, http.StatusBadRequest, map[string]any{"error": code}) }
	if r.PostFormValue("client_id") != VideoApp || r.PostFormValue("client_secret") != VideoSecret {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	out := map[string]any{"expires_in": 3599, "token_type": "Bearer"}
	if r.PostFormValue("grant_type") == "authorization_code" {
		c, f := s.take(platform.Video, r.PostFormValue("code"), r.PostFormValue("redirect_uri"))
		if f != nil {
			bad("invalid_grant")
			return
		}
		out["access_token"], out["refresh_token"], out["scope"] = shortLived+c.accounts[0].token(), c.accounts[0].token(), strings.Join(c.scopes, " ")
		answer(w, http.StatusOK, out)
		return
	}
	a, f := s.byToken(r.PostFormValue("refresh_token"))
	if f == nil {
		if s.fires(a, "refreshes").action != "" {
			f = &fault{}
		}
	}
	if f != nil {
		bad("invalid_grant")
		return
	}
	out["access_token"], out["scope"] = shortLived+a.token(), strings.Join(a.granted, " ")
	answer(w, http.StatusOK, out)
}
