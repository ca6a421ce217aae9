package hook

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
	"svc/store/coord"
	"svc/store/kv"
	"svc/store/queue"
	"svc/store/storetest"
)

func allTables() []store.AnyTable {
	return slices.Concat(Tables(), event.Tables(), audit.Tables(), notify.Tables(), setting.Tables(), org.Tables(), queue.Tables())
}

// sent is one attempt that a test's sender got.
type sent struct {
	Request
	header map[string]string
	at     time.Duration // since the test began
}

// world is the slice at work in a bubble, with a receiver of the test's own.
type world struct {
	t     *testing.T
	db    *store.DB
	s     *Service
	srv   *apitest.Server
	begun time.Time
	stop  func()

	mu     sync.Mutex
	sent   []sent
	answer func(ctx context.Context, r sent) Answer
}

// Send is the sender of the test.
func (w *world) Send(ctx context.Context, r Request) Answer {
	x := sent{Request: r, header: map[string]string{}, at: time.Since(w.begun)}
	for _, h := range r.Header {
		x.header[h[0]] = h[1]
	}
	w.mu.Lock()
	w.sent = append(w.sent, x)
	answer := w.answer
	w.mu.Unlock()
	r.Begun()
	if answer == nil {
		return Answer{Status: 200, Body: []byte("ok")}
	}
	return answer(ctx, x)
}

// bubble runs a test in a bubble, on a store in memory.
func bubble(t *testing.T, test func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: allTables(), Engine: kv.NewMemory()})
		w := &world{t: t, db: db, begun: time.Now()}
		w.s = New(db, Options{Sender: w, Production: true, Version: "1.0"})
		w.srv = apitest.New(t, db, w.s)
		w.srv.Org = w.newOrg(org.Enterprise)
		defer func() {
			if w.stop != nil {
				w.stop()
			}
		}()
		test(w)
	})
}

func (w *world) newOrg(plan org.Plan) (id string) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(context.Background(), "", w.db.Now()), org.Fields{Name: "Test", Plan: plan})
		id = o.ID
		return err
	})
	return id
}

func (w *world) update(f func(tx *store.Tx) error) {
	w.t.Helper()
	storetest.Update(w.t, w.db, f)
}

// run starts the service and the workers of its jobs.
func (w *world) run() {
	workers := queue.New(w.db, queue.Options{})
	w.s.Work(workers)
	w.stop = storetest.Run(w.t, w.s.Run, workers.Run)
}

// restart is another process on the same store.
func (w *world) restart() {
	w.stop()
	w.s = New(w.db, w.s.o)
	o := w.srv.Org
	w.srv = apitest.New(w.t, w.db, w.s)
	w.srv.Org = o
	w.run()
}

func (w *world) hook(url string, events ...string) (id string) {
	w.t.Helper()
	if len(events) == 0 {
		events = []string{"*"}
	}
	return w.srv.Do("POST /webhooks", map[string]any{"url": url, "events": events}).Want(201).String("id")
}

// emit records events of one type in one transaction.
func (w *world) emit(kind event.Type, n int) (ids []string) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		ids = nil
		for i := range n {
			err := event.Emit(tx, w.srv.Org, kind, map[string]any{"n": i}, func(e *event.Stored) { ids = append(ids, e.ID) })
			if err != nil {
				return err
			}
		}
		return nil
	})
	return ids
}

// settle waits until nothing can go on before the clock does.
func (w *world) settle() { synctest.Wait() }

func (w *world) after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// take are the attempts since the last call.
func (w *world) take() []sent {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.sent
	w.sent = nil
	return out
}

// events are the ids of the events of attempts.
func events(list []sent) (out []string) {
	for i := range list {
		out = append(out, list[i].header["X-Svc-Event-Id"])
	}
	return out
}

func (w *world) answers(f func(ctx context.Context, r sent) Answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = f
}

func failing(context.Context, sent) Answer {
	return Answer{Status: 500, Body: []byte("broken"), Failure: BadStatus}
}

// hanging answers nothing until the attempt is over.
func hanging(ctx context.Context, _ sent) Answer {
	<-ctx.Done()
	return Answer{Failure: Timeout}
}

func (w *world) delivery(hook string, place int) (d Delivery) {
	w.t.Helper()
	page := api.Page[Delivery]{}
	w.srv.Do("GET /webhooks/"+hook+"/deliveries", nil).Want(200).Into(&page)
	if place >= len(page.Data) {
		w.t.Fatalf("%d deliveries, want more than %d", len(page.Data), place)
	}
	return page.Data[place]
}

func (w *world) shown(hook string) (out Shown) {
	w.t.Helper()
	w.srv.Do("GET /webhooks/"+hook, nil).Want(200).Into(&out)
	return out
}

// counts are those of an event.
func (w *world) counts(id string) (out event.Deliveries) {
	w.t.Helper()
	page := api.Page[event.Listed]{}
	apiEvents := apitest.New(w.t, w.db, event.New(w.db))
	apiEvents.Org = w.srv.Org
	apiEvents.Do("GET /events?limit=500", nil).Want(200).Into(&page)
	for _, e := range page.Data {
		if e.ID == id {
			return e.Deliveries
		}
	}
	w.t.Fatalf("%s is not listed", id)
	return out
}

// follower is one that a test steps through by hand.
func (w *world) follower() *follower {
	w.t.Helper()
	session, err := coord.Of(w.db).Enter(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	lease, err := session.TryAcquire(context.Background(), leaseOfFollower)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(session.Leave)
	return &follower{s: w.s, lease: lease}
}
