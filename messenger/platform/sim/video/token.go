package video

import (
	"net/http"
	"strings"

	"svc/messenger/platform/sim/answer"
)

// shortLived begins a token that a refresh token was exchanged for.
const shortLived = "short."

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("client_id") != App || r.PostFormValue("client_secret") != Secret {
		answer.JSON(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	first := r.PostFormValue("grant_type") == "authorization_code"
	var g Grant
	var ok bool
	if first {
		g, ok = s.network.Exchange(r.PostFormValue("code"), r.PostFormValue("redirect_uri"), r.PostFormValue("code_verifier"))
	} else {
		g, ok = s.network.Refresh(r.PostFormValue("refresh_token"))
	}
	if !ok {
		answer.JSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	out := map[string]any{"expires_in": 3599, "token_type": "Bearer", "access_token": shortLived + g.Token, "scope": strings.Join(g.Scopes, " ")}
	if first {
		out["refresh_token"] = g.Token
	}
	answer.JSON(w, http.StatusOK, out)
}
