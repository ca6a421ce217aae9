package browsertest

import (
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// Passkeys gives the browser a device that keeps passkeys, is always touched, and verifies
// its person, as a telephone with a finger does.
func (p *Page) Passkeys() {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, webauthn.Enable, webauthn.EnableParams{})
	p.check("turn passkeys on", err)
	_, err = chromedp.Call(p.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	p.check("add a device for passkeys", err)
}
