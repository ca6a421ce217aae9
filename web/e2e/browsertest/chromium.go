package browsertest

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// chromium is the browser of this process: each page has a context of its own in it,
// as a private window has, so that pages share no cookie, storage or cache.
var chromium struct {
	sync.Mutex
	ctx   context.Context // nil before the first page
	stop  func()
	agent string // what it says it is
}

// running gives the context of the browser, started when it does not run, and what
// it says it is. One that crashed is started again: its pages failed with it, those
// that come need not.
func running(tb testing.TB) (ctx context.Context, agent string) {
	tb.Helper()
	c := &chromium
	c.Lock()
	defer c.Unlock()
	if c.ctx != nil && c.ctx.Err() == nil {
		return c.ctx, c.agent
	}
	if c.stop != nil {
		c.stop()
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(find(tb)), chromedp.NoSandbox,
		// WebGL without a graphics card.
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		// Pages are put together without WebGL, which is slow then; maps still use it.
		chromedp.Flag("disable-gpu-compositing", true),
		chromedp.Flag("hide-scrollbars", true))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, stopBrowser := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	c.stop = func() { stopBrowser(); stopAllocator() }
	err := chromedp.Do(ctx)
	if err == nil {
		var v browser.GetVersionResult
		v, err = chromedp.CallBrowser(ctx, browser.GetVersion, cdp.Empty{})
		c.agent = v.UserAgent
	}
	if err != nil {
		c.stop()
		c.stop = nil
		tb.Fatalf("start Chromium: %v", err)
	}
	c.ctx = ctx
	return c.ctx, c.agent
}

// quit ends the browser, if one runs.
func quit() {
	chromium.Lock()
	defer chromium.Unlock()
	if chromium.stop != nil {
		chromium.stop()
	}
}

// speak gives the page the language that a person would choose in the browser.
func (p *Page) speak(lang, agent string) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent, AcceptLanguage: lang})
	p.check("set the language", err)
	_, err = chromedp.Call(p.ctx, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: lang})
	p.check("set the locale", err)
	// Several pages are open, and one window only has the focus of the system.
	_, err = chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	p.check("give the page the focus", err)
}
