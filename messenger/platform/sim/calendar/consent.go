package calendar

import (
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/messenger/platform"
	wire "svc/messenger/platform/calendar"
	"svc/messenger/platform/sim/answer"
)

// codeLife is how long a code of a consent page lives.
const codeLife = 10 * time.Minute

// consent is the page on which the owner allows the calendar.
func (w *World) consent(rw http.ResponseWriter, r *http.Request) {
	back, err := url.Parse(r.FormValue("redirect_uri"))
	if err != nil || back.Host == "" || r.FormValue("client_id") != ClientID || r.FormValue("response_type") != "code" || r.FormValue("code_challenge_method") != "S256" {
		http.Error(rw, "The application, the address to return to or the challenge is not known.", http.StatusBadRequest)
		return
	}
	if r.Method != http.MethodPost {
		w.consentPage(rw, r)
		return
	}
	q := back.Query()
	q.Set("state", r.FormValue("state"))
	if r.FormValue("deny") != "" {
		q.Set("error", "access_denied")
	} else {
		text := w.Allow("", r.FormValue("redirect_uri"), r.FormValue("code_challenge"), r.Form["allow"], r.FormValue("access_type") == "offline" && r.FormValue("prompt") == "consent")
		q.Set("code", text)
	}
	back.RawQuery = q.Encode()
	http.Redirect(rw, r, back.String(), http.StatusFound)
}

func (w *World) consentPage(rw http.ResponseWriter, r *http.Request) {
	var hidden [][2]string
	for _, k := range []string{"client_id", "redirect_uri", "response_type", "state", "access_type", "prompt", "code_challenge", "code_challenge_method"} {
		hidden = append(hidden, [2]string{k, r.FormValue(k)})
	}
	answer.Consent(rw, "calendar of "+Email, hidden, nil, "allow", strings.Fields(r.FormValue("scope")))
}

// Allow answers the consent page: it gives the code that the callback gets, that of the caller
// unless it is "". offline: there will be a token that lives.
func (w *World) Allow(text, redirect, challenge string, scopes []string, offline bool) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text == "" {
		w.seq++
		text = "code-" + sign(hex.EncodeToString([]byte{byte(w.seq >> 8), byte(w.seq)})+redirect+w.o.Now().String())
	}
	w.codes[text] = &code{redirect: redirect, challenge: challenge, scopes: scopes, offline: offline, at: w.o.Now()}
	return text
}

// AllowURL answers the consent page of an address, with everything ticked except scopes that
// have a part in their name ("": none), and a code that the caller chooses.
func (w *World) AllowURL(text, address, without string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	q := u.Query()
	if q.Get("client_id") != ClientID || q.Get("code_challenge_method") != "S256" {
		return errors.New("the address is not that of the consent page")
	}
	scopes := slices.DeleteFunc(strings.Fields(q.Get("scope")), func(s string) bool { return without != "" && strings.Contains(s, without) })
	w.Allow(text, q.Get("redirect_uri"), q.Get("code_challenge"), scopes, q.Get("access_type") == "offline" && q.Get("prompt") == "consent")
	return nil
}

// AllowWords answers the consent page as stories write it: CODE CHALLENGE [without PART], where
// PART is a part of the names of scopes that are not ticked.
func (w *World) AllowWords(redirect string, words []string) error {
	if len(words) != 2 && len(words) != 4 {
		return errors.New("write CODE CHALLENGE [without PART]")
	}
	scopes := slices.DeleteFunc(wire.Scopes(), func(s string) bool { return len(words) == 4 && strings.Contains(s, words[3]) })
	w.Allow(words[0], redirect, words[1], scopes, true)
	return nil
}

func (w *World) token(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.PostFormValue("client_id") != ClientID || r.PostFormValue("client_secret") != Secret {
		refuseToken(rw, "invalid_client", "The OAuth client was not found.")
		return
	}
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		w.exchange(rw, r)
	case "refresh_token":
		w.refresh(rw, r)
	default:
		refuseToken(rw, "unsupported_grant_type", "Invalid grant_type")
	}
}

func (w *World) exchange(rw http.ResponseWriter, r *http.Request) {
	do := w.fires("exchanges")
	w.calls["exchanges"]++
	if w.fails(rw, do) {
		return
	}
	c := w.codes[r.PostFormValue("code")]
	switch {
	case c == nil, c.used, w.o.Now().Sub(c.at) > codeLife:
		refuseToken(rw, "invalid_grant", "Malformed auth code.")
		return
	case c.redirect != r.PostFormValue("redirect_uri"):
		refuseToken(rw, "redirect_uri_mismatch", "Bad Request")
		return
	case c.challenge != platform.Challenge(r.PostFormValue("code_verifier")):
		refuseToken(rw, "invalid_grant", "Invalid code verifier.")
		return
	}
	c.used = true
	w.scopes = slices.Clone(c.scopes)
	out := map[string]any{
		"access_token": w.accessToken(), "expires_in": int(accessLife / time.Second), "token_type": "Bearer", "scope": strings.Join(c.scopes, " "),
	}
	if c.offline && !w.silent {
		out["refresh_token"] = w.refreshToken()
	}
	done(rw, do, http.StatusOK, out)
}

func (w *World) refresh(rw http.ResponseWriter, r *http.Request) {
	do := w.fires("refreshes")
	w.calls["refreshes"]++
	if w.fails(rw, do) {
		return
	}
	if r.PostFormValue("refresh_token") != w.refreshToken() {
		refuseToken(rw, "invalid_grant", "Token has been expired or revoked.")
		return
	}
	done(rw, do, http.StatusOK, map[string]any{
		"access_token": w.accessToken(), "expires_in": int(accessLife / time.Second), "token_type": "Bearer", "scope": strings.Join(w.scopes, " "),
	})
}

func (w *World) revoked(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls["revokes"]++
	token := r.PostFormValue("token")
	if token != w.refreshToken() && !w.goodAccess(token) {
		refuseToken(rw, "invalid_token", "Token expired or revoked")
		return
	}
	w.revoke()
	writeJSON(rw, http.StatusOK, map[string]any{})
}
