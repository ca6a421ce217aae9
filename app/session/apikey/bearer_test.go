package apikey

import (
	"strings"
	"testing"
	"time"
)

// FuzzToken: a token has one spelling.
func FuzzToken(f *testing.F) {
	prefix, whole := newKey()
	good := accessToken{prefix, time.Unix(1_800_000_000, 0), strings.Repeat("a", macSize)}.String()
	if _, ok := parseToken(good); !ok {
		f.Fatalf("our own token %q is not read", good)
	}
	for _, seed := range []string{"", good, whole, good + "_", strings.ToUpper(good), tokenStart + prefix + "__", keyStart, tokenStart, strings.Repeat("a", 5000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, bearer string) {
		if token, ok := parseToken(bearer); ok && token.String() != bearer {
			t.Fatalf("the token %q is also %q", token.String(), bearer)
		}
	})
}
