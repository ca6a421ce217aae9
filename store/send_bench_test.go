package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"
)

// The records that one sent message changes, in their usual sizes and with their
// usual indexes: a person (600 bytes), a row of the campaign (400), the pace of the
// account, and a new entry of the history with what happened.

type sendPerson struct {
	ID          string            `json:"id"`
	MessengerID int64             `json:"messenger_id"`
	Username    string            `json:"username"`
	FirstName   string            `json:"first_name"`
	LastName    string            `json:"last_name"`
	Language    string            `json:"language"`
	Consent     string            `json:"consent_status"`
	ConsentAt   *time.Time        `json:"consent_timestamp,omitempty"`
	Attributes  map[string]string `json:"attributes"`
	Tags        []string          `json:"tags"`
	Lists       []string          `json:"lists"`
	KnownTo     []string          `json:"known_to_accounts,omitempty"`
	Messaged    *time.Time        `json:"last_messaged_at,omitempty"`
	Notes       int               `json:"notes"`
	CreatedAt   time.Time         `json:"created_at"`
	UpdatedAt   time.Time         `json:"updated_at"`
}

type sendRow struct {
	ID        string     `json:"id"`
	Status    string     `json:"status"`
	Account   string     `json:"account"`
	Batch     string     `json:"batch"`
	Person    string     `json:"recipient"`
	Message   string     `json:"message,omitempty"`
	RandomIDs []int64    `json:"random_ids"`
	Attempts  int        `json:"attempts"`
	RunAt     time.Time  `json:"run_at"`
	QueuedAt  time.Time  `json:"queued_at"`
	SentAt    *time.Time `json:"sent_at,omitempty"`
}

type sendEvent struct {
	ID     string            `json:"id"`
	Type   string            `json:"type"`
	At     time.Time         `json:"at"`
	About  []string          `json:"about"`
	Fields map[string]string `json:"data"`
}

type sendPace struct {
	ID   string    `json:"id"`
	Last time.Time `json:"last"`
	Day  string    `json:"day"`
	Sent int       `json:"sent"`
}

func sortedTime(t *time.Time) store.Key {
	if t == nil {
		return nil
	}
	return store.Time(*t)
}

var (
	sendPeople = store.NewTable("send_person", "rcp", func(p *sendPerson) string { return p.ID })
	_          = sendPeople.Unique("messenger_id", func(p *sendPerson) store.Key { return store.Int(p.MessengerID) })
	_          = sendPeople.Unique("username", func(p *sendPerson) store.Key { return store.Text(p.Username) })
	_          = sendPeople.Index("created", func(p *sendPerson) store.Key { return store.Time(p.CreatedAt) })
	_          = sendPeople.Index("messaged", func(p *sendPerson) store.Key { return sortedTime(p.Messaged) })
	_          = sendPeople.Index("name", func(p *sendPerson) store.Key { return store.Text(store.Fold(p.FirstName)) })
	_          = sendPeople.Facet("tag", func(p *sendPerson) []string { return p.Tags })
	_          = sendPeople.Facet("list", func(p *sendPerson) []string { return p.Lists })
	_          = sendPeople.Facet("consent", func(p *sendPerson) []string { return []string{p.Consent} })
	_          = sendPeople.Facet("language", func(p *sendPerson) []string { return []string{p.Language} })
	_          = sendPeople.Facet("created", func(p *sendPerson) []string { return []string{p.CreatedAt.Format("2006-01-02")} })
	_          = sendPeople.Tally("sendable", func(p *sendPerson) []string { return append([]string{""}, p.Lists...) })

	sendRows = store.NewTable("send_row", "job", func(r *sendRow) string { return r.ID })
	_        = sendRows.Unique("person", func(r *sendRow) store.Key { return store.Tuple(store.Text(r.Batch), store.Text(r.Person)) })
	_        = sendRows.Index("status", func(r *sendRow) store.Key { return store.Tuple(store.Text(r.Batch), store.Text(r.Status)) })
	_        = sendRows.Multi("waiting", func(r *sendRow) []store.Key {
		if r.Status != "WAITING" {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(r.Account), store.Time(r.RunAt))}
	})
	_ = sendRows.Tally("status", func(r *sendRow) []string { return []string{r.Batch + " " + r.Status} })
	_ = sendRows.Tally("account", func(r *sendRow) []string { return []string{r.Batch + " " + r.Account + " " + r.Status} })

	sendEvents = store.NewTable("send_event", "evt", func(e *sendEvent) string { return e.ID })
	_          = sendEvents.Index("at", func(e *sendEvent) store.Key { return store.Time(e.At) })
	_          = sendEvents.Index("type", func(e *sendEvent) store.Key { return store.Text(e.Type) })
	_          = sendEvents.Multi("about", func(e *sendEvent) (out []store.Key) {
		for _, a := range e.About {
			out = append(out, store.Text(a))
		}
		return out
	})

	sendNotes = store.NewTable("send_note", "", func(e *sendEvent) string { return e.ID })
	sendPaces = store.NewTable("send_pace", "acc", func(p *sendPace) string { return p.ID })
)

// sendTarget is the transaction time of a send: 5,000 a second with a second core's
// worth left for everything else.
const sendTarget = 120 * time.Microsecond

// senders are the lanes of the benchmark.
const senders = 64

type sendBench struct {
	db       *store.DB
	org      string
	batch    string
	accounts []string
	people   []string
	rows     []string
}

func newSendBench(b *testing.B, n int) *sendBench {
	s := &sendBench{db: storetest.Open(b, sendPeople, sendRows, sendEvents, sendNotes, sendPaces)}
	s.org, s.batch = s.db.NewID("org"), s.db.NewID("cmp")
	for range senders {
		s.accounts = append(s.accounts, s.db.NewID("acc"))
	}
	now := s.db.Now()
	for from := 0; from < n; from += 500 {
		var people []*sendPerson
		var rows []*sendRow
		for i := from; i < min(n, from+500); i++ {
			h := uint32(i) * 2654435761
			people = append(people, &sendPerson{
				ID: s.db.NewID("rcp"), MessengerID: int64(h), Username: fmt.Sprint("user_", h), FirstName: fmt.Sprint("Дилшод", h%5000), LastName: fmt.Sprint("Surname", h%700),
				Language: []string{"uz", "ru", "en"}[i%3], Consent: "OPTED_IN", ConsentAt: &now, Tags: []string{fmt.Sprint("tag", h%40), "bench"}, Lists: []string{s.batch},
				Attributes: map[string]string{"City": "Tashkent", "Order No": fmt.Sprint(i)}, Notes: 1, CreatedAt: now, UpdatedAt: now,
			})
			rows = append(rows, &sendRow{
				ID: s.db.NewID("job"), Status: "WAITING", Account: s.accounts[i%senders], Batch: s.batch, Person: people[i-from].ID, RandomIDs: []int64{int64(h)}, RunAt: now, QueuedAt: now,
			})
			s.people, s.rows = append(s.people, people[i-from].ID), append(s.rows, rows[i-from].ID)
		}
		err := s.db.Update(b.Context(), func(tx *store.Tx) error {
			if err := sendPeople.PutMany(tx, s.org, people); err != nil {
				return err
			}
			return sendRows.PutMany(tx, s.org, rows)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// send is the transaction of a message that was sent.
func (s *sendBench) send(ctx context.Context, i int) error {
	event, message := s.db.NewID("evt"), s.db.NewID("msg")
	return s.db.Update(ctx, func(tx *store.Tx) error {
		now := tx.DB().Now()
		account := s.accounts[i%senders]
		row, err := sendRows.Edit(tx, s.org, s.rows[i], func(r *sendRow) error {
			r.Status, r.SentAt, r.Message = "DELIVERED", &now, message
			r.Attempts++
			return nil
		})
		if err != nil {
			return err
		}
		person, err := sendPeople.Edit(tx, s.org, row.Person, func(p *sendPerson) error {
			p.Messaged, p.KnownTo = &now, []string{account}
			p.Notes++
			return nil
		})
		if err != nil {
			return err
		}
		e := sendEvent{ID: event, Type: "message.sent", At: now, About: []string{s.batch, person.ID}, Fields: map[string]string{"campaign_id": s.batch, "recipient_id": person.ID, "account_id": account}}
		if err := sendEvents.Insert(tx, s.org, &e); err != nil {
			return err
		}
		e = sendEvent{ID: fmt.Sprintf("%s/%08d", person.ID, person.Notes), Type: "MESSAGE", At: now, Fields: map[string]string{"campaign": s.batch, "account": account, "message": message}}
		if err := sendNotes.Insert(tx, s.org, &e); err != nil {
			return err
		}
		return sendPaces.Put(tx, s.org, &sendPace{ID: account, Last: now, Day: now.Format("2006-01-02"), Sent: i})
	})
}

// cpu is the processor time of this process so far: other programs share the machine.
func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkSendShape is the writes of SVC_BENCH_RECORDS sent messages by 64 senders
// at a time: what one takes of the one writer that there is.
func BenchmarkSendShape(b *testing.B) {
	n := records()
	s := newSendBench(b, n)
	for b.Loop() {
		var next atomic.Int64
		var all sync.WaitGroup
		used := cpu()
		took := timed(b, func() error {
			errs := make([]error, senders)
			for w := range senders {
				all.Go(func() {
					for i := int(next.Add(1)) - 1; i < n && errs[w] == nil; i = int(next.Add(1)) - 1 {
						errs[w] = s.send(context.Background(), i)
					}
				})
			}
			all.Wait()
			for _, err := range errs {
				if err != nil {
					return err
				}
			}
			return nil
		})
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(took.Seconds()*1e6/float64(n), "µs/send")
		b.ReportMetric((cpu()-used).Seconds()*1e6/float64(n), "cpu-µs/send")
		b.ReportMetric(sendTarget.Seconds()*1e6, "target-µs")
	}
}
