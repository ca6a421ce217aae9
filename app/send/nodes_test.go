package send

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/send/sendtest"
	"svc/store"
	"svc/store/dispatch"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// onNodes runs a test in a bubble with several processes on one store, each behind a gate.
// Their platform is one, and so is their organization.
func onNodes(t *testing.T, n int, o Options, test func(nodes []*harness, gates []*kvtest.Gate)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		engine := kv.NewMemory()
		var gates []*kvtest.Gate
		var options []store.Options
		for range n {
			gates = append(gates, kvtest.NewGate(engine))
			options = append(options, store.Options{Tables: allTables(), Engine: gates[len(gates)-1]})
		}
		var nodes []*harness
		for i, db := range storetest.Nodes(t, engine, options...) {
			w := newWorld(t, db, o)
			if i == 0 {
				w.srv.Org = w.newOrg()
			} else {
				w.p, w.driver, w.srv.Org = nodes[0].p, nodes[0].p, nodes[0].srv.Org
				w.build()
			}
			nodes = append(nodes, w)
		}
		test(nodes, gates)
		for i, w := range nodes {
			w.end()
			gates[i].Open()
		}
	})
}

// TestCrash: the process dies with messages on their way. What it left in the store is
// sent again with the same number, and somebody who opted out meanwhile gets nothing.
func TestCrash(t *testing.T) {
	onNodes(t, 2, Options{}, func(nodes []*harness, gates []*kvtest.Gate) {
		w, next := nodes[0], nodes[1]
		accounts := []string{w.account(""), w.account("")}
		people := w.people(1, 2)
		var mu sync.Mutex
		claimed := map[int64]bool{}
		w.p.Accept(func(ctx context.Context, m sendtest.Accepted) (bool, error) {
			mu.Lock()
			claimed[m.RandomIDs[0]] = true
			mu.Unlock()
			<-ctx.Done()
			return false, ctx.Err()
		})
		b := w.campaign(accounts, people, nil)
		w.run()
		w.after(time.Second)
		if got := w.totals(b); len(claimed) != 2 || got[Waiting] != 2 {
			t.Fatalf("%d messages claimed, %v", len(claimed), got)
		}
		gates[0].Kill()
		w.dead = true
		next.run()
		next.after(time.Second)
		if n := w.p.Tried(); n != 2 {
			t.Fatalf("%d tries while nobody knows that the first process is dead", n)
		}
		next.srv.Do("POST /recipients/"+people[1]+"/opt-out", nil).Want(200)
		w.p.Accept(nil)
		next.after(time.Minute)
		log := w.p.Took()
		if len(log) != 1 || log[0].To.Username != "person_1" || !claimed[log[0].RandomIDs[0]] {
			t.Errorf("sent %+v, with other numbers than %v", log, claimed)
		}
		if j := next.job(b, people[1]); j.Status != Skipped || j.SkipReason != OptedOut {
			t.Errorf("who opted out: %+v", j)
		}
	})
}

// TestNodesExactlyOnce: three processes send, and each of them dies, sleeps for longer than
// the others believe in it, or ends and starts again at any moment. Each person gets one
// message at most, and each job has one outcome.
func TestNodesExactlyOnce(t *testing.T) {
	for seed := range uint64(4) {
		onNodes(t, 3, Options{NoPacing: seed%2 == 0}, func(nodes []*harness, gates []*kvtest.Gate) {
			r := rand.New(rand.NewPCG(seed, 2))
			var mu sync.Mutex
			dice := func(n int) int {
				mu.Lock()
				defer mu.Unlock()
				return r.IntN(n)
			}
			w := nodes[0]
			accounts := []string{w.account(`{"min_interval_seconds":4}`), w.account(""), w.account(""), w.account("")}
			people := w.people(1, 60)
			w.p.Accept(func(ctx context.Context, _ sendtest.Accepted) (bool, error) {
				select {
				case <-time.After(time.Duration(dice(9000)) * time.Millisecond):
					return true, nil
				case <-ctx.Done():
					return dice(2) == 0, ctx.Err()
				}
			})
			b := w.campaign(accounts, people, nil)
			for _, n := range nodes {
				n.run()
			}
			for range 10 {
				w.after(time.Duration(dice(40_000)) * time.Millisecond)
				switch i := 1 + dice(2); dice(3) { // one is always there
				case 0:
					gates[i].Kill()
					nodes[i].dead = true
					nodes[i].after(30 * time.Second)
					nodes[i].end()
					gates[i].Open()
					nodes[i].restart()
				case 1:
					gates[i].Pause()
					nodes[i].after(time.Minute)
					gates[i].Open()
				default:
					nodes[i].restart()
				}
			}
			w.after(30 * time.Minute)
			w.checkOnce(map[string][]string{b: people})
		})
	}
}

// TestSlotMigration: an account of a version before package dispatch waits as it did, and
// what it had on its way is a claim of a node that ended.
func TestSlotMigration(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		old  string
		want accountQueue
	}{
		{`{"id":"acc_1"}`, accountQueue{ID: "acc_1"}},
		{`{"id":"acc_1","next_at":"2026-11-01T12:00:00Z","batch":"cmp_1"}`, accountQueue{ID: "acc_1", Batch: "cmp_1", Slot: dispatch.Slot{Due: at}}},
		{`{"id":"acc_1","hand":{"job":"job_1","kind":"CAMPAIGN","since":"2026-11-01T12:00:00Z"}}`, accountQueue{
			ID: "acc_1", InFlight: &inFlight{Job: "job_1", Kind: Campaign, Since: at},
			Slot: dispatch.Slot{Token: 1, Claims: []dispatch.Claim{{Node: "before dispatch", Token: 1, Since: at, Ref: "job_1"}}},
		}},
	} {
		b, err := addSlot([]byte(c.old))
		if err != nil {
			t.Fatal(err)
		}
		var got accountQueue
		want, _ := json.Marshal(c.want)
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(got); string(again) != string(want) {
			t.Errorf("%s is %s, want %s", c.old, again, want)
		}
	}
	if _, err := addSlot([]byte("[")); err == nil {
		t.Error("what is no account was migrated")
	}
}

// closed leaves out the error of a process that was killed.
func (w *harness) closed(err error) error {
	if w.dead && errors.Is(err, store.ErrClosed) {
		return nil
	}
	return err
}

// TestWhoConnectsSends: an account that receives messages is connected by one node, which
// alone sends for it and answers checks that any node is asked for; when it dies another
// connects the account and goes on.
func TestWhoConnectsSends(t *testing.T) {
	onNodes(t, 2, Options{NoPacing: true}, func(nodes []*harness, gates []*kvtest.Gate) {
		w, next := nodes[0], nodes[1]
		a := w.account(`{"inbound_enabled":true}`)
		next.run()
		next.after(time.Second)
		w.run()
		w.after(time.Second)
		online := func(at *harness) (n int) {
			n = at.accounts.OnlineCount()
			if got := at.srv.Do("GET /accounts/"+a, nil).Want(200).String("connection"); got != "ONLINE" {
				t.Errorf("the account is %s", got)
			}
			return n
		}
		if n, m := online(w), online(next); n != 0 || m != 1 {
			t.Fatalf("%d and %d connections", n, m)
		}
		b := w.campaign([]string{a}, w.people(1, 20), nil)
		w.after(10 * time.Second)
		if got := w.totals(b); got[Delivered] != 20 || w.accounts.OnlineCount() != 0 {
			t.Errorf("%v, and %d connections where it is not connected", got, w.accounts.OnlineCount())
		}
		for _, n := range nodes {
			if got := n.srv.Do("POST /accounts/"+a+"/check", nil).Want(200); got.At("ok") != true {
				t.Errorf("a check: %s", got.Body)
			}
		}
		// Turned off at the one node, it is closed at the other.
		w.srv.Do("PATCH /accounts/"+a, `{"inbound_enabled":false}`).Want(200)
		w.after(time.Second)
		if n := next.accounts.OnlineCount(); n != 0 {
			t.Errorf("%d connections of an account that receives nothing", n)
		}
		w.srv.Do("PATCH /accounts/"+a, `{"inbound_enabled":true}`).Want(200)
		w.after(time.Second)
		here, there, gate := w, next, gates[1]
		if w.accounts.OnlineCount() == 1 {
			here, there, gate = next, w, gates[0]
		}
		gate.Kill()
		there.dead = true
		here.after(2 * time.Minute)
		if n := online(here); n != 1 || w.p.Twice {
			t.Errorf("%d connections after the other node died; two at a time: %t", n, w.p.Twice)
		}
	})
}
