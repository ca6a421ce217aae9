package intake

import (
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/storetest"
)

// The figures of the inbox beside their targets (contract 10). Run with -benchtime=1x;
// SVC_BENCH_RECORDS is how many messages there are, 100,000 when it is not set, ten of each
// conversation.

const (
	listTarget  = 50 * time.Millisecond // p99 of any filter and order at a million
	openTarget  = 10 * time.Millisecond // p99 of a conversation, and of an older page
	burstTarget = 2000                  // messages a second
)

func benchMessages() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_RECORDS")); err == nil {
		return n
	}
	return 100_000
}

const (
	benchEach     = 10  // messages of a conversation
	benchAccounts = 200 // that they are spread over
	benchTogether = 500 // messages of a transaction while the fixture is made
)

// filled makes the inbox of an organization that has talked a lot.
func filled(b *testing.B) (*env, []string) {
	b.Helper()
	h := newEnvOver(b, plain)
	n := benchMessages()
	var ids []string
	for done := 0; done < n; {
		h.update(func(tx *store.Tx) error {
			for range min(benchTogether, n-done) {
				who := done / benchEach
				p := person(1000 + who)
				p.FirstName, p.LastName = []string{"Dilshod", "Olga", "Aziza", "Ivan"}[who%4], "Surname"+strconv.Itoa(who%5000)
				in := h.say(p, "Salom, narxi qancha? "+strconv.Itoa(done))
				in.Out, in.At = done%benchEach > 4 && who%3 > 0, h.db.Now().Add(time.Duration(done)*time.Millisecond)
				if done%benchEach == 0 && who%7 == 0 {
					in.File = &channel.IncomingFile{Kind: "PHOTO"}
				}
				at := h.at
				at.Owner, at.Account = strconv.Itoa(who%benchAccounts), ourAccount[:26]+strconv.Itoa(1000+who%benchAccounts)
				s, err := h.in.Received(tx, at, in)
				if err != nil {
					return err
				}
				if done%benchEach == 0 {
					ids = append(ids, s.Conversation)
				}
				done++
			}
			return nil
		})
	}
	h.treat(ids)
	return h, ids
}

const (
	benchPerson  = "usr_00000000000000000000000001" // who has some conversations
	benchHandoff = "hnd_00000000000000000000000001"
)

// treat lets people and the AI have done something with the conversations of the fixture: some
// are done, handed over, stopped, personal, somebody's, or on their way to a sale.
func (h *env) treat(ids []string) {
	c := h.Call()
	act := func(tx *store.Tx, k *conversation.Conversation, who int) error {
		if err := conversation.SetSale(tx, h.Org, k, []string{"NEW", "OFFER", "ORDER"}[who%3], []string{"", "cold", "warm", "hot"}[who%4]); err != nil {
			return err
		}
		switch {
		case who%11 == 0:
			return conversation.Done(tx, c, k)
		case who%13 == 0:
			return conversation.Apply(tx, c, h.Org, k, conversation.Transition{Event: conversation.HandedOver, Handoff: benchHandoff})
		case who%17 == 0:
			return conversation.Apply(tx, c, h.Org, k, conversation.Transition{Event: conversation.SaidStop})
		case who%19 == 0:
			return conversation.SetPersonal(tx, c, k, true)
		case who%23 == 0:
			return conversation.Assign(tx, c, k, benchPerson)
		}
		return nil
	}
	for from := 0; from < len(ids); from += benchTogether {
		h.update(func(tx *store.Tx) error {
			for who := from; who < min(from+benchTogether, len(ids)); who++ {
				k, err := conversation.Get(tx, h.Org, ids[who])
				if err == nil {
					err = act(tx, &k, who)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// actingAccounts are the half of the fixture's accounts for which the AI acts.
func actingAccounts() (out conversation.Mapped) {
	for n := range benchAccounts / 2 {
		out = append(out, ourAccount[:26]+strconv.Itoa(1000+n))
	}
	return out
}

// p99 of how long something takes, done n times.
func p99(b *testing.B, n int, f func(i int)) time.Duration {
	b.Helper()
	took := make([]time.Duration, n)
	for i := range took {
		begun := time.Now()
		f(i)
		took[i] = time.Since(begun)
	}
	slices.Sort(took)
	return took[n*99/100]
}

// BenchmarkInbox is a page of each filter and order, a conversation that is opened, and an
// older page of it.
func BenchmarkInbox(b *testing.B) {
	h, ids := filled(b)
	yes, no := true, false
	filters := map[string]conversation.Filter{
		"all": {}, "unread": {Unread: &yes}, "read": {Unread: &no}, "waiting": {Waiting: &yes}, "files": {HasFiles: &yes}, "open": {Done: &no},
		"off": {AIState: conversation.Off}, "account": {Account: ourAccount[:26] + "1007"}, "nobody": {Assigned: conversation.Nobody},
		"name": {Q: "dilsh"}, "several": {Unread: &yes, Waiting: &yes, HasFiles: &yes, Account: ourAccount[:26] + "1007", Q: "iv"},
		"channel": {Channel: channel.OnMessenger}, "handoff": {Handoff: &yes}, "done": {Done: &yes}, "personal": {Personal: true},
		"stage": {Stage: "OFFER"}, "quality": {LeadQuality: "hot"}, "person": {Assigned: benchPerson},
		"active": {AIState: conversation.Active}, "paused": {AIState: conversation.PausedHandoff}, "stopped": {AIState: conversation.Stopped},
	}
	acting := actingAccounts()
	read := func(b *testing.B, f func(tx *store.Tx) error) { storetest.View(b, h.db, f) }
	for name, f := range filters { // each means some, so that a page is read
		var n int
		read(b, func(tx *store.Tx) (err error) {
			n, err = conversation.CountOf(tx, h.Org, &f, acting)
			return err
		})
		if n == 0 {
			b.Fatalf("no conversation is %s; the fixture needs 20,000 messages or more", name)
		}
	}
	for name, f := range filters {
		for _, by := range []conversation.Sort{conversation.ByRecent, conversation.ByUnread, conversation.ByWaiting, conversation.ByOldest} {
			b.Run("list/"+name+"/"+string(by), func(b *testing.B) {
				var worst time.Duration
				for b.Loop() {
					worst = p99(b, 50, func(int) {
						read(b, func(tx *store.Tx) error {
							page, err := conversation.List(tx, h.Org, &f, acting, by, store.Query[conversation.Conversation]{Limit: 50})
							if err == nil {
								_, err = conversation.Newest(tx, h.Org, page.Data)
							}
							return err
						})
					})
				}
				report(b, worst, listTarget)
			})
		}
	}
	for name, older := range map[string]bool{"open": false, "older": true} {
		b.Run(name, func(b *testing.B) {
			var worst time.Duration
			for b.Loop() {
				worst = p99(b, 1000, func(i int) {
					id := ids[i*7919%len(ids)]
					read(b, func(tx *store.Tx) error {
						if _, err := conversation.Get(tx, h.Org, id); err != nil {
							return err
						}
						list, _, err := conversation.Older(tx, h.Org, id, "", 5)
						if err == nil && older && len(list) > 0 {
							list, _, err = conversation.Older(tx, h.Org, id, list[0].ID, 5)
						}
						for k := range list {
							if err == nil {
								_, err = list[k].Open(h.db, h.Org)
							}
						}
						return err
					})
				})
			}
			report(b, worst, openTarget)
		})
	}
}

func report(b *testing.B, worst, target time.Duration) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(worst.Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(target.Microseconds())/1000, "target-p99-ms")
}

// BenchmarkBurst is 10,000 messages that arrive over 200 accounts, each account one after
// the other as a connection hands them over, each in a transaction of its own.
func BenchmarkBurst(b *testing.B) {
	const messages, accounts = 10_000, 200
	for b.Loop() {
		h := newEnvOver(b, plain)
		begun := time.Now()
		done := make(chan error, accounts)
		for a := range accounts {
			go func() {
				at := h.at
				at.Owner = strconv.Itoa(a)
				for i := range messages / accounts {
					id := a*1000 + i
					in := channel.Incoming{ID: strconv.Itoa(id), Seq: int64(i + 1), From: person(id % 50), At: h.db.Now(), Text: "Salom"}
					err := h.db.Update(b.Context(), func(tx *store.Tx) error {
						_, err := h.in.Received(tx, at, in)
						return err
					})
					if err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		for range accounts {
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(messages/time.Since(begun).Seconds(), "messages/s")
		b.ReportMetric(burstTarget, "target/s")
	}
}
