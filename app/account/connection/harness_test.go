package connection

import (
	"context"
	"path/filepath"
	"slices"
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

const number = "+998901234567"

// env is the connections over a store, with the production driver on the simulator. Its
// accounts are kept in memory: what package account makes of connections is tested there.
type env struct {
	*apitest.Server
	t        *testing.T
	path     string
	clock    *storetest.Clock
	db       *store.DB
	p        *Pool
	sim      *simulator.Simulator
	w        *world.World
	d        *driver
	bus      *signal.Bus
	orgs     *org.Service
	accounts *accounts

	mu    sync.Mutex
	heard []any // signals, in order
}

func newEnv(t *testing.T) *env {
	h := &env{
		t: t, path: filepath.Join(t.TempDir(), "test.db"), clock: storetest.NewClock(), d: &driver{},
		accounts: &accounts{list: map[string]*account{}},
	}
	h.sim = simtest.Start(t, simulator.Options{Demo: true})
	h.w = h.sim.World()
	if err := h.w.AddPhone(record.Phone{Number: number, Person: record.Person{ID: 700, Username: "owner_name", First: "Olim", Last: "Karimov"}}); err != nil {
		t.Fatal(err)
	}
	o := simtest.Options(h.sim)
	o.SaveDelay, o.Pause = time.Millisecond, time.Millisecond
	h.d.Driver = telegram.New(o)
	h.open()
	h.update(func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(context.Background(), "", h.db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		h.Org = made.ID
		return err
	})
	return h
}

// open opens the store, as a start of the service does.
func (h *env) open() {
	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(),
		recipient.Tables(), Tables())
	engine, err := kv.OpenBolt(h.path)
	if err != nil {
		h.t.Fatal(err)
	}
	// Every closure runs twice: one that does more than change the store shows.
	h.db = storetest.OpenWith(h.t, h.path, store.Options{Tables: tables, Now: h.clock.Now, Engine: kvtest.Twice{Engine: engine}})
	h.bus = &signal.Bus{}
	hear[Received](h)
	hear[ReadByPeer](h)
	hear[recipient.OptedOut](h)
	h.orgs = org.New(h.db, h.bus, org.Options{})
	h.p = New(h.db, Options{Driver: h.d, Accounts: h.accounts, Bus: h.bus})
	there := func(_ *store.Tx, _, id string) (bool, error) { return h.accounts.has(id), nil }
	people := recipient.New(h.db, h.bus, recipient.Options{KnownTo: func(tx *store.Tx, org string, id int64) ([]string, error) {
		return KnownTo(tx, org, id, there)
	}})
	h.Server = apitest.New(h.t, h.db, h.orgs, people)
}

// restart closes the store and opens it again, as after the end of the process.
func (h *env) restart() {
	h.t.Helper()
	storetest.Close(h.t, h.db)
	organization := h.Org
	h.open()
	h.Org = organization
}

func hear[T any](h *env) {
	signal.On(h.bus, func(tx *store.Tx, _ *api.Call, what T) error {
		tx.AfterCommit(func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.heard = append(h.heard, what)
		})
		return nil
	})
}

// state is how the connection of an account is, as this process shows it.
func (h *env) state(id string) (out State) {
	h.t.Helper()
	storetest.View(h.t, h.db, func(tx *store.Tx) (err error) {
		out, err = h.p.State(tx, h.Org, id)
		return err
	})
	return out
}

// signals are those of a type that were heard.
func signals[T any](h *env) (out []T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.heard {
		if s, ok := x.(T); ok {
			out = append(out, s)
		}
	}
	return out
}

func (h *env) update(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.Update(h.t, h.db, f)
}

func (h *env) view(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.View(h.t, h.db, f)
}

func (h *env) person(p record.Person) {
	h.t.Helper()
	if _, err := h.w.AddPerson(p); err != nil {
		h.t.Fatal(err)
	}
}

// account makes an account with a ready session.
func (h *env) account(phone string, inbound bool) string {
	h.t.Helper()
	secret, err := h.sim.Session(phone)
	if err != nil {
		h.t.Fatal(err)
	}
	id := h.db.NewID("acc")
	h.accounts.mu.Lock()
	h.accounts.list[id] = &account{org: h.Org, wanted: Wanted{Session: secret, Inbound: inbound, Person: phone}}
	h.accounts.mu.Unlock()
	h.changed(id)
	return id
}

// change changes an account and lets the pool know.
func (h *env) change(id string, f func(*account)) {
	h.accounts.mu.Lock()
	f(h.accounts.list[id])
	h.accounts.mu.Unlock()
	h.changed(id)
}

func (h *env) changed(id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		h.p.AdjustAfter(tx, h.Org, id)
		return nil
	})
}

// run starts connections and jobs until the test ends or stop is called.
func (h *env) run() (stop func()) {
	workers := queue.New(h.db, queue.Options{})
	h.p.Work(workers)
	return storetest.Run(h.t, workers.Run, h.p.Run)
}

func (h *env) eventually(what string, ok func() bool) {
	h.t.Helper()
	storetest.Eventually(h.t, what, ok)
}

// account is one of accounts.
type account struct {
	org     string
	wanted  Wanted
	refused *messenger.Error // it cannot be connected as it is
	gone    bool
	left    int // records that Forget has to remove
}

// accounts is package account of the tests.
type accounts struct {
	mu   sync.Mutex
	list map[string]*account
}

func (a *accounts) of(id string) (x account, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p := a.list[id]; p != nil && !p.gone {
		return *p, true
	}
	return x, false
}

func (a *accounts) has(id string) bool {
	_, ok := a.of(id)
	return ok
}

func (a *accounts) Wanted(_ *store.Tx, _, id string) (Wanted, error) {
	x, ok := a.of(id)
	switch {
	case !ok:
		return Wanted{}, store.ErrNotFound
	case x.refused != nil:
		return Wanted{}, x.refused
	}
	return x.wanted, nil
}

func (a *accounts) Listening(*store.Tx, store.Cursor, int) (list []Ref, next store.Cursor, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, x := range a.list {
		if !x.gone && x.wanted.Inbound {
			list = append(list, Ref{Org: x.org, ID: id})
		}
	}
	return list, nil, nil
}

func (a *accounts) Has(_ *store.Tx, _, id string) (bool, error) { return a.has(id), nil }

func (a *accounts) SaveSession(tx *store.Tx, _, id string, secret []byte) error {
	tx.AfterCommit(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.list[id].wanted.Session = secret
	})
	return nil
}

func (*accounts) SaveProfile(*store.Tx, string, string, messenger.Profile) error { return nil }

func (*accounts) Seen(*store.Tx, string, string) error { return nil }

func (*accounts) ChangesStatus(e *messenger.Error) bool { return e.Fault == messenger.SessionEnded }

func (a *accounts) Trouble(_ *store.Tx, _ *api.Call, _, id string, e *messenger.Error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list[id].refused = e
	return nil
}

func (a *accounts) Forget(tx *store.Tx, _, id string, limit int) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := min(limit, a.list[id].left)
	tx.AfterCommit(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.list[id].left -= n
	})
	return n, nil
}

// driver can be told to fail, and counts connections.
type driver struct {
	messenger.Driver

	mu       sync.Mutex
	fail     error
	open     int
	most     int // open at the same time
	connects int
}

func (d *driver) refuse(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = err
}

func (d *driver) failing() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fail
}

func (d *driver) Connect(ctx context.Context, a messenger.Account) (messenger.Conn, error) {
	if err := d.failing(); err != nil {
		return nil, err
	}
	c, err := d.Driver.Connect(ctx, a)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.connects++
	d.open++
	d.most = max(d.most, d.open)
	return &tracked{Conn: c, closed: sync.OnceFunc(func() {
		d.mu.Lock()
		d.open--
		d.mu.Unlock()
	})}, nil
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
