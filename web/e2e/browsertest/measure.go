package browsertest

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Speed is what a connection is like; the zero value is that of this machine.
type Speed struct {
	Latency float64 // ms from a request to its first byte, at least
	Bits    float64 // a second, down; up is half of it
}

// Slow gives the page that line from now on.
func (p *Page) Slow(l Speed) {
	p.tb.Helper()
	rules := []*network.Conditions{}
	if l.Bits > 0 {
		rules = append(rules, &network.Conditions{Latency: l.Latency, DownloadThroughput: l.Bits / 8, UploadThroughput: l.Bits / 16})
	}
	_, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: rules})
	p.check("slow the line", err)
}

// Forget empties the browser's cache: the next page comes for the first time.
func (p *Page) Forget() {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, network.ClearBrowserCache, cdp.Empty{})
	p.check("empty the cache", err)
}

// Before runs a script in every page that is opened from now on, before its own.
// The page's policy does not hold for it.
func (p *Page) Before(script string) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	p.check("prepare a script", err)
}

// Traffic is what came over the wire, headers and all.
type Traffic struct {
	Requests int
	Bytes    float64
}

// Wire counts what comes over the wire from now on; the function that it gives tells
// what came so far, and begins anew.
func (p *Page) Wire() (told func() Traffic) {
	p.tb.Helper()
	var mu sync.Mutex
	var t Traffic
	p.check("listen to the page", chromedp.Listen(p.ctx, func(ev any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := ev.(type) {
		case *network.EventRequestWillBeSent:
			t.Requests++
		case *network.EventLoadingFinished:
			t.Bytes += e.EncodedDataLength
		}
	}))
	return func() Traffic {
		mu.Lock()
		defer mu.Unlock()
		out := t
		t = Traffic{}
		return out
	}
}

// Work is what the page's main thread has done since it was first asked, in seconds of
// processor time: other programs on the machine do not count. At is by the clock.
type Work struct{ At, Task, Script, Layout, Style float64 }

// Worked tells how much the main thread has worked.
func (p *Page) Worked() (w Work) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	p.check("measure the page", err)
	r, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	p.check("measure the page", err)
	into := map[string]*float64{"Timestamp": &w.At, "TaskDuration": &w.Task, "ScriptDuration": &w.Script, "LayoutDuration": &w.Layout, "RecalcStyleDuration": &w.Style}
	for _, m := range r.Metrics {
		if to := into[m.Name]; to != nil {
			*to = m.Value
		}
	}
	return w
}

// Memory is what a page holds after its garbage was collected.
type Memory struct {
	Heap, Embedder         float64 // bytes: of its scripts, of what the browser keeps for it
	Nodes, Listeners, Docs int64
}

// Holds collects garbage, and tells what the page holds then.
func (p *Page) Holds() Memory {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for range 2 { // what only garbage held is garbage after the first
		_, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{})
		p.check("collect garbage", err)
	}
	heap, err := chromedp.Call(ctx, runtime.GetHeapUsage, cdp.Empty{})
	p.check("look at the heap", err)
	dom, err := chromedp.Call(ctx, memory.GetDOMCounters, cdp.Empty{})
	p.check("count the nodes", err)
	return Memory{Heap: heap.UsedSize, Embedder: heap.EmbedderHeapUsedSize, Nodes: dom.Nodes, Listeners: dom.JsEventListeners, Docs: dom.Documents}
}

// Keep gives the browser a cookie of a server, such as that of a session.
func (p *Page) Keep(base, name, value string) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: base, HTTPOnly: new(true)})
	p.check("set a cookie", err)
}

// Close ends the page before its test does.
func (p *Page) Close() {
	p.tb.Helper()
	p.check("close the page", chromedp.Cancel(p.ctx))
}
