package session_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/session"
	"svc/app/session/sessiontest"
)

// FuzzCredential: whatever comes in a header or a cookie is refused in one way,
// unless it is what was given out.
func FuzzCredential(f *testing.F) {
	h := sessiontest.New(f)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "k"})
	token := k.Exchange()
	for _, header := range []string{"", " ", "Bearer", "Bearer ", "Basic YTpi", "bearer x", "Bearer " + k.Cred.Bearer, "BEARER  " + token.Cred.Bearer + " ", "Bearer svck_", "Bearer svcat___"} {
		f.Add(header, b.Cred.Cookie)
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
		err := h.S.Identify(c, session.Credential{Bearer: bearer, Cookie: cookie})
		good := bearer == k.Cred.Bearer || bearer == token.Cred.Bearer || bearer == "" && cookie == b.Cred.Cookie
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
