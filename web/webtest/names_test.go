package webtest

import (
	"testing"
	"time"
)

func TestNames(t *testing.T) {
	n := newNames(time.Now)
	const rcp, other = "rcp_01arz3ndektsv4rrffq69g5fav", "rcp_01arz3ndektsv4rrffq69g5faw"
	for _, tt := range []struct{ in, want string }{
		{rcp, "#rcp1"}, {"/x/" + other + "?a", "/x/#rcp2?a"}, {rcp, "#rcp1"},
		{"svck_abcdefghijkl_0123456789abcdef01234567", "#svck1"}, {"nothing", "nothing"},
		{"/invite?token=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG", "/invite?token=#token1"},
	} {
		if got := n.hide(tt.in); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
	}
	if got, unknown := n.reveal("/recipients/{rcp2}/{id}"); got != "/recipients/"+other+"/{id}" || unknown != "" {
		t.Errorf("%s %s", got, unknown)
	}
	if _, unknown := n.reveal("{rcp9}"); unknown != "{rcp9}" {
		t.Errorf("%q", unknown)
	}
}

// TestCodes holds codes to the test vectors of RFC 6238, appendix B (their last six
// digits).
func TestCodes(t *testing.T) {
	n := newNames(func() time.Time { return time.Unix(59, 0) })
	n.hide("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
	for in, want := range map[string]string{
		`{"code":"{code totp1}"}`:   `{"code":"287082"}`,
		"{code totp1 +1111111050s}": "081804",
		"{code totp1 +20576131h1s}": "{code totp1 +20576131h1s}", // one unit only
		"{totp1}":                   "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
	} {
		if got, unknown := n.reveal(in); got != want || unknown != "" {
			t.Errorf("%s: %s, want %s (%s)", in, got, want, unknown)
		}
	}
	if _, unknown := n.reveal("{code totp2}"); unknown != "{code totp2}" {
		t.Errorf("%q", unknown)
	}
}
