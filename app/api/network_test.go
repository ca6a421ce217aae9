package api_test

import (
	"testing"

	"svc/app/api"
)

// TestNetwork: one household counts once, whichever of its addresses it comes from and
// however that is written.
func TestNetwork(t *testing.T) {
	for ip, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3::4": "2001:db8:1:2::/64", "2001:db8:1:2::": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "": "", "nobody": "nobody",
	} {
		if got := api.Network(ip); got != want {
			t.Errorf("%s counts as %s, want %s", ip, got, want)
		}
	}
}
