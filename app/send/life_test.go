package send

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/send/figures"
	"svc/app/send/sendtest"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestExactlyOnce: floods, lost answers, drops, refusals, and a process that ends and
// starts again at any moment; each person gets one message at most, each job has one
// outcome, and what was delivered was taken.
func TestExactlyOnce(t *testing.T) {
	for seed := range uint64(8) {
		bubble(t, Options{NoPacing: seed%2 == 0}, func(w *harness) {
			r := rand.New(rand.NewPCG(seed, 1))
			var mu sync.Mutex
			dice := func(n int) int {
				mu.Lock()
				defer mu.Unlock()
				return r.IntN(n)
			}
			accounts := []string{w.account(`{"min_interval_seconds":4,"daily_limit":500}`), w.account(`{"min_interval_seconds":4}`), w.account("")}
			people := w.people(1, 60)
			var hanging atomic.Bool
			hanging.Store(true)
			w.p.Accept(func(ctx context.Context, m sendtest.Accepted) (bool, error) {
				switch dice(12) {
				case 0:
					return false, fails(messenger.Flood, "FLOOD_WAIT", time.Duration(1+dice(40))*time.Second)
				case 1:
					return dice(2) == 0, fails(messenger.Unreachable, "LOST", 0)
				case 2:
					return dice(2) == 0, fails(messenger.Busy, "RPC_CALL_FAIL", 0)
				case 3:
					return false, fails(messenger.PeerUnreachable, "PEER_BLOCKED", 0)
				case 4:
					if hanging.Load() { // until the process ends
						<-ctx.Done()
						return dice(2) == 0, ctx.Err()
					}
				}
				return true, nil
			})
			a := w.campaign(accounts, people[:40], nil)
			b := w.campaign(accounts[:2], people[20:], nil)
			w.run()
			for range 12 {
				w.after(time.Duration(dice(60_000)) * time.Millisecond)
				w.restart()
			}
			hanging.Store(false)
			w.restart()
			for range 20 { // accounts that were given up come back
				w.after(10 * time.Minute)
				for _, id := range accounts {
					w.srv.Do("POST /accounts/"+id+"/check", nil).Want(200)
				}
			}
			w.checkOnce(map[string][]string{a: people[:40], b: people[20:]})
		})
	}
}

// checkOnce holds what the platform took against what the jobs say.
func (w *harness) checkOnce(campaigns map[string][]string) {
	w.t.Helper()
	took := map[int64]string{}
	for _, m := range w.p.Took() {
		for _, id := range m.RandomIDs {
			took[id] = m.To.Username
		}
	}
	if w.p.Overlap {
		w.t.Error("an account sent two messages at a time")
	}
	if w.p.Twice {
		w.t.Error("an account had two connections at a time")
	}
	perPerson := map[string]int{}
	for _, name := range took {
		perPerson[name]++
	}
	for batch, people := range campaigns {
		n := w.totals(batch)
		if n.Count() != len(people) || n[Waiting] != 0 {
			w.t.Errorf("totals %v of %d people", n, len(people))
		}
		for _, person := range people {
			j := w.job(batch, person)
			if told := w.outcomes(j.ID); !slices.Equal(told, []Status{j.Status}) {
				w.t.Errorf("%s is %s, and the source was told %v", j.ID, j.Status, told)
			}
			arrived := took[j.RandomIDs[0]] != ""
			if j.Status == Delivered && !arrived {
				w.t.Errorf("%s is delivered, and the platform has not taken it", j.ID)
			}
			if arrived {
				perPerson[j.Username]--
			}
		}
	}
	for name, n := range perPerson {
		if n != 0 {
			w.t.Errorf("%s got %d messages that no job knows", name, n)
		}
	}
}

// TestCancelled: cancelling writes one record; what waits counts as cancelled at
// once, the message under way ends, and a sweep stores the rest.
func TestCancelled(t *testing.T) {
	bubble(t, Options{NoPacing: true}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 30)
		release := make(chan struct{})
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			<-release
			return true, nil
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(time.Second)
		w.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Maintenance, true) })
		w.put(CampaignPolicy{ID: b, Accounts: []string{a}, Ended: true})
		w.after(time.Second)
		if got := w.totals(b); got[Cancelled] != 29 || got[Waiting] != 1 {
			t.Errorf("at once: %v", got)
		}
		page := func(f Filter) (out api.Page[Row]) {
			w.view(func(tx *store.Tx) (err error) {
				out, err = PageOf(tx, w.srv.Org, b, f, api.PageIn{Limit: 5})
				return err
			})
			return out
		}
		if got := page(Filter{Status: "CANCELLED"}); got.Total != 29 || got.Data[0].Status != "CANCELLED" {
			t.Errorf("the list of cancelled ones: %+v", got)
		}
		if got := page(Filter{Status: sending}); got.Total != 1 || got.Data[0].Status != sending {
			t.Errorf("the list of those under way: %+v", got)
		}
		if got := w.srv.Do("GET /jobs?status=CANCELLED", nil).Want(200).At("total"); got != 29.0 {
			t.Errorf("%v cancelled jobs", got)
		}
		w.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Maintenance, false) })
		close(release)
		w.after(time.Second)
		if got := w.totals(b); got[Cancelled] != 29 || got[Delivered] != 1 || len(got) != 2 {
			t.Errorf("in the end: %v", got)
		}
		if j := w.job(b, people[7]); j.Status != Cancelled || !slices.Equal(w.outcomes(j.ID), []Status{Cancelled}) {
			t.Errorf("a swept job: %+v, told %v", j, w.outcomes(j.ID))
		}
	})
}

// TestAccountTakenOff: the jobs of an account that a campaign lost are cancelled, also
// one that was on its way and came back; those of others are not, and none moves.
func TestAccountTakenOff(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a, other := w.account(""), w.account("")
		people := w.people(1, 8)
		release := make(chan struct{})
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			if m.Account == "+998901200001" {
				<-release
				return false, fails(messenger.Busy, "RPC_CALL_FAIL", 0)
			}
			return true, nil
		})
		b := w.campaign([]string{a, other}, people, nil)
		w.run()
		w.after(time.Second)
		w.put(CampaignPolicy{ID: b, Accounts: []string{other}, Running: true})
		close(release)
		w.after(time.Hour)
		if got := w.totals(b); got[Cancelled] != 4 || got[Delivered] != 4 {
			t.Errorf("totals %v", got)
		}
		w.srv.Do("DELETE /accounts/"+other, nil).Want(204)
	})
}

// TestDeletedAccount: what waits for an account that was deleted is cancelled.
func TestDeletedAccount(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		b := w.campaign([]string{a}, w.people(1, 3), func(b *CampaignPolicy) { b.Running = false })
		w.run()
		w.srv.Do("DELETE /accounts/"+a, nil).Want(204)
		w.after(time.Minute)
		if got := w.totals(b); got[Cancelled] != 3 {
			t.Errorf("totals %v", got)
		}
	})
}

// TestDeletedWhileSending: what is on its way when its account is deleted counts when
// the platform takes it.
func TestDeletedWhileSending(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 3)
		b := w.campaign([]string{a}, people, nil)
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			<-time.After(5 * time.Second)
			return true, nil
		})
		w.run()
		w.after(time.Second)
		w.put(CampaignPolicy{ID: b, Accounts: []string{a}}) // paused, with one message on its way
		w.srv.Do("DELETE /accounts/"+a, nil).Want(204)
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 1 || got[Cancelled] != 2 {
			t.Errorf("totals %v", got)
		}
		if got := w.outcomes(w.job(b, people[0]).ID); len(got) != 1 || got[0] != Delivered {
			t.Errorf("told of %v", got)
		}
		w.view(func(tx *store.Tx) error {
			if _, err := accountQueues.Get(tx, w.srv.Org, a); !store.IsNotFound(err) {
				t.Errorf("the lane of the account is left: %v", err)
			}
			return nil
		})
	})
}

// TestReachedInBetween: sends that reach nobody make an account DISCONNECTED only in a
// row; a refusal is an answer.
func TestReachedInBetween(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":4}`)
		w.campaign([]string{a}, w.people(1, 12), nil)
		n := 0
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			if n++; n%2 == 1 {
				return false, fails(messenger.Unreachable, "TRANSPORT", 0)
			}
			return false, fails(messenger.PeerUnreachable, "PEER_BLOCKED", 0)
		})
		w.run()
		w.after(2 * time.Hour)
		if got := w.srv.Do("GET /accounts/"+a, nil).String("status"); got != "ACTIVE" || n < 12 {
			t.Errorf("after %d tries the account is %s", n, got)
		}
	})
}

// TestConcurrency: no more messages are on their way than were allowed, and accounts
// that wait for room have their turn.
func TestConcurrency(t *testing.T) {
	bubble(t, Options{NoPacing: true, Concurrency: 2}, func(w *harness) {
		var accounts []string
		for range 5 {
			accounts = append(accounts, w.account(""))
		}
		var mu sync.Mutex
		now, most := 0, 0
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			<-time.After(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return true, nil
		})
		b := w.campaign(accounts, w.people(1, 20), nil)
		w.run()
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 20 || most != 2 {
			t.Errorf("totals %v, %d at a time", got, most)
		}
	})
}

// TestTwice: every transaction of sending may run twice.
func TestTwice(t *testing.T) {
	db := storetest.Twice(t, allTables()...)
	w := newWorld(t, db, Options{NoPacing: true})
	w.srv.Org = w.newOrg()
	a := w.account("")
	people := w.people(1, 5)
	b := w.campaign([]string{a}, people, nil)
	done := make(chan struct{})
	var once sync.Once
	w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
		if m.To.Username == "person_5" {
			defer once.Do(func() { close(done) })
			return false, fails(messenger.PeerUnreachable, "PEER_BLOCKED", 0)
		}
		return true, nil
	})
	w.run()
	<-done
	w.stop()
	if got := w.totals(b); got[Delivered] != 4 || got[Unreachable] != 1 {
		t.Errorf("totals %v", got)
	}
	w.view(func(tx *store.Tx) error {
		f, err := figures.Of(tx, w.srv.Org, b)
		if err != nil || f.Totals != (figures.Counters{Delivered: 4, Unreachable: 1}) || f.ByError["PEER_BLOCKED"] != 1 {
			t.Errorf("figures %+v, %v", f, err)
		}
		return nil
	})
}

// TestUniqueRecipient: a campaign has nobody twice.
func TestUniqueRecipient(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 2)
		b := w.campaign([]string{a}, people, nil)
		err := w.db.Update(context.Background(), func(tx *store.Tx) error {
			return Queue(tx, w.srv.Org, []*Job{{Kind: Campaign, Batch: b, AccountID: a, RecipientID: people[1]}})
		})
		if !store.Duplicate(err, "pair") {
			t.Errorf("queued twice: %v", err)
		}
		if err := w.db.Update(context.Background(), func(tx *store.Tx) error {
			return Queue(tx, w.srv.Org, []*Job{{Kind: Campaign, Batch: b, RecipientID: people[1]}})
		}); err == nil {
			t.Error("a job waits for no account")
		}
	})
}
