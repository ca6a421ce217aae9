package recipient_test

import (
	"bytes"
	"mime/multipart"
	"net/url"
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
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// tables are everything that recipients touch.
func tables() (out []store.AnyTable) {
	for _, list := range [][]store.AnyTable{
		recipient.Tables(), org.Tables(), user.Tables(), audit.Tables(), event.Tables(), notify.Tables(), setting.Tables(), queue.Tables(),
	} {
		out = append(out, list...)
	}
	return append(out, heardOf)
}

// harness is the slice at work for one organization.
type harness struct {
	*apitest.Server
	db      *store.DB
	service *recipient.Service
	bus     *signal.Bus
}

// heard is an opt-out that a subscriber heard of, written down in its transaction.
type heard struct {
	ID        string                 `json:"id"`
	Recipient string                 `json:"recipient"`
	Source    recipient.OptOutSource `json:"source"`
}

var heardOf = store.NewTable("heard", "hrd", func(h *heard) string { return h.ID })

// newHarness starts one; jobs run when work is called.
func newHarness(t testing.TB, o recipient.Options) *harness {
	t.Helper()
	return harnessIn(t, storetest.Open(t, tables()...), o)
}

func harnessIn(t testing.TB, db *store.DB, o recipient.Options) *harness {
	t.Helper()
	h := &harness{db: db, bus: &signal.Bus{}}
	signal.On(h.bus, func(tx *store.Tx, c *api.Call, v recipient.OptedOut) error {
		return heardOf.Insert(tx, c.Org, &heard{db.NewID("hrd"), v.ID, v.Source})
	})
	h.service = recipient.New(db, h.bus, o)
	h.Server = apitest.New(t, db, h.service)
	h.Org = newOrg(t, db, org.Pro)
	return h
}

func newOrg(t testing.TB, db *store.DB, plan org.Plan) string {
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

// work runs jobs until the test ends.
func (h *harness) work() *harness {
	w := queue.New(h.db, queue.Options{})
	h.service.Work(w)
	storetest.Run(h.T, w.Run)
	return h
}

// idle waits until no job waits or runs.
func (h *harness) idle() {
	h.T.Helper()
	wake, stop := h.db.Listen("queue")
	defer stop()
	for busy := 1; busy > 0; {
		h.view(func(tx *store.Tx) error {
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

func (h *harness) view(f func(*store.Tx) error) {
	h.T.Helper()
	if err := h.db.View(h.T.Context(), f); err != nil {
		h.T.Fatal(err)
	}
}

func (h *harness) update(f func(*store.Tx) error) {
	h.T.Helper()
	if err := h.db.Update(h.T.Context(), f); err != nil {
		h.T.Fatal(err)
	}
}

// add makes a recipient and answers its id.
func (h *harness) add(body map[string]any) string {
	h.T.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// upload imports a file with fields of the form.
func (h *harness) upload(content string, fields map[string]string) apitest.Answer {
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

// find reads one recipient by a search that must find exactly one.
func (h *harness) find(q string) map[string]any {
	h.T.Helper()
	a := h.Do("GET /recipients?q="+url.QueryEscape(q), nil).Want(200)
	if n := a.Int("total"); n != 1 {
		h.T.Fatalf("%d recipients match %q: %s", n, q, a.Body)
	}
	return a.At("data.0").(map[string]any)
}

// events are the types of the recorded events of a resource, oldest first, "" for
// all.
func (h *harness) events(kind event.Type) (out []event.Event) {
	h.T.Helper()
	h.view(func(tx *store.Tx) error {
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

// asKey makes the caller a program.
func asKey(c *api.Call) { c.Caller.Kind, c.Caller.ID, c.Caller.APIAccess = api.Key, "key_1", true }

// ticking is a clock that moves on with every look.
type ticking struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

// Now is the time, a step later each time.
func (c *ticking) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}
