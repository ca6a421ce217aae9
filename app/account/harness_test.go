package account

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"svc/app/account/connection"
	"svc/app/account/login"
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
	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/simulator/simtest"
	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
	"svc/messenger/telegram"
	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/queue"
	"svc/store/storetest"
)

const (
	number = "+998901234567"
	other  = "+998901234568"
)

// harness is the slice over a store, with the production driver on the simulator.
type harness struct {
	*apitest.Server
	t     *testing.T
	path  string
	clock *storetest.Clock
	db    *store.DB
	s     *Service
	sim   *simulator.Simulator
	w     *world.World
	d     *faultyDriver
	bus   *signal.Bus
	orgs  *org.Service
	// running campaigns that are said to use every account.
	running int
	heard   []any // signals, in order
	mu      sync.Mutex
}

func newHarness(t *testing.T) *harness {
	h := &harness{t: t, path: filepath.Join(t.TempDir(), "test.db"), clock: storetest.NewClock(), d: &faultyDriver{}}
	h.sim = simtest.Start(t, simulator.Options{Demo: true})
	h.w = h.sim.World()
	h.phone(record.Phone{Number: number, Person: record.Person{ID: 700, Username: "owner_name", First: "Olim", Last: "Karimov"}})
	o := simtest.Options(h.sim)
	o.SaveDelay, o.Pause = time.Millisecond, time.Millisecond
	h.d.Driver = telegram.New(o)
	h.open()
	h.Server = apitest.New(t, h.db, h.s, h.orgs, recipient.New(h.db, h.bus, recipient.Options{}))
	h.Org = h.newOrg(org.Enterprise)
	return h
}

// open opens the store, as a start of the service does.
func (h *harness) open() {
	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(),
		recipient.Tables(), Tables())
	engine, err := kv.OpenBolt(h.path)
	if err != nil {
		h.t.Fatal(err)
	}
	// Every closure runs twice: one that does more than change the store shows.
	h.db = storetest.OpenWith(h.t, h.path, store.Options{Tables: tables, Now: h.clock.Now, Engine: kvtest.Twice{Engine: engine}})
	h.bus = &signal.Bus{}
	hear(h, func(Changed) {})
	hear(h, func(connection.Received) {})
	hear(h, func(connection.ReadByPeer) {})
	hear(h, func(Deleted) {})
	hear(h, func(recipient.OptedOut) {})
	h.orgs = org.New(h.db, h.bus, org.Options{})
	h.s = New(h.db, Options{
		Driver: h.d, Bus: h.bus, AllowPrivateProxies: true, Log: slog.New(slog.DiscardHandler),
		InUse: func(*store.Tx, string, string) (int, error) { return h.running, nil },
	})
}

// restart closes the store and opens it again, as after the end of the process.
func (h *harness) restart() {
	h.t.Helper()
	storetest.Close(h.t, h.db)
	h.open()
	organization, as := h.Org, h.As
	h.Server = apitest.New(h.t, h.db, h.s, h.orgs, recipient.New(h.db, h.bus, recipient.Options{}))
	h.Org, h.As = organization, as
}

func hear[T any](h *harness, f func(T)) {
	signal.On(h.bus, func(tx *store.Tx, _ *api.Call, what T) error {
		tx.AfterCommit(func() {
			h.mu.Lock()
			h.heard = append(h.heard, what)
			h.mu.Unlock()
			f(what)
		})
		return nil
	})
}

// signals are those of a type that were heard.
func signals[T any](h *harness) (out []T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.heard {
		if s, ok := x.(T); ok {
			out = append(out, s)
		}
	}
	return out
}

func (h *harness) newOrg(plan org.Plan) (id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(context.Background(), "", h.db.Now()), org.Fields{Name: "Test", Plan: plan})
		id = o.ID
		return err
	})
	was := h.Org
	h.Org = id
	h.Do("POST /organization/accept-policy", `{"policy_version":"1"}`).Want(200)
	h.Org = was
	return id
}

func (h *harness) update(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.Update(h.t, h.db, f)
}

func (h *harness) view(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.View(h.t, h.db, f)
}

func (h *harness) phone(p record.Phone) {
	h.t.Helper()
	if err := h.w.AddPhone(p); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) person(p record.Person) {
	h.t.Helper()
	if _, err := h.w.AddPerson(p); err != nil {
		h.t.Fatal(err)
	}
}

// sc is the call of the service itself.
func (h *harness) sc() *api.Call { return api.System(context.Background(), h.Org, h.db.Now()) }

// account makes an account with a ready session, as if somebody had signed in.
func (h *harness) account(phone string, inbound bool) string {
	h.t.Helper()
	secret, err := h.sim.Session(phone)
	if err != nil {
		h.t.Fatal(err)
	}
	person, err := h.w.AccountID(phone)
	if err != nil {
		h.t.Fatal(err)
	}
	_, hash, masked, err := login.Identify(h.db, phone)
	if err != nil {
		h.t.Fatal(err)
	}
	id := h.db.NewID("acc")
	h.update(func(tx *store.Tx) error {
		f := login.Flow{ID: h.db.NewID("flw"), AccountID: id, PhoneHash: hash, PhoneMasked: masked}
		c := h.Call()
		a, err := h.s.connect(tx, c, &f, messenger.Step{Session: secret, Self: messenger.Profile{ID: person, FirstName: "Olim"}})
		if err != nil {
			return err
		}
		a.InboundEnabled = inbound
		return accounts.Put(tx, h.Org, &a)
	})
	return id
}

func (h *harness) connection(id string) (out connection.State) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) {
		out, err = h.s.pool.State(tx, h.Org, id)
		return err
	})
	return out
}

func (h *harness) get(id string) (a Account) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) {
		a, err = Get(tx, h.Org, id)
		return err
	})
	return a
}

func (h *harness) pace(id string) (p Pace) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) {
		p, err = PaceOf(tx, h.Org, id)
		return err
	})
	return p
}

// trouble tells of an error of the platform, as package send does.
func (h *harness) trouble(id string, e *messenger.Error) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error { return h.s.Trouble(tx, h.sc(), h.Org, id, e) })
}

// events are the types of the events about an account, in order.
func (h *harness) events(id string) (out []event.Type) {
	h.t.Helper()
	h.view(func(tx *store.Tx) error {
		list, err := event.After(tx, h.Org, "", 200)
		out = nil
		for _, e := range list {
			var data struct {
				AccountID string `json:"account_id"`
			}
			if err := json.Unmarshal(e.Data, &data); err != nil {
				return err
			}
			if data.AccountID == id {
				out = append(out, e.Type)
			}
		}
		return err
	})
	return out
}

// notices are the kinds of the notifications of the organization, newest first.
func (h *harness) notices() (out []string) {
	h.t.Helper()
	a := apitest.New(h.t, h.db, notify.New(h.db))
	a.Org = h.Org
	var page struct {
		Data []struct {
			Kind string `json:"kind"`
		} `json:"data"`
	}
	a.Do("GET /notifications", nil).Want(200).Into(&page)
	for _, n := range page.Data {
		out = append(out, n.Kind)
	}
	return out
}

// run starts connections and jobs until the test ends or stop is called.
func (h *harness) run() (stop func()) {
	workers := queue.New(h.db, queue.Options{})
	h.s.Work(workers)
	return storetest.Run(h.t, workers.Run, h.s.Run)
}

func (h *harness) eventually(what string, ok func() bool) {
	h.t.Helper()
	storetest.Eventually(h.t, what, ok)
}

// faultyDriver is the driver, which can be told to fail.
type faultyDriver struct {
	messenger.Driver

	mu       sync.Mutex
	fail     error           // of the next steps of a sign-in, and connects
	step     *messenger.Step // instead of a code that is sent; every code is wrong then
	open     map[int64]int   // connections by their number of the account's session
	most     int
	connects int
	last     messenger.Conn
}

// hangUp ends the connection that was opened last.
func (u *faultyDriver) hangUp() {
	u.mu.Lock()
	c := u.last
	u.mu.Unlock()
	_ = c.Close()
}

func (u *faultyDriver) refuse(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.fail = err
}

func (u *faultyDriver) failing() (*messenger.Step, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.step, u.fail
}

func (u *faultyDriver) SendCode(ctx context.Context, via messenger.Route, phone string) (messenger.Step, error) {
	if step, err := u.failing(); err != nil {
		return messenger.Step{}, err
	} else if step != nil {
		return *step, nil
	}
	return u.Driver.SendCode(ctx, via, phone)
}

func (u *faultyDriver) EnterCode(ctx context.Context, via messenger.Route, state []byte, code string) (messenger.Step, error) {
	if step, err := u.failing(); err != nil {
		return messenger.Step{}, err
	} else if step != nil {
		return messenger.Step{}, &messenger.Error{Fault: messenger.SignInRefused, Code: "phone_code_invalid"}
	}
	return u.Driver.EnterCode(ctx, via, state, code)
}

func (u *faultyDriver) Connect(ctx context.Context, a messenger.Account) (messenger.Conn, error) {
	if _, err := u.failing(); err != nil {
		return nil, err
	}
	c, err := u.Driver.Connect(ctx, a)
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.connects++
	if u.open == nil {
		u.open = map[int64]int{}
	}
	id := int64(len(a.Session))
	u.open[id]++
	u.most = max(u.most, u.open[id])
	u.last = &tracked{Conn: c, closed: sync.OnceFunc(func() {
		u.mu.Lock()
		u.open[id]--
		u.mu.Unlock()
	})}
	return u.last, nil
}

// tracked is a connection that is counted while it is open.
type tracked struct {
	messenger.Conn
	closed func()
}

func (c *tracked) Close() error {
	defer c.closed()
	return c.Conn.Close()
}
