package browsertest

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// AllowNotifications lets the pages of an origin show notifications, as a person does who is
// asked for it.
func (p *Page) AllowNotifications(origin string) {
	p.tb.Helper()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: browser.PermissionSettingGranted, Origin: origin,
		BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	p.check("allow notifications", err)
}

// Push gives the service worker of an origin a message, as a push service does that the browser
// is connected to.
func (p *Page) Push(origin, data string) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: origin, RegistrationID: p.worker(origin), Data: data})
	p.check("push", err)
}

// Pushed pushes and waits until an expression is true of what is shown. A browser that is asked
// what it shows while it prepares a notification forgets that one, so a message is pushed again
// when nothing is seen of it for some seconds, as a push service does whose message got lost.
func (p *Page) Pushed(origin, data, expression string) {
	p.tb.Helper()
	for range patience / again {
		p.Push(origin, data)
		if ok, _ := p.within(again, expression); ok {
			return
		}
	}
	p.tb.Fatalf("%s was pushed, and never was %s", data, expression)
}

// again is after how long a message is pushed again.
const again = 5 * time.Second

// worker waits until an origin has a service worker, and says what the browser calls it.
func (p *Page) worker(origin string) serviceworker.RegistrationID {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, serviceworker.Enable, cdp.Empty{})
	p.check("watch the service workers", err)
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		p.mu.Lock()
		id := p.workers[origin]
		p.mu.Unlock()
		if id != "" {
			return id
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			p.tb.Fatalf("%s has no service worker", origin)
		}
	}
}

// Installable fails the test unless the browser would install the page, whose manifest it reads.
func (p *Page) Installable() {
	p.tb.Helper()
	m, err := chromedp.Call(p.ctx, browserpage.GetAppManifest, browserpage.GetAppManifestParams{})
	p.check("read the manifest", err)
	if m.URL == "" || m.Data == "" {
		p.tb.Error("the page has no manifest")
	}
	for _, e := range m.Errors {
		p.tb.Errorf("the manifest, line %d: %s", e.Line, e.Message)
	}
	found, err := chromedp.Call(p.ctx, browserpage.GetInstallabilityErrors, cdp.Empty{})
	p.check("ask whether it can be installed", err)
	for _, e := range found.InstallabilityErrors {
		// Pages of tests are in private windows, of which a browser installs none.
		if e.ErrorID != "in-incognito" {
			p.tb.Errorf("it is not installed: %s", e.ErrorID)
		}
	}
}
