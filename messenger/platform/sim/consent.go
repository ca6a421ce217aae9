package sim

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/answer"
	"svc/messenger/platform/sim/video"
)

// codeLife is how long a code of a consent page lives.
const codeLife = time.Hour

// take uses a code up. The lock is held.
func (s *Simulator) take(network platform.Name, text, redirect, verifier string) (*code, *fault) {
	c := s.codes[text]
	switch {
	case c == nil || c.network != network:
		return nil, &fault{code: 100, sub: 36009, text: "Invalid verification code format."}
	case c.used:
		return nil, &fault{code: 100, sub: 36009, text: "This authorization code has been used."}
	case s.o.Now().Sub(c.at) > codeLife:
		return nil, &fault{code: 100, sub: 36007, text: "This authorization code has expired."}
	case c.redirect != redirect:
		return nil, &fault{code: 100, sub: 36008, text: "Error validating verification code. Please make sure your redirect_uri is identical."}
	case c.challenge != "" && c.challenge != platform.Challenge(verifier):
		return nil, &fault{code: 100, text: "Invalid code verifier."}
	}
	c.used = true
	for _, a := range c.accounts {
		a.granted = slices.Clone(c.scopes)
		a.tokenFault, a.dropped = 0, nil
	}
	return c, nil
}

func (s *Simulator) firstToken(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.PostFormValue("client_id") != PhotoApp || r.PostFormValue("client_secret") != PhotoSecret {
		answer.JSON(w, http.StatusBadRequest, map[string]any{"error_type": "OAuthException", "code": 400, "error_message": "Invalid platform app"})
		return
	}
	c, f := s.take(platform.Photo, r.PostFormValue("code"), r.PostFormValue("redirect_uri"), "")
	if f != nil {
		answer.JSON(w, http.StatusBadRequest, map[string]any{"error_type": "OAuthException", "code": 400, "error_message": f.text})
		return
	}
	a := c.accounts[0]
	answer.JSON(w, http.StatusOK, map[string]any{"data": []any{map[string]any{
		"access_token": a.token(), "user_id": userID(platform.Photo), "permissions": strings.Join(c.scopes, ","),
	}}})
}

func (s *Simulator) longToken(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := q.r.URL.Query()
	a, f := s.byToken(v.Get("access_token"))
	if f != nil {
		return f
	}
	if what := s.fires(a, "refreshes"); what.Name == "error" {
		return &fault{code: what.Code, sub: what.Sub, text: "The token cannot be refreshed"}
	}
	if v.Get("grant_type") == "ig_exchange_token" && v.Get("client_secret") != PhotoSecret {
		return &fault{code: 101, text: "Error validating client secret"}
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"access_token": a.token(), "token_type": "bearer", "expires_in": 5184000})
	return nil
}

func (s *Simulator) pageToken(q *request) error {
	v := q.r.URL.Query()
	if v.Get("client_id") != PageApp || v.Get("client_secret") != PageSecret {
		return &fault{code: 101, text: "Error validating application"}
	}
	if v.Get("grant_type") != "fb_exchange_token" {
		s.mu.Lock()
		defer s.mu.Unlock()
		c, f := s.take(platform.Page, v.Get("code"), v.Get("redirect_uri"), "")
		if f != nil {
			return f
		}
		s.lastGrant(c)
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"access_token": userToken(), "token_type": "bearer", "expires_in": 5184000})
	return nil
}

// lastGrant is what the person allowed last: it replaces what stood before. The lock is held.
func (s *Simulator) lastGrant(c *code) {
	for _, a := range s.accounts {
		if a.network == platform.Page && !slices.Contains(c.accounts, a) && a.fields == nil {
			a.granted = nil
		}
	}
}

func (s *Simulator) debugToken(q *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, f := s.byToken(q.r.URL.Query().Get("input_token"))
	data := map[string]any{"is_valid": f == nil, "app_id": PageApp}
	if f == nil {
		data["scopes"] = a.scopes()
		data["data_access_expires_at"] = s.o.Now().Add(90 * 24 * time.Hour).Unix()
	}
	answer.JSON(q.w, http.StatusOK, map[string]any{"data": data})
	return nil
}

// consent is the page on which a person allows accounts.
func (s *Simulator) consent(w http.ResponseWriter, r *http.Request, network platform.Name) {
	if network == platform.Page && !strings.HasSuffix(r.URL.Path, "/dialog/oauth") {
		s.unmodelled(w, r.Method+" "+r.URL.Path)
		return
	}
	back, err := url.Parse(r.FormValue("redirect_uri"))
	app := map[platform.Name]string{platform.Photo: PhotoApp, platform.Page: PageApp, platform.Video: video.App}[network]
	if err != nil || r.FormValue("client_id") != app || back.Host == "" {
		http.Error(w, "The application or the address to return to is not known.", http.StatusBadRequest)
		return
	}
	if network == platform.Video && (r.FormValue("code_challenge") == "" || r.FormValue("code_challenge_method") != "S256") {
		http.Error(w, "The address names no code challenge.", http.StatusBadRequest)
		return
	}
	if r.Method != http.MethodPost {
		s.consentPage(w, r, network)
		return
	}
	q := back.Query()
	q.Set("state", r.FormValue("state"))
	if r.FormValue("deny") != "" {
		q.Set("error", "access_denied")
		q.Set("error_reason", "user_denied")
	} else {
		text, ok := s.grant(&code{network: network, redirect: r.FormValue("redirect_uri"), challenge: r.FormValue("code_challenge"), scopes: r.PostForm["scope"]}, r.PostForm["account"])
		if !ok {
			http.Error(w, "Choose an account.", http.StatusBadRequest)
			return
		}
		q.Set("code", text)
	}
	back.RawQuery = q.Encode()
	if network == platform.Photo {
		back.Fragment = "_"
	}
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// Allow is the consent page answered: it gives the code that the callback gets, bound to no verifier.
func (s *Simulator) Allow(network platform.Name, redirect string, usernames, scopes []string) (string, bool) {
	return s.grant(&code{network: network, redirect: redirect, scopes: scopes}, usernames)
}

// AllowAs is Allow with a code that the caller chooses.
func (s *Simulator) AllowAs(text string, network platform.Name, redirect string, usernames, scopes []string) error {
	given, ok := s.Allow(network, redirect, usernames, scopes)
	if !ok {
		return errScene
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[text] = s.codes[given]
	return nil
}

// grant gives the code of what a person allowed to accounts.
func (s *Simulator) grant(c *code, usernames []string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.at = s.o.Now()
	for _, name := range usernames {
		if a := s.account(c.network, name); a != nil {
			c.accounts = append(c.accounts, a)
		}
	}
	if len(c.accounts) == 0 {
		return "", false
	}
	text := s.next("code")
	s.codes[text] = c
	return text, true
}
