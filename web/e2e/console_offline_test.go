package e2e

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/web/e2e/browsertest"
)

// whenAway lets pass what a browser reports of a server that does not answer.
func whenAway(problem string) bool {
	return whenNobody(problem) || strings.HasPrefix(problem, "net::ERR_") || strings.HasPrefix(problem, "502 /") || strings.Contains(problem, "The server does not answer") || strings.Contains(problem, "dynamically imported module")
}

// program asks the API as a program that is elsewhere does, past the browser.
type program struct{ base, key string }

// newProgram makes a key for one.
func newProgram(t *testing.T, p *browsertest.Page, base string) program {
	t.Helper()
	return program{base, adminAPI(t, p, "/api-keys", `{"name":"CRM"}`, "key")}
}

func (c program) post(t *testing.T, path, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= 300 {
		answer, _ := io.ReadAll(resp.Body)
		t.Fatalf("POST %s: %d %s", path, resp.StatusCode, answer)
	}
}

// optedOut waits until the person whose page is open has the badge.
func optedOut(p *browsertest.Page) {
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Opted out')")
}

// bannerGone waits until nothing is said about the connection.
func bannerGone(p *browsertest.Page) {
	p.Wait("!/Live updates stopped|You are offline/.test(document.body.innerText)")
}

// sameDocument marks the page, and tells later whether it was loaded anew.
func sameDocument(t *testing.T, p *browsertest.Page) (check func()) {
	t.Helper()
	browsertest.Eval[bool](p, "window.sameDocument = true")
	return func() {
		t.Helper()
		if !browsertest.Eval[bool](p, "window.sameDocument === true") {
			t.Error("the page was loaded anew")
		}
	}
}

// TestConsoleServerAway: the connection breaks while a page stands open that has heard
// nothing yet. The console says so, keeps what is on the screen, answers in words what
// is pressed and a page that it has not loaded, and is itself again without a reload,
// with what happened meanwhile.
func TestConsoleServerAway(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenAway})
	outside := newProgram(t, p, base)
	id := adminAPI(t, p, "/recipients", `{"username":"gulnora_k","first_name":"Gulnora","consent_status":"OPTED_IN"}`, "id")
	line := browsertest.NewLine(t, base)
	p.Goto(line.URL + "/console/recipients/" + id)
	heading(p, "Gulnora")
	says(p, "Would a message arrive")
	line.WaitResumed(1)
	same := sameDocument(t, p)

	line.Become(browsertest.Cut)
	outside.post(t, "/recipients/"+id+"/opt-out", "")
	says(p, "Live updates stopped; connecting again.")
	heading(p, "Gulnora")
	says(p, "Would a message arrive")
	p.Shot("console-away")
	p.Accessible()
	press(p, "Opt out")
	p.Wait("document.querySelector('[role=alertdialog], [role=dialog]')?.textContent.includes('1 person')")
	press(p, "Opt out") // of the question
	says(p, "nothing will happen twice")
	p.Shot("console-away-pressed")
	press(p, "Cancel")
	p.Wait("!document.querySelector('[role=dialog], [role=alertdialog]')")
	press(p, "Templates")
	says(p, "It opens by itself when the server is back.")
	p.Wait("document.querySelector('nav')")
	p.Shot("console-away-page")
	p.Accessible()
	press(p, "Try again")
	says(p, "It opens by itself when the server is back.")
	browsertest.Eval[bool](p, "history.back() || true")
	heading(p, "Gulnora")
	line.Become(browsertest.Up)
	optedOut(p) // it had heard nothing, so it asked anew
	bannerGone(p)
	same()
	p.Clean()
}

// TestConsoleResumes: a reverse proxy says 502 while the server restarts. What happened
// meanwhile is there afterwards, once, and in order; a page that was asked for opens by
// itself. A browser that comes back after months is told that its place is gone, and
// reads everything anew. Without any network that is what the console says.
func TestConsoleResumes(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenAway})
	outside := newProgram(t, p, base)
	id := adminAPI(t, p, "/recipients", `{"username":"gulnora_k","first_name":"Gulnora","consent_status":"OPTED_IN"}`, "id")
	line := browsertest.NewLine(t, base)
	p.Goto(line.URL + "/console/events/live")
	p.Wait("document.querySelector('h1')?.parentElement.textContent.includes('Connected')")
	optOut := func(name string) {
		outside.post(t, "/recipients", `{"username":`+quote(name)+`,"first_name":`+quote(name)+`,"consent_status":"OPTED_OUT"}`)
	}
	optOut("zero_k")
	p.Wait("document.querySelectorAll('[data-event]').length === 1")
	same := sameDocument(t, p)
	line.Become(browsertest.Gateway)
	optOut("first_k")
	optOut("second_k")
	says(p, "Live updates stopped; connecting again.")
	line.Become(browsertest.Up)
	p.Wait("document.querySelectorAll('[data-event]').length === 3")
	bannerGone(p)
	same()
	if places := line.Resumed(); !strings.HasPrefix(places[len(places)-1], "evt_") {
		t.Errorf("it asked for events from %q on", places)
	}

	line.Become(browsertest.Gateway)
	press(p, "API keys")
	says(p, "It opens by itself when the server is back.")
	line.Become(browsertest.Up)
	heading(p, "API keys")
	bannerGone(p)

	p.Goto(line.URL + "/console/recipients/" + id)
	heading(p, "Gulnora")
	line.WaitResumed(len(line.Resumed()) + 0)
	line.ComeLate()
	p.Offline(true)
	line.Become(browsertest.Cut)
	says(p, "You are offline.")
	p.Shot("console-no-network")
	outside.post(t, "/recipients/"+id+"/opt-out", "")
	line.Become(browsertest.Up)
	p.Offline(false)
	optedOut(p)
	bannerGone(p)
	p.Clean()
}
