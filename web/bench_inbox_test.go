package web_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/intake"
	"svc/app/seller/draft"
	"svc/app/signal"
	"svc/store"
	"svc/web/webtest"
)

// Targets of the inbox (contract 10) at a million messages in a hundred thousand conversations.
const (
	listTarget = 50 * time.Millisecond // p99 of any filter and order
	openTarget = 10 * time.Millisecond // p99 of a conversation, and of an older page
)

const (
	inboxAccounts = 20
	inboxTogether = 300 // messages of a transaction while the inbox is filled
	// Most conversations have nine messages, one in a thousand has a thousand more.
	usualTalk = 9
	longTalk  = 1009
	longEvery = 1000
	withWords = 2000 // the newest so many have a recipient
)

// inboxMessages is how many messages there are: SVC_BENCH_RECORDS, a million when it is not set.
func inboxMessages() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_RECORDS")); err == nil {
		return n
	}
	return 1_000_000
}

// fullInbox is the inbox of an organization that has talked a lot.
type fullInbox struct {
	*shop
	b        *testing.B
	in       *intake.Service
	accounts []string
	owner    map[string]string // of the network, by account
	ids      []string          // conversations
	long     []string          // of which so many have a long history
	seq      int
}

// fillInbox makes it.
func fillInbox(b *testing.B) *fullInbox {
	b.Helper()
	f := &fullInbox{shop: openShop(b, webtest.Options{}), b: b, owner: map[string]string{}}
	f.in = intake.New(channel.Networks{channel.OnMessenger: &channel.Messenger{}}, &signal.Bus{})
	mapped := []any{map[string]any{"account_id": f.account}}
	f.accounts = append(f.accounts, f.account)
	for n := 1; n < inboxAccounts; n++ {
		flow := f.api.Do("POST /accounts", map[string]any{"phone": fmt.Sprintf("+9989000002%02d", n)}).Want(201).String("state.flow_id")
		id := f.api.Do("POST /accounts/login/"+flow+"/code", map[string]any{"code": "12345"}).Want(200).String("account.id")
		if f.accounts = append(f.accounts, id); n%2 == 0 {
			mapped = append(mapped, map[string]any{"account_id": id})
		}
	}
	f.api.Do("PUT /ai/businesses/"+f.business+"/accounts", map[string]any{"accounts": mapped}).Want(200)
	f.api.Do("PUT /ai/businesses/"+f.business+"/seller-settings", map[string]any{"active": true, "autonomy_level": 4}).Want(200)
	for _, id := range f.accounts {
		f.owner[id] = strconv.Itoa(f.api.Do("GET /accounts/"+id, nil).Want(200).Int("messenger_id"))
	}
	for f.seq < inboxMessages() {
		f.fill()
	}
	f.treat()
	for who := max(0, len(f.ids)-withWords); who < len(f.ids); who++ {
		f.api.Do("POST /recipients", map[string]any{"messenger_id": customerID(who), "consent_status": "OPTED_IN", "first_name": "Mijoz"}).Want(201)
	}
	return f
}

func customerID(who int) int { return 5_000_000 + who }

func (f *fullInbox) update(fn func(tx *store.Tx) error) {
	f.b.Helper()
	if err := f.App().DB.Update(f.b.Context(), fn); err != nil {
		f.b.Fatal(err)
	}
}

// fill adds conversations of inboxTogether messages together, or one that is longer.
func (f *fullInbox) fill() {
	f.b.Helper()
	var ids, long []string
	var seq int
	f.update(func(tx *store.Tx) error {
		ids, long, seq = nil, nil, f.seq
		for seq < min(f.seq+inboxTogether, inboxMessages()) {
			who, n := len(f.ids)+len(ids), usualTalk
			if who%longEvery == 1 {
				n = longTalk
			}
			id, err := f.talk(tx, who, seq, n)
			if err != nil {
				return err
			}
			seq += n
			if ids = append(ids, id); n == longTalk {
				long = append(long, id)
			}
		}
		return nil
	})
	f.ids, f.long, f.seq = append(f.ids, ids...), append(f.long, long...), seq
}

// talk is a conversation of n messages, of which the last three are live and the others from a
// history. Every third quotes the one before it.
func (f *fullInbox) talk(tx *store.Tx, who, seq, n int) (id string, err error) {
	account := f.accounts[who%inboxAccounts]
	at := channel.At{Org: f.api.Org, Account: account, Owner: f.owner[account], Channel: channel.OnMessenger}
	p := channel.Person{
		ID: strconv.Itoa(customerID(who)), Username: fmt.Sprint("mijoz_", who),
		FirstName: []string{"Dilshod", "Olga", "Aziza", "Ivan"}[who%4], LastName: "Surname" + strconv.Itoa(who%5000),
	}
	begun := f.App().DB.Now().Add(-time.Duration(inboxMessages()-who) * time.Millisecond)
	for k := range n {
		seq++
		in := channel.Incoming{
			ID: strconv.Itoa(seq), Seq: int64(seq), From: p, At: begun.Add(time.Duration(k) * time.Microsecond), Text: "Salom, narxi qancha? " + strconv.Itoa(k),
			Out: k%2 == 1 || k == n-1 && who%3 > 0, Imported: k < n-3,
		}
		if k%3 == 2 {
			in.ReplyTo = strconv.Itoa(seq - 1)
		}
		if k == 0 && who%7 == 0 {
			in.File = &channel.IncomingFile{Kind: channel.Photo}
		}
		s, err := f.in.Received(tx, at, in)
		if err != nil {
			return id, err
		}
		id = s.Conversation
	}
	return id, nil
}

// somebody has some of the conversations.
const somebody = "usr_00000000000000000000000001"

// treat lets people and the AI have done something with the conversations: some are done, handed
// over, stopped, personal, somebody's, on their way to a sale, or have a draft that waits.
func (f *fullInbox) treat() {
	f.b.Helper()
	c := f.api.Call()
	act := func(tx *store.Tx, k *conversation.Conversation, who int) error {
		if err := conversation.SetSale(tx, f.api.Org, k, []string{"NEW", "ENGAGED", "DISCOVERY"}[who%3], []string{"", "cold", "warm", "hot"}[who%4]); err != nil {
			return err
		}
		switch {
		case who%11 == 0:
			return conversation.Done(tx, c, k)
		case who%13 == 0:
			h, err := handoff.Create(tx, c, f.api.Org, k, handoff.New{Trigger: handoff.Complaint, AssignedTo: somebody, Words: handoff.Words{Reason: "Norozi", Summary: "Yetkazib berish haqida"}})
			if err != nil {
				return err
			}
			return conversation.Apply(tx, c, f.api.Org, k, conversation.Transition{Event: conversation.HandedOver, Handoff: h.ID})
		case who%17 == 0:
			return conversation.Apply(tx, c, f.api.Org, k, conversation.Transition{Event: conversation.SaidStop})
		case who%19 == 0:
			return conversation.SetPersonal(tx, c, nil, k, true)
		case who%23 == 0:
			return conversation.Assign(tx, c, k, somebody)
		case who%5 == 0 && !k.WaitingSince.IsZero():
			_, err := draft.Propose(tx, f.api.Org, k, draft.New{Kind: draft.Recommendation, Text: "Salom! 1 400 000 soʻm.", Language: "uz", Business: f.business, Reasons: []string{"level"}})
			return err
		}
		return nil
	}
	for from := 0; from < len(f.ids); from += inboxTogether {
		f.update(func(tx *store.Tx) error {
			for who := from; who < min(from+inboxTogether, len(f.ids)); who++ {
				k, err := conversation.Get(tx, f.api.Org, f.ids[who])
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

// took is how long a question takes, asked n times: the shortest first.
func (f *fullInbox) took(n int, path func(i int) string) []time.Duration {
	f.b.Helper()
	took := make([]time.Duration, n)
	for i := range took {
		at := path(i)
		begun := time.Now()
		f.api.Do("GET "+at, nil).Want(200)
		took[i] = time.Since(begun)
	}
	slices.Sort(took)
	return took
}

func reportQuantiles(b *testing.B, took []time.Duration, target time.Duration) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
	b.ReportMetric(ms(target), "target-p99-ms")
}

// BenchmarkInbox is a page of each filter and order, a conversation that is opened with all that
// its answer holds, and an older page of it, each as the operation of the whole service. Run with
// -benchtime=1x.
func BenchmarkInbox(b *testing.B) {
	begun := time.Now()
	f := fillInbox(b)
	b.Logf("%d messages in %d conversations after %v", f.seq, len(f.ids), time.Since(begun).Round(time.Second))
	account := "account_id=" + f.accounts[7]
	filters := map[string]string{
		"all": "", "unread": "unread=true", "read": "unread=false", "waiting": "waiting=true", "files": "has_files=true", "open": "done=false", "done": "done=true",
		"off": "ai_state=OFF", "active": "ai_state=ACTIVE", "paused": "ai_state=PAUSED_HANDOFF", "stopped": "ai_state=STOPPED", "account": account,
		"nobody": "assigned_user_id=none", "person": "assigned_user_id=me", "name": "q=dilsh", "username": "q=mijoz_12", "channel": "channel=MESSENGER",
		"handoff": "handoff=true", "personal": "personal=true", "stage": "stage=ENGAGED", "quality": "lead_quality=hot",
		"several": "unread=true&waiting=true&has_files=true&q=iv&" + account,
	}
	for name, filter := range filters { // each means some, so that a page is read
		if f.api.Do("GET /ai/conversations?limit=1&"+filter, nil).Want(200).Int("total") == 0 {
			b.Fatalf("no conversation is %s; the inbox needs 100,000 messages or more", name)
		}
	}
	for name, filter := range filters {
		for _, by := range []conversation.Sort{conversation.ByRecent, conversation.ByUnread, conversation.ByWaiting, conversation.ByOldest} {
			b.Run("list/"+name+"/"+string(by), func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					took = f.took(100, func(int) string { return "/ai/conversations?" + filter + "&sort=" + string(by) })
				}
				reportQuantiles(b, took, listTarget)
			})
		}
	}
	f.opened(b)
}

// opened measures conversations of every kind: usual ones, long ones, those with a handoff, and
// those with a draft.
func (f *fullInbox) opened(b *testing.B) {
	kinds := map[string][]string{"usual": f.ids, "long": f.long, "handoff": f.listed("handoff=true"), "draft": nil}
	for _, id := range f.listed("waiting=true&unread=true") {
		if f.api.Do("GET /ai/conversations/"+id, nil).Want(200).At("draft") != nil {
			kinds["draft"] = append(kinds["draft"], id)
		}
	}
	for kind, ids := range kinds {
		if len(ids) == 0 {
			b.Fatalf("no conversation is %s", kind)
		}
		for name, older := range map[string]bool{"open": false, "older": true} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					took = f.took(1000, func(i int) string {
						path := "/ai/conversations/" + ids[i*7919%len(ids)]
						if older {
							path += "?before=" + f.middle(path)
						}
						return path
					})
				}
				reportQuantiles(b, took, openTarget)
			})
		}
	}
}

// listed are some conversations of a filter.
func (f *fullInbox) listed(filter string) (ids []string) {
	var page struct{ Data []struct{ ID string } }
	f.api.Do("GET /ai/conversations?limit=500&"+filter, nil).Want(200).Into(&page)
	for _, k := range page.Data {
		ids = append(ids, k.ID)
	}
	return ids
}

// middle is a message in the middle of what is opened.
func (f *fullInbox) middle(path string) string {
	var k struct{ Messages []struct{ ID string } }
	f.api.Do("GET "+path, nil).Want(200).Into(&k)
	return k.Messages[len(k.Messages)/2].ID
}
