// Package browsertest runs real pages in a real Chromium for tests.
//
// It promises that a page collects everything that a person would see in the
// developer tools in red: errors of the console, exceptions, requests that
// failed. It refuses to pretend: without Chromium a test says so and is skipped,
// and fails when CI is set to true.
package browsertest

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// patience bounds every wait: software WebGL on a busy machine is slow.
const patience = 45 * time.Second

// Options say what a person's browser is like. The zero value is a light
// desktop of 1280 × 800 in English.
type Options struct {
	Width, Height int64
	Small         bool   // 640 × 480, for a map: without a graphics card the time that one takes grows with the window
	Touch         bool   // a phone: touch events, 2 device pixels a pixel
	Dark          bool   // the system is set to dark
	Lang          string // language of the browser, "en" by default
	Motion        bool   // animations run; without it the system asks for none
	// Allow lets expected failures pass: "404 /styles/light.json" and the like.
	Allow func(problem string) bool
}

// Page is one page in a browser context of its own, which ends with its test.
type Page struct {
	tb  testing.TB
	ctx context.Context

	allow    func(string) bool
	motion   string // what the system asks of animations
	mu       sync.Mutex
	problems []string
	requests map[network.RequestID]string
	workers  map[string]serviceworker.RegistrationID // by origin
}

// Open opens one empty page, which shares nothing with others.
func Open(tb testing.TB, o Options) *Page {
	tb.Helper()
	if o.Small {
		o.Width, o.Height = 640, 480
	}
	if o.Width == 0 {
		o.Width, o.Height = 1280, cmp.Or(o.Height, 800)
	}
	chromium, agent := running(tb)
	ctx, closePage := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	tb.Cleanup(closePage)
	p := &Page{tb: tb, ctx: ctx, allow: o.Allow, requests: map[network.RequestID]string{}, workers: map[string]serviceworker.RegistrationID{}}
	p.check("open a page", chromedp.Do(ctx))
	p.check("listen to the page", chromedp.Listen(ctx, p.event))
	go p.console()
	p.speak(cmp.Or(o.Lang, "en"), agent)
	p.dress(o)
	return p
}

// find gives the path of Chromium, or ends the test saying why.
func find(tb testing.TB) string {
	tb.Helper()
	for _, name := range []string{os.Getenv("SVC_TEST_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const why = "it needs Chromium (apt-get install chromium), or SVC_TEST_CHROMIUM with the path of one"
	if os.Getenv("CI") == "true" {
		tb.Fatal("not run: " + why)
	}
	tb.Skip("not run: " + why)
	return ""
}

func (p *Page) dress(o Options) {
	p.tb.Helper()
	options := []chromedp.EmulateViewportOption{}
	if o.Touch {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	p.do("set the size", chromedp.EmulateViewport(o.Width, o.Height, options...))
	p.motion = "reduce" // nothing to wait for
	if o.Motion {
		p.motion = "no-preference"
	}
	p.Dark(o.Dark)
	_, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{})
	p.check("watch the network", err)
}

// Dark sets the theme of the system.
func (p *Page) Dark(on bool) {
	p.tb.Helper()
	scheme := "light"
	if on {
		scheme = "dark"
	}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: p.motion},
		},
	})
	p.check("set the media", err)
}

// Resize changes the size of the window.
func (p *Page) Resize(width, height int64) {
	p.tb.Helper()
	p.do("set the size", chromedp.EmulateViewport(width, height))
}

// event collects failed requests, and lets a page be left that asks. It must not wait
// for the browser.
func (p *Page) event(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		p.requests[e.RequestID] = place(e.Request.URL)
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			p.add(fmt.Sprintf("%d %s", e.Response.Status, place(e.Response.URL)))
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			p.add(fmt.Sprintf("%s %s", e.ErrorText, p.requests[e.RequestID]))
		}
	case *serviceworker.EventWorkerRegistrationUpdated:
		for _, r := range e.Registrations {
			if u, err := url.Parse(r.ScopeURL); err == nil && !r.IsDeleted {
				p.workers[u.Scheme+"://"+u.Host] = r.RegistrationID
			}
		}
	case *browserpage.EventJavascriptDialogOpening:
		go p.leave()
	}
}

// leave answers the browser's question whether to leave a page with something unsaved:
// whoever says Goto means it.
func (p *Page) leave() {
	if _, err := chromedp.Call(p.ctx, browserpage.HandleJavaScriptDialog, browserpage.HandleJavaScriptDialogParams{Accept: true}); err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.add("leave the page: " + err.Error())
	}
}

// console collects what stands in red there; failed requests are known already.
func (p *Page) console() {
	for m, err := range chromedp.Console(p.ctx) {
		if err != nil {
			return
		}
		if m.Source == "network" || (!m.IsException() && m.Type != "error") {
			continue
		}
		p.mu.Lock()
		p.add("console: " + m.Text)
		p.mu.Unlock()
	}
}

func (p *Page) add(problem string) {
	if p.allow == nil || !p.allow(problem) {
		p.problems = append(p.problems, problem)
	}
}

// place is a URL without its host and query, which change from run to run.
func place(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "data" || u.Scheme == "blob" {
		return "(inline)"
	}
	return u.Path
}

// Problems are what went wrong since the last call.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.problems
	p.problems = nil
	return out
}

// Clean fails the test when something went wrong.
func (p *Page) Clean() {
	p.tb.Helper()
	for _, problem := range p.Problems() {
		p.tb.Error("in the browser: " + problem)
	}
}

// Goto opens an address and waits until it is loaded.
func (p *Page) Goto(address string) {
	p.tb.Helper()
	p.do("open "+address, chromedp.Navigate(address))
}

// Click presses the first visible element that the selector finds.
func (p *Page) Click(selector string) {
	p.tb.Helper()
	p.do("click "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Type writes into an element, after what stands there; "\n" is Enter. Not by
// chromedp.SendKeys, which reads the element's attributes while the page may
// be changing them.
func (p *Page) Type(selector, text string) {
	p.tb.Helper()
	p.do("type into "+selector, chromedp.Focus(chromedp.CSS(selector), chromedp.NodeVisible), chromedp.KeyEvent(text))
}

// Key presses a key where the focus is; see package chromedp/kb for the names.
func (p *Page) Key(key string) {
	p.tb.Helper()
	p.do("press a key", chromedp.KeyEvent(key))
}

// Control presses a key together with Ctrl.
func (p *Page) Control(key string) {
	p.tb.Helper()
	p.do("press Ctrl and a key", chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// ClickAt presses a point of the window, with the right button when menu is set.
func (p *Page) ClickAt(x, y float64, menu bool) {
	p.tb.Helper()
	options := []chromedp.MouseOption{}
	if menu {
		options = append(options, chromedp.ButtonRight)
	}
	p.do("click at a point", chromedp.MouseClickXY(x, y, options...))
}

// Wait waits until a JavaScript expression is true. The page's policy forbids
// scripts that poll inside it, so the question is asked from outside.
func (p *Page) Wait(expression string) {
	p.tb.Helper()
	if ok, err := p.within(patience, expression); !ok {
		p.Shot("failed-" + p.tb.Name())
		p.tb.Fatalf("waited in vain for %s (%v); problems: %q", expression, err, p.Problems())
	}
}

// within says whether an expression becomes true in that time, and the last error if not.
func (p *Page) within(most time.Duration, expression string) (bool, error) {
	ctx, cancel := context.WithTimeout(p.ctx, most)
	defer cancel()
	tick := time.NewTicker(60 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("(async () => Boolean(await ("+expression+")))()", chromedp.EvalAwaitPromise))
		if err == nil && ok {
			return true, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false, err
		}
	}
}

// Eval gives the value of a JavaScript expression.
func Eval[T any](p *Page, expression string) T {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	p.check("evaluate "+expression, err)
	return v
}

// Shot writes a picture of the page to the folder that SVC_TEST_SHOTS names;
// without that nothing is written.
func (p *Page) Shot(name string) {
	p.tb.Helper()
	dir := os.Getenv("SVC_TEST_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	p.check("take a picture", err)
	p.check("make the folder of pictures", os.MkdirAll(dir, 0o755))
	p.check("write a picture", os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png"), picture, 0o644))
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.Shot("failed-" + p.tb.Name())
		p.tb.Fatalf("%s: %v; problems: %q", what, err, p.Problems())
	}
}

func (p *Page) check(what string, err error) {
	p.tb.Helper()
	if err != nil {
		p.tb.Fatalf("%s: %v", what, err)
	}
}

// Offline tells the browser that the computer has no network, or has one again. What
// is on its way does not change; see Line for that.
func (p *Page) Offline(off bool) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{
		Offline: off, DownloadThroughput: -1, UploadThroughput: -1,
	})
	p.check("change the network", err)
}
