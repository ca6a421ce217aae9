package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleSocial: the demonstration's photo account is connected and read; its posts have
// figures, a comment its flag; the board counts them and is written about.
func TestConsoleSocial(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1400, Height: 1000, Allow: whenNobody})
	acceptPolicy(p)
	p.Goto(base + "/console/ai/social")
	says(p, "Nothing was read yet")
	p.Shot("console-social-empty")
	p.Accessible()
	p.Goto(base + "/console/channels")
	press(p, "Connect Instagram")
	p.Wait("location.pathname.startsWith('/_sim/photo/')")
	press(p, "Allow")
	p.Wait("location.pathname === '/console/channels'")
	says(p, "is connected")
	p.Click("[data-row] [data-open]")
	p.Wait("document.querySelector('[data-sync=IDLE]')?.textContent.match(/[1-9]\\d* posts/)")
	press(p, "Sync now")
	p.Wait("document.querySelector('[data-sync=IDLE]')?.textContent.match(/[1-9]\\d* of them analyzed/)")
	p.Shot("console-social-account")
	p.Accessible()

	p.Goto(base + "/console/ai/social/posts")
	p.Wait("document.querySelector('[data-row]')")
	p.Shot("console-social-posts")
	p.Accessible()
	// The newest was published just now and has no figures yet.
	p.Click("[data-row]:nth-of-type(2) [data-open]")
	p.Wait("location.pathname.startsWith('/console/ai/social/posts/')")
	says(p, "Likes")
	p.Shot("console-social-post")
	p.Accessible()

	p.Goto(base + "/console/ai/social/comments?flag=question")
	p.Wait("document.querySelector('[data-row]')?.textContent.includes('Question')")
	p.Shot("console-social-comments")
	p.Accessible()

	p.Goto(base + "/console/ai/social")
	p.Wait("document.querySelector('[data-metric=posts]')?.textContent.match(/[1-9]/)")
	p.Wait("document.querySelector('section svg')")
	p.Shot("console-social-board")
	p.Accessible()
	press(p, "Write a report")
	p.Wait("document.querySelector('[data-narrative=READY] [data-of]')")
	p.Shot("console-social-report")
	p.Accessible()
	p.Clean()

	// Somebody's channel of the video network needs a link and nothing else.
	p.Goto(base + "/console/channels")
	press(p, "Add YouTube")
	field(p, "Link to the channel", "@demo_channel")
	press(p, "Add the channel")
	p.Wait("location.pathname.startsWith('/console/channels/cha_')")
	p.Wait("document.querySelector('[data-sync=IDLE]')?.textContent.match(/[1-9]\\d* posts/)")
	p.Shot("console-social-video")
	p.Accessible()
	p.Goto(base + "/console/channels/setup")
	heading(p, "Setting up the networks")
	p.Shot("console-social-setup")
}
