package acceptance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/photo"
	"svc/messenger/platform/sim"
)

// network is a server whose accounts of the photo network are connected to a simulator in this
// process.
type network struct {
	*installation
	world *sim.Simulator
	boss  *caller
}

// connectNetwork starts a server with so many accounts of the photo network.
func connectNetwork(b *testing.B, accounts int) network {
	b.Helper()
	n := network{installation: install(b)}
	var err error
	if n.world, err = sim.New(sim.Options{Webhook: func() string { return "http://" + n.addr + "/api/v1/channels/meta/webhook" }}); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(n.world.Handler())
	b.Cleanup(func() {
		server.Close()
		if err := n.world.Close(); err != nil {
			b.Error(err)
		}
	})
	n.args = []string{"--platforms", "simulator", "--platforms-simulator", strings.TrimPrefix(server.URL, "http://")}
	n.start()
	n.boss = n.administer()
	organization := n.boss.do("GET", "/organization", nil).want(200).text("id")
	n.boss.do("PATCH", "/admin/organizations/"+organization, map[string]any{"plan": "ENTERPRISE"}).want(200)
	n.boss.acceptPolicy()
	for i := range accounts {
		name := fmt.Sprintf("studio_%d", i)
		if err := n.world.Script("account photo @" + name); err != nil {
			b.Fatal(err)
		}
		page, err := url.Parse(n.boss.do("POST", "/channels/instagram/connect", map[string]any{}).want(200).text("authorization_url"))
		if err != nil {
			b.Fatal(err)
		}
		q := page.Query()
		code, _ := n.world.Allow(platform.Photo, q.Get("redirect_uri"), []string{name}, photo.New(photo.Options{}).Scopes())
		n.boss.do("GET", "/channels/instagram/callback?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), nil).want(200)
	}
	wait(b, "the subscriptions", func() bool {
		return !slices.ContainsFunc(n.world.State().Accounts, func(a sim.AccountState) bool { return len(a.Subscribed) == 0 })
	})
	return n
}

// previews are the conversations by what was written last.
func (n *network) previews(want int) map[string]string {
	n.t.Helper()
	out := map[string]string{}
	for offset := 0; offset < want; offset += 100 {
		var page struct {
			Data []struct {
				ID   string
				Last struct{ Text string } `json:"last_message"`
			}
		}
		n.boss.do("GET", fmt.Sprintf("/ai/conversations?limit=100&offset=%d", offset), nil).want(200).into(&page)
		for _, k := range page.Data {
			out[k.Last.Text] = k.ID
		}
	}
	if len(out) != want {
		n.t.Fatalf("%d conversations of %d", len(out), want)
	}
	return out
}

// quantile is the part of a list that is not longer, in milliseconds.
func quantile(list []time.Duration, percent int) float64 {
	slices.Sort(list)
	return float64(list[len(list)*percent/100].Microseconds()) / 1000
}

// BenchmarkWebhookToStream is the time from the message of a customer of the photo network, a
// hundred a second, until a program that follows the event stream hears of it (design of the
// networks, section 7: p95 below 300 ms).
func BenchmarkWebhookToStream(b *testing.B) {
	const aSecond, messages = 100, 2000
	n := connectNetwork(b, 1)
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	for b.Loop() {
		heard := make(chan map[string]time.Time, 1)
		n.boss.follow(ctx, messages, "conversation_id", heard)
		sent := map[string]time.Time{}
		tick := time.NewTicker(time.Second / aSecond)
		for i := range messages {
			<-tick.C
			text := fmt.Sprintf("n%d", i)
			sent[text] = time.Now()
			if err := n.world.Script(fmt.Sprintf("now @person_%d says %q to @studio_0", i, text)); err != nil {
				b.Fatal(err)
			}
		}
		tick.Stop()
		arrived := <-heard
		var took []time.Duration
		for text, conversation := range n.previews(messages) {
			took = append(took, arrived[conversation].Sub(sent[text]))
		}
		b.ReportMetric(quantile(took, 50), "p50-ms")
		b.ReportMetric(quantile(took, 95), "p95-ms")
		b.ReportMetric(300, "target-p95-ms")
	}
}

// follow reads the event stream until it has told of messages with so many values of a field, and
// hands over when each value was heard of first.
func (c *caller) follow(ctx context.Context, values int, field string, heard chan<- map[string]time.Time) {
	c.in.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.in.addr+"/api/v1/events/stream?types=ai.conversation.message", nil)
	if err != nil {
		c.in.t.Fatal(err)
	}
	req.Header.Set("Cookie", c.cookie)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.in.t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		c.in.t.Fatalf("the stream answers %d", resp.StatusCode)
	}
	go func() {
		defer resp.Body.Close()
		out := map[string]time.Time{}
		for lines := bufio.NewScanner(resp.Body); len(out) < values && lines.Scan(); {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var e struct{ Data map[string]any }
			if json.Unmarshal([]byte(data), &e) != nil {
				continue
			}
			if v, _ := e.Data[field].(string); v != "" && out[v].IsZero() {
				out[v] = time.Now()
			}
		}
		heard <- out
	}()
}

// BenchmarkReplyToNetwork is the time from a person's answer, one after the other over a hundred
// accounts, until the request for it is at the photo network (design of the networks, section 7:
// p95 below 150 ms).
func BenchmarkReplyToNetwork(b *testing.B) {
	const accounts, answers = 100, 500
	n := connectNetwork(b, accounts)
	for i := range accounts {
		if err := n.world.Script(fmt.Sprintf("now @lola says \"from%d\" to @studio_%d", i, i)); err != nil {
			b.Fatal(err)
		}
	}
	wait(b, "the messages", func() bool {
		return n.boss.do("GET", "/ai/conversations?limit=1", nil).want(200).int("total") == accounts
	})
	conversations := n.previews(accounts)
	for b.Loop() {
		asked := map[string]time.Time{}
		for i := range answers {
			text := fmt.Sprintf("answer %d", i)
			asked[text] = time.Now()
			n.boss.do("POST", "/ai/conversations/"+conversations[fmt.Sprintf("from%d", i%accounts)]+"/reply", map[string]any{"text": text}).want(202)
		}
		var took []time.Duration
		waitFor(b, time.Minute, "the answers", func() bool {
			took = nil
			for _, a := range n.world.State().Accounts {
				for _, t := range a.Threads {
					for _, m := range t.Messages {
						if begun, ok := asked[m.Text]; ok {
							took = append(took, m.At.Sub(begun))
						}
					}
				}
			}
			return len(took) == answers
		})
		b.ReportMetric(quantile(took, 50), "p50-ms")
		b.ReportMetric(quantile(took, 95), "p95-ms")
		b.ReportMetric(150, "target-p95-ms")
	}
}
