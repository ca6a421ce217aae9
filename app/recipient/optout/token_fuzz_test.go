package optout

import (
	"errors"
	"testing"

	"svc/app/recipient"
	"svc/store/storetest"
)

// FuzzOptOutToken: what opens an opt-out page is a token that we made for that person,
// and everything else is an invalid link, whatever it is.
func FuzzOptOutToken(f *testing.F) {
	db := storetest.Open(f, recipient.Tables()...)
	const org, id = "org_01arz3ndektsv4rrffq69g5fav", "rcp_01arz3ndektsv4rrffq69g5faw"
	token, err := Token(db, org, id)
	if err != nil {
		f.Fatal(err)
	}
	if o, r, err := readToken(db, token); err != nil || o != org || r != id {
		f.Fatalf("our own token: %s, %s, %v", o, r, err)
	}
	if len(token) != 56 {
		f.Errorf("a token has %d characters, 56 are enough", len(token))
	}
	long, err := longToken(db, org, id)
	if err != nil {
		f.Fatal(err)
	}
	if o, r, err := readToken(db, long); err != nil || o != org || r != id {
		f.Fatalf("our own token of before: %s, %s, %v", o, r, err)
	}
	for _, seed := range []string{token, long, long[1:], long[idChars:2*idChars] + long[:idChars] + long[2*idChars:], token[1:], token + "a", "", "../" + token, "\x00" + token[1:]} {
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
		made, err := Token(db, o, r)
		long, failed := longToken(db, o, r)
		if err != nil || failed != nil || made != text && long != text {
			t.Fatalf("%q opens the page of %s, whose tokens are %q and %q (%v, %v)", text, r, made, long, err, failed)
		}
	})
}
