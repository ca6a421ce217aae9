package session_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/session"
)

// FuzzCredential: whatever comes in a header or a cookie is refused in one way,
// unless it is what was given out.
func FuzzCredential(f *testing.F) {
	h := newHarness(f)
	b := h.signup("a@example.com", "A")
	_, k := b.key(map[string]any{"name": "k"})
	token := k.exchange()
	for _, header := range []string{"", " ", "Bearer", "Bearer ", "Basic YTpi", "bearer x", "Bearer " + k.cred.Bearer, "BEARER  " + token.cred.Bearer + " ", "Bearer svck_", "Bearer svcat___"} {
		f.Add(header, b.cred.Cookie)
		f.Add(header, "")
	}
	f.Add("Bearer "+strings.Repeat("a", 5000), strings.Repeat("\x00", 5000))
	f.Fuzz(func(t *testing.T, header, cookie string) {
		bearer, ok := session.ParseBearer(header)
		if !ok {
			bearer = "?" // refused before it is looked at; nobody's credential either
		}
		if (bearer == "") != (strings.TrimSpace(header) == "") {
			t.Fatalf("%q is the bearer %q", header, bearer)
		}
		c := api.NewCall(t.Context(), nil)
		err := h.s.Identify(c, session.Credential{Bearer: bearer, Cookie: cookie})
		good := bearer == k.cred.Bearer || bearer == token.cred.Bearer || bearer == "" && cookie == b.cred.Cookie
		switch {
		case bearer == "" && cookie == "":
			if err != nil || c.Caller.Kind != api.Nobody {
				t.Fatalf("nothing at all: %v", err)
			}
		case good != (err == nil) || err != nil && err != error(session.ErrCredentials):
			t.Fatalf("header %q cookie %q: %v", header, cookie, err)
		case err != nil && c.Caller.Kind != api.Nobody:
			t.Fatalf("refused, and yet %+v", c.Caller)
		}
		if s, ok := session.RespellToken(bearer); ok && s != bearer {
			t.Fatalf("the token %q is also %q", s, bearer)
		}
	})
}

func TestParseBearer(t *testing.T) {
	for header, want := range map[string]string{
		"": "", "  ": "", "Bearer x": "x", "bearer  x ": "x", "Basic x": "?", "Bearer": "?", "x": "?",
	} {
		got, ok := session.ParseBearer(header)
		if !ok {
			got = "?"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", header, got, want)
		}
	}
}
