package send

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"

	"svc/app/api"
	"svc/app/send/sendtest"
	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/simulator/world/record"
	"svc/messenger/telegram"
	"svc/store"
	"svc/store/storetest"
)

// signedIn is the production driver, whose sign-ins are spared the exchange of keys:
// the simulator hands out their sessions.
type signedIn struct {
	*telegram.Driver
	sim *simulator.Simulator
}

func (d signedIn) SendCode(_ context.Context, _ messenger.Route, phone string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.CodeSent, CodeType: "app", State: []byte(phone)}, nil
}

func (d signedIn) EnterCode(_ context.Context, _ messenger.Route, state []byte, _ string) (messenger.Step, error) {
	phone := string(state)
	if err := d.sim.World().AddPhone(record.Phone{Number: phone}); err != nil {
		return messenger.Step{}, err
	}
	session, err := d.sim.Session(phone)
	if err != nil {
		return messenger.Step{}, err
	}
	id, err := d.sim.World().AccountID(phone)
	return messenger.Step{Kind: messenger.Completed, Session: session, Self: messenger.Profile{ID: id, FirstName: "Account"}}, err
}

// realWorld is the slice at work on a disk, with the production driver and the
// simulator.
func realWorld(t testing.TB, o Options, source Source) (*harness, *simulator.Simulator) {
	t.Helper()
	sim, err := simulator.Open(simulator.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- sim.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-ended, sim.Close()); err != nil {
			t.Error(err)
		}
	})
	driver := signedIn{telegram.New(telegram.Options{
		AppID: 1, AppHash: "hash", Kind: messenger.Simulator, DCs: dcs.List{Options: []tg.DCOption{sim.DCOption()}}, DC: sim.DC(),
		PublicKeys: []exchange.PublicKey{sim.PublicKey()}, Version: "test",
	}), sim}
	w := &harness{t: t, db: storetest.Open(t, allTables()...), p: sendtest.New(), o: o, driver: driver, source: source}
	if source == nil {
		w.source = w
	}
	w.build()
	w.srv.Org = w.newOrg()
	return w, sim
}

// watcher is a source that says when a number of jobs ended.
type watcher struct {
	*harness
	left       atomic.Int64
	half, done chan struct{}
}

// halfWay is how many jobs are left when half is closed.
const halfWay = 20

func (x *watcher) Settled(tx *store.Tx, c *api.Call, j *Job) error {
	err := x.harness.Settled(tx, c, j)
	if err == nil {
		tx.AfterCommit(func() {
			switch x.left.Add(-1) {
			case halfWay:
				close(x.half)
			case 0:
				close(x.done)
			}
		})
	}
	return err
}

func wait(t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the campaign does not go on")
	}
}

// TestOverTheRealClient: floods, lost answers, dropped connections and a restart in
// the middle; the log of the simulator has everybody once.
func TestOverTheRealClient(t *testing.T) {
	const people = 40
	x := &watcher{half: make(chan struct{}), done: make(chan struct{})}
	w, sim := realWorld(t, Options{NoPacing: true}, x)
	x.harness = w
	x.left.Store(people)
	sim.World().AddPeople(record.Range{Prefix: "person_", From: 1, To: 1000, FirstID: 1001})
	accounts := []string{w.account(""), w.account("")}
	ids := w.people(1, people)
	script := "at 5 sends of +998901200001 flood 1\nat 9 sends drop\nat 14 sends drop-before\n"
	if err := sim.World().Script(script); err != nil {
		t.Fatal(err)
	}
	b := w.campaign(accounts, ids, nil)
	w.run()
	wait(t, x.half)
	w.restart()
	wait(t, x.done)
	w.stop()
	if got := w.totals(b); got[Delivered] != people {
		t.Errorf("totals %v", got)
	}
	log, err := sim.World().Log()
	if err != nil {
		t.Fatal(err)
	}
	took := map[int64]int{}
	for _, m := range log {
		took[m.Peer]++
	}
	for i := range people {
		if n := took[int64(1001+i)]; n != 1 {
			t.Errorf("person %d got %d messages", i+1, n)
		}
	}
	if len(log) != people {
		t.Errorf("the simulator took %d messages, want %d", len(log), people)
	}
}

// BenchmarkRealSending sends two campaigns to as many people as b.N from 100 accounts,
// durably, through the production driver to the simulator: to people whom no account
// knows, and to those it knows from the first (issue 5, section 5).
func BenchmarkRealSending(b *testing.B) {
	const accounts = 100
	source := &teller{}
	w, sim := realWorld(b, Options{NoPacing: true}, source)
	sim.World().AddPeople(record.Range{Prefix: "person_", From: 1, To: b.N, FirstID: 1_000_000})
	var from []string
	for range accounts {
		from = append(from, w.account(""))
	}
	stop := w.importing()
	strangers := fill(b, w, from, b.N)
	known := w.db.NewID("cmp")
	fillAgain(b, w, from, known, b.N)
	stop()
	w.run()
	b.ResetTimer()
	for _, run := range []struct{ name, batch string }{{"strangers/s", strangers}, {"sends/s", known}} {
		source.done = make(chan struct{})
		began := time.Now()
		w.put(CampaignPolicy{ID: run.batch, Accounts: from, Running: true})
		<-source.done
		b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), run.name)
	}
	b.StopTimer()
	w.end()
	b.ReportMetric(sendsTarget, "sends/s-target")
	if got := sim.World().Accepted(); got != int64(2*b.N) {
		b.Errorf("the simulator took %d messages, want %d", got, 2*b.N)
	}
}
