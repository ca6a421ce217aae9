package webtest

import (
	"net/url"
	"regexp"

	"svc/app/session/passkeytest"
)

// presented is what stands for the answer of an authenticator in a request.
var presented = regexp.MustCompile(`\{passkey (make|use|touch|back) ([a-z]{3,5}[0-9]+)(?: ([a-z]{3,5}[0-9]+))?\}`)

// passkey is what the authenticator of the story answers to a challenge: to make a passkey
// of a person, or to use it; touch uses it without verifying the person, back with a
// counter that does not go on.
func (n *names) passkey(how, challenge, user string) string {
	if n.device == nil {
		origin := n.origin()
		u, err := url.Parse(origin)
		if err != nil {
			return ""
		}
		n.device = passkeytest.New(u.Hostname(), origin)
	}
	d := n.device
	d.Touch = how == "touch"
	switch how {
	case "make":
		return string(d.Make(challenge, user))
	case "back":
		d.Counter = 0
	}
	return string(d.Use(challenge))
}
