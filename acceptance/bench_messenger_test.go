package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
)

// Targets of the inbox on the messenger (issue 16). What an operation takes includes the way over
// HTTP.
const (
	burstAccounts = 200
	burstMessages = 10_000
	burstASecond  = 2000 // how fast they are written

	streamTarget = 300 // ms, p95: from a message to its event
	wireTarget   = 100 // ms, p95: from an answer to the messenger, when the account is idle
	openTarget   = 10  // ms, p99: a conversation with its newest 50 messages, and an older page
)

// messengerInbox is a server with accounts of the messenger that take messages, each with one
// customer.
type messengerInbox struct {
	*installation
	boss    *caller
	world   *world.World
	numbers []string
}

func newMessengerInbox(b *testing.B) *messengerInbox {
	b.Helper()
	w, args := simulatorHere(b)
	m := &messengerInbox{installation: install(b), world: w}
	m.args = args
	m.start()
	m.boss = m.administer()
	m.boss.acceptPolicy()
	org := m.boss.do("GET", "/organization", nil).want(200).text("id")
	m.boss.do("PUT", "/admin/organizations/"+org+"/limits", map[string]any{"overrides": map[string]any{"accounts": nil}}).want(200)
	for i := range burstAccounts {
		number := fmt.Sprintf("+99890000%04d", i)
		id := m.boss.connect(number, "", "")
		m.boss.do("PATCH", "/accounts/"+id, map[string]any{"inbound_enabled": true}).want(200)
		m.numbers = append(m.numbers, number)
		if _, err := w.AddPerson(record.Person{ID: customerOf(i), First: fmt.Sprint("Mijoz ", i)}); err != nil {
			b.Fatal(err)
		}
	}
	return m
}

func customerOf(account int) int64 { return int64(7_000_000 + account) }

// burst lets customers write in turn, and gives when each text was written.
func (m *messengerInbox) burst() map[string]time.Time {
	m.t.Helper()
	const pause = 10 * time.Millisecond
	sent := map[string]time.Time{}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for i := range burstMessages {
		if i%int(burstASecond*pause/time.Second) == 0 {
			<-tick.C
		}
		text, account := fmt.Sprint("n", i), i%burstAccounts
		sent[text] = time.Now()
		if _, err := m.world.Say(strconv.FormatInt(customerOf(account), 10), m.numbers[account], text); err != nil {
			m.t.Fatal(err)
		}
	}
	return sent
}

// conversations are the ids of all.
func (m *messengerInbox) conversations() (ids []string) {
	m.t.Helper()
	for _, k := range pages[struct{ ID string }](m.boss, "/ai/conversations?sort=oldest") {
		ids = append(ids, k.ID)
	}
	if len(ids) != burstAccounts {
		m.t.Fatalf("%d conversations, want %d", len(ids), burstAccounts)
	}
	return ids
}

// BenchmarkMessengerInbox is the inbox on the messenger, over the real program and the protocol:
// the time from a message of a burst until a program that follows the event stream hears of it;
// the time from an answer of a person until the messenger took it, one account after the other,
// each idle; and how long the operations take that open a conversation, and read an older page.
func BenchmarkMessengerInbox(b *testing.B) {
	m := newMessengerInbox(b)
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	heard := make(chan map[string]time.Time, 1)
	m.boss.follow(ctx, burstMessages, "message_id", heard)
	sent := m.burst()
	var arrived map[string]time.Time
	select {
	case arrived = <-heard:
	case <-time.After(5 * time.Minute):
		b.Fatal("the stream does not tell of every message")
	}
	ids := m.conversations()
	b.Run("stream", func(b *testing.B) {
		for b.Loop() { // what was measured above
		}
		var took []time.Duration
		first, last := time.Now(), time.Time{}
		for _, id := range ids {
			for _, x := range m.messages(id) {
				at := arrived[x.ID]
				if at.IsZero() || sent[x.Text].IsZero() {
					b.Fatalf("%q was not heard of", x.Text)
				}
				took = append(took, at.Sub(sent[x.Text]))
				if sent[x.Text].Before(first) {
					first = sent[x.Text]
				}
				if at.After(last) {
					last = at
				}
			}
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(len(took))/last.Sub(first).Seconds(), "messages/s")
		b.ReportMetric(quantile(took, 50), "p50-ms")
		b.ReportMetric(quantile(took, 95), "p95-ms")
		b.ReportMetric(streamTarget, "target-p95-ms")
	})
	b.Run("reply", func(b *testing.B) {
		for b.Loop() {
			var took []time.Duration
			for i, id := range ids {
				took = append(took, m.answer(id, fmt.Sprint("answer ", b.N, " ", i)))
			}
			b.ReportMetric(quantile(took, 50), "p50-ms")
			b.ReportMetric(quantile(took, 95), "p95-ms")
			b.ReportMetric(wireTarget, "target-p95-ms")
		}
	})
	for name, older := range map[string]bool{"open": false, "older": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var took []time.Duration
				for _, id := range ids {
					path := "/ai/conversations/" + id + "?limit=50"
					if older {
						path += "&before=" + m.messages(id)[40].ID
					}
					took = append(took, m.timed(path))
				}
				b.ReportMetric(quantile(took, 50), "p50-ms")
				b.ReportMetric(quantile(took, 99), "p99-ms")
				b.ReportMetric(openTarget, "target-p99-ms")
			}
		})
	}
}

// messages are the newest of a conversation, the oldest first.
func (m *messengerInbox) messages(id string) []said {
	m.t.Helper()
	var page struct{ Messages []said }
	m.boss.do("GET", "/ai/conversations/"+id+"?limit=100", nil).want(200).into(&page)
	return page.Messages
}

// answer answers somebody, and gives how long it took until the messenger had it.
func (m *messengerInbox) answer(id, text string) time.Duration {
	m.t.Helper()
	before := m.world.Accepted()
	begun := time.Now()
	m.boss.do("POST", "/ai/conversations/"+id+"/reply", map[string]any{"text": text}).want(202)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for m.world.Accepted() == before {
		if time.Since(begun) > patience {
			m.t.Fatalf("%q was not sent within %v", text, patience)
		}
		<-tick.C
	}
	return time.Since(begun)
}

// timed is how long it takes to read something; what a caller has to wait who asks too often does
// not count.
func (m *messengerInbox) timed(path string) time.Duration {
	m.t.Helper()
	for {
		begun := time.Now()
		r, err := m.boss.try("GET", path, nil)
		took := time.Since(begun)
		if err != nil {
			m.t.Fatal(err)
		}
		if r.status != http.StatusTooManyRequests {
			r.want(http.StatusOK)
			return took
		}
		<-time.After(time.Second)
	}
}
