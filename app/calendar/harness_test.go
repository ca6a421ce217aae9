package calendar

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/calendar/slot"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/session/consent"
	"svc/app/setting"
	"svc/app/signal"
	wire "svc/messenger/platform/calendar"
	sim "svc/messenger/platform/sim"
	simcalendar "svc/messenger/platform/sim/calendar"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

func tables() []store.AnyTable {
	return slices.Concat(Tables(), business.Tables(), consent.Tables(), event.Tables(), audit.Tables(), notify.Tables(), setting.Tables(), org.Tables(), queue.Tables())
}

// world is the slice over a store and a simulated calendar, with a business that takes bookings.
type world struct {
	*apitest.Server
	t     testing.TB
	db    *store.DB
	s     *Service
	sim   *sim.Simulator
	clock *storetest.Clock
	bus   *signal.Bus
	shop  string
	ended []Settled
}

// newWorld makes one whose calendar is connected. clock nil: real time.
func newWorld(t testing.TB, clock *storetest.Clock) *world {
	t.Helper()
	w := &world{t: t, clock: clock, bus: &signal.Bus{}}
	o, now := store.Options{Tables: tables()}, time.Now
	if clock != nil {
		o.Now, now = clock.Now, clock.Now
	}
	w.db = storetest.OpenWith(t, "", o)
	world, err := sim.New(sim.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := world.Close(); err != nil {
			t.Error(err)
		}
		if left := world.Calendar.State().Unmodelled; len(left) > 0 {
			t.Errorf("not modelled: %v", left)
		}
	})
	w.sim = world
	client := wire.New(wire.Options{
		ClientID: simcalendar.ClientID, Secret: simcalendar.Secret, Accounts: server.URL + simcalendar.Consent, Tokens: server.URL + simcalendar.Tokens,
		API: server.URL + simcalendar.API, HTTP: server.Client(), Now: now,
	})
	w.s = New(w.db, Outside{Client: client, PublicURL: "https://svc.example"}, w.bus, nil)
	signal.On(w.bus, func(_ *store.Tx, _ *api.Call, x Settled) error {
		w.ended = append(w.ended, x)
		return nil
	})
	w.Server = apitest.New(t, w.db, w.s, business.New(w.db, business.Options{Bus: w.bus}))
	storetest.Update(t, w.db, func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", w.db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise})
		w.Org = o.ID
		return err
	})
	w.shop = w.Do("POST /ai/businesses", map[string]any{
		"name": "Shop", "timezone": "Asia/Tashkent",
		"calendar_config": map[string]any{"min_notice_minutes": 60, "horizon_days": 30, "allowed_minutes": []int{30, 60}, "buffer_minutes": 15, "slot_step_minutes": 30},
	}).Want(201).String("id")
	w.connect()
	return w
}

func (w *world) connect() {
	w.t.Helper()
	page := w.Do("POST /ai/calendar/connect", "{}").Want(200).String("authorization_url")
	if err := w.sim.Calendar.AllowURL("code", page, ""); err != nil {
		w.t.Fatal(err)
	}
	state := page[strings.Index(page, "&state=")+len("&state="):]
	w.Do("GET /ai/calendar/oauth/callback?code=code&state="+state, nil).Want(302)
	if got := w.Do("GET /ai/calendar", nil).Want(200).String("status"); got != "CONNECTED" {
		w.t.Fatal(got)
	}
}

func (w *world) script(lines string) {
	w.t.Helper()
	if err := w.sim.Script(lines); err != nil {
		w.t.Fatal(err)
	}
}

// origin is where the actions of these tests come from.
func (w *world) origin(conversation string) Origin {
	return Origin{Conversation: conversation, Business: w.shop, Execution: "exe_1", Step: "aex_1", Confidence: 0.9, Model: "demo"}
}

// propose makes an action that runs.
func (w *world) propose(kind Type, conversation string, at slot.Span, eventID string) (a Action) {
	w.t.Helper()
	x := Extracted{Title: "Visit", Start: at.Start, End: at.End}
	if eventID != "" {
		x.EventID = &eventID
	}
	storetest.Update(w.t, w.db, func(tx *store.Tx) (err error) {
		a, err = w.s.Propose(tx, api.System(w.t.Context(), w.Org, w.db.Now()), w.Org, w.origin(conversation), Proposal{Type: kind, Extracted: x, Runs: true})
		return err
	})
	return a
}

// try is one try of the job of an action. kill: its process ends before it stores what came of it.
func (w *world) try(a Action, kill bool) error {
	w.t.Helper()
	var t *task
	storetest.View(w.t, w.db, func(tx *store.Tx) (err error) {
		t, err = w.s.load(tx, w.Org, a.ID)
		return err
	})
	if t == nil {
		w.t.Fatal("there is nothing to do")
	}
	out, err := w.s.perform(w.t.Context(), t)
	if err != nil || kill {
		return err
	}
	return w.db.Update(w.t.Context(), func(tx *store.Tx) error { return w.s.settle(tx, t, &out) })
}

// get reads an action.
func (w *world) get(id string) (a Action) {
	w.t.Helper()
	storetest.View(w.t, w.db, func(tx *store.Tx) (err error) {
		a, err = actionTable.Get(tx, w.Org, id)
		return err
	})
	return a
}

// want fails unless an action is in a status, with a code.
func (w *world) want(a Action, status ActionStatus, code Code) Action {
	w.t.Helper()
	got := w.get(a.ID)
	if got.Status != status || got.Code != code {
		w.t.Fatalf("%s is %s %s, not %s %s", got.Type, got.Status, got.Code, status, code)
	}
	return got
}

// events are those that the service made and that stand, as TITLE START.
func (w *world) events() (out []string) {
	for _, e := range w.sim.Calendar.State().Events {
		if e.Ours && e.Status != "cancelled" {
			out = append(out, fmt.Sprintf("%s %s", e.Title, e.Start.Format(time.RFC3339)))
		}
	}
	return out
}

// on is a time of half an hour on the next day, by the clocks of the business.
func (w *world) on(hour, minute int) slot.Span {
	zone, err := time.LoadLocation("Asia/Tashkent")
	if err != nil {
		w.t.Fatal(err)
	}
	d := w.db.Now().In(zone).AddDate(0, 0, 1)
	at := time.Date(d.Year(), d.Month(), d.Day(), hour, minute, 0, 0, zone).UTC()
	return slot.Span{Start: at, End: at.Add(30 * time.Minute)}
}
