package sim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/graph"
	"svc/messenger/platform/page"
	"svc/messenger/platform/photo"
	"svc/messenger/platform/platformtest"
	"svc/messenger/platform/sim"
)

// world is a simulator with both networks and somebody who hears webhooks.
type world struct {
	*sim.Simulator
	url         string
	photo, page platform.Network

	mu     sync.Mutex
	bodies [][]byte
	status []int // of the next answers
}

func start(t *testing.T, dir, script string) *world {
	t.Helper()
	w := &world{}
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.status) > 0 {
			rw.WriteHeader(w.status[0])
			w.status = w.status[1:]
			return
		}
		if !graph.Verify(body, r.Header.Get("X-Hub-Signature-256"), sim.PageSecret, sim.PhotoSecret) {
			rw.WriteHeader(http.StatusForbidden)
			return
		}
		w.bodies = append(w.bodies, body)
	}))
	s, err := sim.New(sim.Options{Dir: dir, Webhook: func() string { return hook.URL }})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Script(script); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
		hook.Close()
		if left := s.State().Unmodelled; len(left) > 0 {
			t.Errorf("not modelled: %v", left)
		}
	})
	w.Simulator, w.url = s, server.URL
	w.photo = photo.New(photo.Options{
		AppID: sim.PhotoApp, Secret: sim.PhotoSecret, Consent: server.URL + sim.PhotoConsent, Tokens: server.URL + sim.PhotoTokens,
		Graph: server.URL + sim.PhotoGraph, Version: sim.Version, HTTP: server.Client(),
	})
	w.page = page.New(page.Options{
		AppID: sim.PageApp, Secret: sim.PageSecret, Consent: server.URL + sim.PageConsent, Graph: server.URL + sim.PageGraph,
		Version: sim.Version, HTTP: server.Client(),
	})
	return w
}

const scenes = `account photo @studio followers 10
account page "Demo Shop" human-agent
person photo @lola name "Lola"
person page @lola name "Lola Karimova"`

// run is the conformance suite against the simulator.
func (w *world) run(t *testing.T, n platform.Network, account string, max int) {
	say := func(what string) {
		if err := w.Script("now @lola " + what + " @" + account); err != nil {
			t.Fatal(err)
		}
	}
	const back = "https://svc.example.uz/back"
	platformtest.Run(t, platformtest.World{
		Network: n, Redirect: back, MaxText: max, File: w.url + "/files/photo.png", Missing: w.url + "/files/gone.png",
		Code: func() string {
			code, ok := w.Allow(n.Name(), back, []string{account}, n.Scopes())
			if !ok {
				t.Fatal("nothing was allowed")
			}
			return code
		},
		Says:   func(text string) { say(`says "` + text + `" to`) },
		Person: func() string { return w.personOf(n.Name(), account) },
		Comment: func(text string) string {
			say(`comments "` + text + `" on`)
			for _, a := range w.State().Accounts {
				if a.Network == n.Name() && len(a.Comments) > 0 {
					return a.Comments[len(a.Comments)-1].ID
				}
			}
			t.Fatal("there is no comment")
			return ""
		},
	})
}

func (w *world) personOf(n platform.Name, account string) string {
	for _, a := range w.State().Accounts {
		if a.Network == n && a.Username == account {
			for _, th := range a.Threads {
				return th.PersonID
			}
		}
	}
	return ""
}

func TestConformance(t *testing.T) {
	t.Run("photo", func(t *testing.T) { w := start(t, t.TempDir(), scenes); w.run(t, w.photo, "studio", 500) })
	t.Run("page", func(t *testing.T) { w := start(t, t.TempDir(), scenes); w.run(t, w.page, "demo_shop", 2000) })
}

// until waits for something that another goroutine does.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come: %s", what)
		}
		<-time.After(time.Millisecond)
	}
}

func (w *world) heard() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.bodies)
}

// TestWebhooks: they are signed and escaped, repeated when they are not taken, and read by the
// parser that the service uses.
func TestWebhooks(t *testing.T) {
	w := start(t, "", scenes)
	code, _ := w.Allow(platform.Page, "https://a.example/b", []string{"demo_shop"}, w.page.Scopes())
	g, err := w.page.Exchange(t.Context(), code, "https://a.example/b", "")
	if err != nil {
		t.Fatal(err)
	}
	a := platform.Access{ExternalID: g.Accounts[0].ExternalID, Token: g.Accounts[0].Token}
	if err := w.page.Subscribe(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	w.status = []int{503} // at once again
	w.mu.Unlock()
	if err := w.Script(`now @lola says "Нархи / 100?" to @demo_shop`); err != nil {
		t.Fatal(err)
	}
	until(t, "a webhook", func() bool { return w.heard() == 1 })
	list, odd, err := graph.Parse(w.bodies[0])
	if err != nil || odd != 0 || len(list) != 1 || list[0].Message.Text != "Нархи / 100?" || list[0].Account != a.ExternalID {
		t.Errorf("%s: %+v, %d, %v", w.bodies[0], list, odd, err)
	}
	for _, c := range string(w.bodies[0]) {
		if c > 0x7f {
			t.Fatalf("%s is not escaped", w.bodies[0])
		}
	}
	if !json.Valid(w.bodies[0]) {
		t.Fatal("no JSON")
	}
}

// TestUncertain: an answer that is cut leaves the message in the world; a request that is cut
// does not.
func TestUncertain(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir, scenes+"\n"+`now @lola says "salom" to @studio`)
	code, _ := w.Allow(platform.Photo, "https://a.example/b", []string{"studio"}, w.photo.Scopes())
	g, err := w.photo.Exchange(t.Context(), code, "https://a.example/b", "")
	if err != nil {
		t.Fatal(err)
	}
	a := platform.Access{ExternalID: g.Accounts[0].ExternalID, Token: g.Accounts[0].Token}
	if err := w.Script("at 1 sends drop answer\nat 2 sends drop request\nat 3 sends error 613\nat 4 sends empty"); err != nil {
		t.Fatal(err)
	}
	to := w.personOf(platform.Photo, "studio")
	for i, want := range []platform.Fault{platform.Uncertain, platform.Uncertain, platform.Limited, platform.Uncertain} {
		_, err := w.photo.Send(t.Context(), a, &platform.Part{ID: "p", To: to, Text: string(rune('a' + i))})
		if e := platform.As(err); e == nil || e.Fault != want {
			t.Errorf("send %d: %v, want fault %d", i, err, want)
		}
	}
	if got := w.Sent(platform.Photo, "studio", "lola"); len(got) != 2 || got[0] != "a" || got[1] != "d" {
		t.Errorf("in the world are %q", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := sim.New(sim.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := again.Sent(platform.Photo, "studio", "lola"); len(got) != 2 {
		t.Errorf("after a restart are %q", got)
	}
}
