// Package recipienttest is the slices of recipients at work for tests: people, audience,
// imports, opting out.
package recipienttest

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/field"
	"svc/app/recipient/imports"
	"svc/app/recipient/optout"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// Tables are everything that recipients touch.
func Tables() []store.AnyTable {
	return append(slices.Concat(recipient.Tables(), imports.Tables(), org.Tables(), user.Tables(), audit.Tables(), event.Tables(), notify.Tables(),
		setting.Tables(), queue.Tables()), heardOf)
}

// Harness is the slices at work for one organization.
type Harness struct {
	*apitest.Server
	DB  *store.DB
	Bus *signal.Bus

	people  *recipient.Service
	imports *imports.Service
}

// heard is an opt-out that a subscriber heard of, written down in its transaction.
type heard struct {
	ID        string             `json:"id"`
	Recipient string             `json:"recipient"`
	Source    field.OptOutSource `json:"source"`
}

var heardOf = store.NewTable("heard", "hrd", func(h *heard) string { return h.ID })

// New starts one over a store of its own; jobs run when Work is called.
func New(t testing.TB) *Harness {
	t.Helper()
	return In(t, storetest.Open(t, Tables()...), nil)
}

// In starts one over a store. campaign says what campaigns have against somebody; nil:
// there are none.
func In(t testing.TB, db *store.DB, campaign audience.CampaignReach) *Harness {
	t.Helper()
	h := &Harness{DB: db, Bus: &signal.Bus{}}
	signal.On(h.Bus, func(tx *store.Tx, c *api.Call, v recipient.OptedOut) error {
		return heardOf.Insert(tx, c.Org, &heard{db.NewID("hrd"), v.ID, v.Source})
	})
	h.people = recipient.New(db, h.Bus, recipient.Options{Used: imports.Usage()})
	h.imports = imports.New(db, h.people)
	h.Server = apitest.New(t, db, h.people, h.imports, audience.New(db, campaign), optout.New(db, h.Bus))
	h.Org = NewOrg(t, db, org.Pro)
	return h
}

// NewOrg makes an organization and answers its id.
func NewOrg(t testing.TB, db *store.DB, plan org.Plan) string {
	t.Helper()
	var id string
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Bloom & Co", Plan: plan})
		id = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Register registers the jobs of the slices.
func (h *Harness) Register(w *queue.Workers) {
	h.people.Work(w)
	h.imports.Work(w)
}

// Work runs jobs until the test ends.
func (h *Harness) Work() *Harness {
	w := queue.New(h.DB, queue.Options{})
	h.Register(w)
	storetest.Run(h.T, w.Run)
	return h
}

// OptedOut fails the test unless a recipient is opted out and suppressed, by that
// source, and exactly one event, one signal and one entry of the audit log say so.
func (h *Harness) OptedOut(id string, source field.OptOutSource) {
	h.T.Helper()
	a := h.Do("GET /recipients/"+id, nil).Want(200)
	if a.String("consent_status") != "OPTED_OUT" || a.String("opt_out_source") != string(source) || a.At("suppressed") != true || a.String("opted_out_at") == "" {
		h.T.Errorf("not opted out by %s: %s", source, a.Body)
	}
	told := 0
	for _, e := range h.Events(event.RecipientOptedOut) {
		var data struct {
			ID     string `json:"recipient_id"`
			Source string
		}
		if err := json.Unmarshal(e.Data, &data); err != nil {
			h.T.Fatal(err)
		}
		if data.ID == id && data.Source == string(source) {
			told++
		}
	}
	published := 0
	h.View(func(tx *store.Tx) error {
		list, _, err := heardOf.Walk(tx, h.Org, nil, 1000)
		published = 0
		for _, o := range list {
			if o.Recipient == id && o.Source == source {
				published++
			}
		}
		return err
	})
	log, err := audit.New(h.DB).Page(h.Call(), h.Org, audit.Filter{Action: "recipient.opted_out", ResourceID: id}, api.PageIn{Limit: 10}, true)
	if err != nil {
		h.T.Fatal(err)
	}
	if told != 1 || published != 1 || log.Total != 1 {
		h.T.Errorf("%d events, %d signals, %d audit entries, want one of each", told, published, log.Total)
	}
	q := a.String("username")
	if q == "" {
		q = strconv.Itoa(a.Int("messenger_id"))
	}
	if n := h.Do("GET /suppressions?q="+q, nil).Want(200).Int("total"); n == 0 {
		h.T.Errorf("the suppression list lacks %s", q)
	}
}

// Idle waits until no job waits or runs.
func (h *Harness) Idle() {
	h.T.Helper()
	wake, stop := h.DB.Listen("queue")
	defer stop()
	for busy := 1; busy > 0; {
		h.View(func(tx *store.Tx) error {
			busy = 0
			for _, q := range queue.Names() {
				s, err := queue.StatsOf(tx, q)
				if err != nil {
					return err
				}
				busy += s.Counts[queue.Pending] + s.Counts[queue.Scheduled] + s.Counts[queue.Retry] + s.Counts[queue.Active]
			}
			return nil
		})
		if busy > 0 {
			select {
			case <-wake:
			case <-h.T.Context().Done():
				h.T.Fatal("jobs do not end")
			}
		}
	}
}

// View reads; an error fails the test.
func (h *Harness) View(f func(*store.Tx) error) {
	h.T.Helper()
	if err := h.DB.View(h.T.Context(), f); err != nil {
		h.T.Fatal(err)
	}
}

// Update writes; an error fails the test.
func (h *Harness) Update(f func(*store.Tx) error) {
	h.T.Helper()
	if err := h.DB.Update(h.T.Context(), f); err != nil {
		h.T.Fatal(err)
	}
}

// Add makes a recipient and answers its id.
func (h *Harness) Add(body map[string]any) string {
	h.T.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// Upload imports a file with fields of the form.
func (h *Harness) Upload(content string, fields map[string]string) apitest.Answer {
	h.T.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range fields {
		if err := w.WriteField(k, v); err != nil {
			h.T.Fatal(err)
		}
	}
	f, err := w.CreateFormFile("file", "people.csv")
	if err == nil {
		_, err = f.Write([]byte(content))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		h.T.Fatal(err)
	}
	return h.Do("POST /recipients/import", b.Bytes(), "Content-Type", w.FormDataContentType())
}

// Find reads one recipient by a search that must find exactly one.
func (h *Harness) Find(q string) map[string]any {
	h.T.Helper()
	a := h.Do("GET /recipients?q="+url.QueryEscape(q), nil).Want(200)
	if n := a.Int("total"); n != 1 {
		h.T.Fatalf("%d recipients match %q: %s", n, q, a.Body)
	}
	return a.At("data.0").(map[string]any)
}

// Events are the types of the recorded events of a resource, oldest first, "" for
// all.
func (h *Harness) Events(kind event.Type) (out []event.Event) {
	h.T.Helper()
	h.View(func(tx *store.Tx) error {
		list, err := event.After(tx, h.Org, "", 500)
		out = nil
		for _, e := range list {
			if kind == "" || e.Type == kind {
				out = append(out, e.Event)
			}
		}
		return err
	})
	return out
}

// AsKey makes the caller a program.
func AsKey(c *api.Call) { c.Caller.Kind, c.Caller.ID, c.Caller.APIAccess = api.Key, "key_1", true }

// Ticking is a clock that moves on with every look.
type Ticking struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

// NewTicking starts one.
func NewTicking(now time.Time, step time.Duration) *Ticking { return &Ticking{now: now, step: step} }

// Now is the time, a step later each time.
func (c *Ticking) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}
