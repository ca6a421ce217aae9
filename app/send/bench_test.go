package send

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send/sendtest"
	"svc/messenger"
	"svc/store"
	"svc/store/storetest"
)

// The figures of sending (issue 5, section 5) beside their targets.
const (
	sendsTarget    = 5000 // durable sends a second, with the real client and the simulator
	overheadTarget = time.Millisecond
)

// instant is a platform that takes everything at once: what is left is ours.
type instant struct {
	*sendtest.Platform // for signing in
	taken              atomic.Int64
}

func (p *instant) Connect(ctx context.Context, a messenger.Account) (messenger.Conn, error) {
	c, err := p.Platform.Connect(ctx, a)
	return &instantLine{c, p}, err
}

type instantLine struct {
	messenger.Conn
	at *instant
}

func (l *instantLine) Send(_ context.Context, m messenger.Message) (messenger.Sent, error) {
	n := l.at.taken.Add(1)
	return messenger.Sent{MessageID: int(n), At: time.Now(), Peer: messenger.Peer{ID: m.To.ID, Username: m.To.Username}}, nil
}

// teller is a source that does what a campaign does with every message: one event,
// and contact with the recipient.
type teller struct{ done chan struct{} }

func (x *teller) Compose(_ *store.Tx, _ *api.Call, _ *Job, r *recipient.Recipient) (Draft, error) {
	return Draft{Text: "Hello " + r.FirstName + ", this is what we wanted to tell you about the coming week."}, nil
}

func (x *teller) Settled(tx *store.Tx, c *api.Call, j *Job) error {
	err := event.Emit(tx, c.Org, event.MessageDelivered, struct {
		CampaignID          string `json:"campaign_id"`
		CampaignRecipientID string `json:"campaign_recipient_id"`
		RecipientID         string `json:"recipient_id"`
		AccountID           string `json:"account_id"`
		JobID               string `json:"job_id"`
		PlatformMessageID   int    `json:"platform_message_id"`
	}{j.Batch, j.RecipientRow(), j.RecipientID, j.AccountID, j.ID, j.PlatformMessageID})
	if err != nil {
		return err
	}
	contact := recipient.Contact{At: j.SentAt, Sent: true, Account: j.AccountID, CampaignID: j.Batch, MessageID: j.ID, Status: string(j.Status)}
	if err := recipient.RecordContact(tx, c.Org, j.RecipientID, contact); err != nil {
		return err
	}
	left, err := Pending(tx, c.Org, j.Batch)
	if err == nil && left == 0 {
		done := x.done
		tx.AfterCommit(func() { close(done) })
	}
	return err
}

// BenchmarkSending sends a campaign to as many people as b.N from 100 accounts on a
// store on the disk, with a platform that costs nothing.
func BenchmarkSending(b *testing.B) {
	const accounts = 100
	db := storetest.Open(b, allTables()...)
	p := &instant{Platform: sendtest.New()}
	source := &teller{done: make(chan struct{})}
	w := &harness{t: b, db: db, p: sendtest.New(), o: Options{NoPacing: true}, driver: p, source: source}
	w.build()
	w.srv.Org = w.newOrg()
	var from []string
	for range accounts {
		from = append(from, w.account(""))
	}
	stop := w.importing()
	batch := fill(b, w, from, b.N)
	stop()
	w.put(CampaignPolicy{ID: batch, Accounts: from, Running: true})
	b.ResetTimer()
	w.run()
	<-source.done
	b.StopTimer()
	took := b.Elapsed()
	w.end()
	b.ReportMetric(float64(b.N)/took.Seconds(), "sends/s")
	b.ReportMetric(sendsTarget, "sends/s-target")
	b.ReportMetric(float64(took.Microseconds())/float64(b.N)/1000, "ms/send")
	b.ReportMetric(overheadTarget.Seconds()*1000, "ms/send-target")
}

// fill makes people and gives them to the accounts, in turn.
func fill(b *testing.B, w *harness, from []string, people int) (batch string) {
	b.Helper()
	batch = w.db.NewID("cmp")
	const atATime = 5000
	for made := 0; made < people; made += atATime {
		n := min(atATime, people-made)
		rows := make([]map[string]any, n)
		for i := range rows {
			rows[i] = map[string]any{
				"messenger_id": 1_000_000 + made + i, "username": fmt.Sprintf("person_%d", 1+made+i), "first_name": fmt.Sprint("P", i), "consent_status": "OPTED_IN",
				"attributes": map[string]any{"city": "Tashkent", "orders": fmt.Sprint(i)}, "tags": []string{"all"},
			}
		}
		w.srv.Do("POST /recipients/import", map[string]any{"records": rows, "source": "API"}).Want(201)
	}
	fillAgain(b, w, from, batch, people)
	return batch
}

// fillAgain gives everybody to the accounts, in turn.
func fillAgain(b *testing.B, w *harness, from []string, batch string, people int) {
	b.Helper()
	w.put(CampaignPolicy{ID: batch, Accounts: from})
	var after, next store.Cursor
	for n := 0; n < people; after = next {
		added := 0
		w.update(func(tx *store.Tx) error {
			everybody, _, err := audience.Audience{Tags: []string{"all"}}.Freeze(tx, w.srv.Org, nil)
			if err != nil {
				return err
			}
			var found []recipient.Recipient
			if found, next, err = recipient.PageOf(tx, w.srv.Org, everybody, after, 500); err != nil {
				return err
			}
			var list []*Job
			for i := range found {
				r := &found[i]
				list = append(list, &Job{
					Kind: Campaign, Batch: batch, AccountID: from[(n+i)%len(from)], RecipientID: r.ID, Username: r.Username, MessengerID: r.MessengerID,
				})
			}
			added = len(list)
			return Queue(tx, w.srv.Org, list)
		})
		n += added
	}
}
