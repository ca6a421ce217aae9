package recipient

import (
	"errors"
	"testing"

	"svc/store/storetest"
)

// FuzzOptOutToken: what opens an opt-out page is a token that we made for that person,
// and everything else is an invalid link, whatever it is.
func FuzzOptOutToken(f *testing.F) {
	db := storetest.Open(f, Tables()...)
	const org, id = "org_01arz3ndektsv4rrffq69g5fav", "rcp_01arz3ndektsv4rrffq69g5faw"
	token, err := OptOutToken(db, org, id)
	if err != nil {
		f.Fatal(err)
	}
	if o, r, err := readToken(db, token); err != nil || o != org || r != id {
		f.Fatalf("our own token: %s, %s, %v", o, r, err)
	}
	for _, seed := range []string{token, token[1:], token + "a", token[:idChars] + token, "", "../" + token, "\x00" + token[1:], token[idChars:2*idChars] + token[:idChars] + token[2*idChars:]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, r, err := readToken(db, text)
		if err != nil {
			if !errors.Is(err, ErrInvalidLink) || o != "" || r != "" {
				t.Fatalf("%q: %q, %q, %v", text, o, r, err)
			}
			return
		}
		if made, err := OptOutToken(db, o, r); err != nil || made != text {
			t.Fatalf("%q opens the page of %s, whose token is %q (%v)", text, r, made, err)
		}
	})
}
