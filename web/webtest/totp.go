package webtest

import (
	"time"

	"github.com/pquerna/otp/totp"
)

// code is what an authenticator app with that secret shows at the clock of the
// story, or as long before or behind it as by says.
func (n *names) code(secret, by string) (code string, ok bool) {
	at := n.now()
	if by != "" {
		d, err := time.ParseDuration(by)
		if err != nil {
			return "", false
		}
		at = at.Add(d)
	}
	code, err := totp.GenerateCode(secret, at)
	return code, err == nil
}
