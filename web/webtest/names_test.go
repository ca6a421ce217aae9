package webtest

import "testing"

func TestNames(t *testing.T) {
	n := newNames()
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
