package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/web/e2e/browsertest"
)

const (
	callsToOpen   = 10 // of the API, at most, until a page stands
	callsASecond  = 2  // at most, while a campaign runs
	callsCounted  = 4 * time.Second
	callsAfter    = 500 // ms behind the moment at which the page stands: what it asks for then belongs to opening
	messagesASecs = 3
)

// apiCalls are the requests to the API, but for the stream and pictures, that the page has made since
// the last look, as "/campaigns?limit=20", and the seconds since then by the clock of the page.
const apiCalls = `(() => {
	const now = performance.now(), seconds = (now - (window.looked ?? 0)) / 1000;
	window.looked = now;
	const calls = performance.getEntriesByType('resource').filter(e => e.initiatorType !== 'img').map(e => new URL(e.name)).filter(u => u.pathname.startsWith('/api/v1/') && u.pathname !== '/api/v1/events/stream').map(u => u.pathname.slice(7) + u.search);
	performance.clearResourceTimings();
	return {calls, seconds};
})()`

type asked struct {
	Calls   []string
	Seconds float64
}

// TestConsoleCalls: while a campaign writes to three people a second, no page of the
// console asks the API for more than ten things on opening, a name for a row never among
// them, nor more than twice a second while it is open.
func TestConsoleCalls(t *testing.T) {
	w := newTown(t, browsertest.Options{Lang: "en", Allow: whenRehearsing})
	p := w.p
	campaign := w.sending(t, messagesASecs)
	p.Before("performance.setResourceTimingBufferSize(5000)")
	for _, r := range routes(t) {
		p.Goto(w.base + "/console" + w.address(t, r.pattern))
		p.Wait(still)
		got := browsertest.Eval[asked](p, fmt.Sprintf("new Promise(done => setTimeout(() => done(%s), %d))", apiCalls, callsAfter))
		slices.Sort(got.Calls)
		things := slices.Compact(slices.Clone(got.Calls)) // meanwhile the campaign changes what was read already
		again := float64(len(got.Calls) - len(things))
		t.Logf("%2d of %2d %s", len(things), len(got.Calls), r.pattern)
		if len(things) > callsToOpen || again > callsASecond*got.Seconds {
			t.Errorf("%s asks for %d things, more than %d, in %d calls and %.1f s: %s", r.pattern, len(things), callsToOpen, len(got.Calls), got.Seconds, strings.Join(got.Calls, " "))
		}
	}
	for _, page := range []string{"/", "/campaigns", "/campaigns/" + campaign, "/campaigns/" + campaign + "?tab=people", "/jobs", "/recipients", "/events", "/events/live", w.address(t, "/accounts/$id"), w.address(t, "/webhooks/$id")} {
		p.Goto(w.base + "/console" + page)
		p.Wait(still)
		browsertest.Eval[asked](p, apiCalls)
		<-time.After(callsCounted)
		got := browsertest.Eval[asked](p, apiCalls)
		t.Logf("%2d in %.1f s on %s", len(got.Calls), got.Seconds, page)
		if most := 1 + callsASecond*got.Seconds; float64(len(got.Calls)) > most { // one at the begin
			t.Errorf("%s makes %d calls in %.1f s, more than %.0f: %s", page, len(got.Calls), got.Seconds, most, strings.Join(got.Calls, " "))
		}
	}
	if status := browsertest.Eval[string](p, `fetch('/api/v1/campaigns/`+campaign+`').then(r => r.json()).then(c => c.status)`); status != "RUNNING" {
		t.Errorf("the campaign is %s: it was to run all the time", status)
	}
	p.Problems()
}

// sending launches a campaign that writes to so many people a second for minutes.
func (w town) sending(t *testing.T, perSecond int) (id string) {
	t.Helper()
	p := w.p
	browsertest.Eval[bool](p, `fetch('/api/v1/admin/settings', {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: '{"min_interval_seconds_floor":1,"default_min_interval_seconds":1,"max_daily_limit":100000,"default_daily_limit":100000}'}).then(r => r.ok)`)
	var accounts []string
	for i := range perSecond {
		accounts = append(accounts, quote(connect(p, fmt.Sprintf("+99890000001%d", i))))
	}
	audience(p, 2000)
	w.make(t, "/admin/campaigns/", "/campaigns", `{"name":"Bahor","account_ids":[`+strings.Join(accounts, ",")+`],"audience":{"tags":["demo"]},"message":{"text":"Salom, {{first_name}}! {{opt_out_url}}"}}`)
	id = w.ids["/admin/campaigns/"]
	post(p, "/campaigns/"+id+"/start", "{}")
	for end := time.Now().Add(time.Minute); ; <-time.After(time.Second) {
		if browsertest.Eval[int](p, `fetch('/api/v1/campaigns/`+id+`').then(r => r.json()).then(c => c.totals.completed)`) > 60 {
			return id
		} else if time.Now().After(end) {
			t.Fatal("the campaign has not sent sixty messages in a minute")
		}
	}
}
