package send

import (
	"context"
	"slices"
	"testing"
	"time"

	"svc/app/send/sendtest"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
	"svc/store/queue/queuetest"
)

func (w *harness) tasks(state queue.State) (list []queue.Job) {
	w.t.Helper()
	w.view(func(tx *store.Tx) error {
		list = queuetest.Tasks(w.t, tx, w.s, Backlog, state)
		return nil
	})
	return list
}

// TestTasks: what waits and is on its way, of all organizations, as administrators see
// it; they let it be tried at once, and end it.
func TestTasks(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		ours := w.srv.Org
		a := w.account("")
		people := w.people(0, 5)
		k := w.campaign([]string{a}, people, nil)
		w.srv.Org = w.newOrg()
		theirs := w.srv.Org
		b := w.account(`{"min_interval_seconds":4}`)
		others := w.people(10, 3)
		k2 := w.campaign([]string{b}, others, nil)

		waiting := w.tasks(queue.Pending)
		of := map[string]int{}
		seen := map[string]bool{}
		for _, task := range waiting {
			of[task.Org]++
			seen[task.ID] = true
			if task.Kind != "send.campaign" || task.State != queue.Pending || task.Attempts != 0 || task.MaxAttempts != maxAttempts || task.Resource != k && task.Resource != k2 {
				t.Errorf("%+v", task)
			}
		}
		if of[ours] != 5 || of[theirs] != 3 || len(seen) != 8 || len(w.tasks(queue.Active))+len(w.tasks(queue.Retry)) != 0 {
			t.Errorf("%v wait", of)
		}

		// One account has a message on its way, the other does not reach the platform.
		gate := make(chan struct{})
		w.p.Accept(func(ctx context.Context, x sendtest.Accepted) (bool, error) {
			if x.Account == "+998901200001" {
				<-gate
				return true, nil
			}
			return false, fails(messenger.Unreachable, "TRANSPORT", 0)
		})
		w.run()
		w.after(time.Millisecond)
		active, again := w.tasks(queue.Active), w.tasks(queue.Retry)
		if len(active) != 1 || active[0].Org != ours || len(again) != 1 || again[0].Org != theirs || again[0].Attempts != 1 || again[0].LastError == "" || !again[0].LastFailedAt.Equal(w.db.Now().Add(-time.Millisecond)) || !active[0].LastFailedAt.IsZero() || len(w.tasks(queue.Pending)) != 6 {
			t.Fatalf("on their way %+v, tried %+v", active, again)
		}
		for id, want := range map[string]queue.State{active[0].ID: queue.Active, again[0].ID: queue.Retry, w.tasks(queue.Pending)[0].ID: queue.Pending} {
			w.view(func(tx *store.Tx) error {
				got, err := w.s.Task(tx, id)
				if got.State != want || got.ID != id {
					t.Errorf("%s is %s, want %s", id, got.State, want)
				}
				return err
			})
		}

		// Tried as soon as the pace of its account allows, which is after four seconds,
		// instead of after five.
		tries := w.p.Tried()
		w.update(func(tx *store.Tx) error { return w.s.RetryTask(tx, again[0]) })
		w.after(4500 * time.Millisecond)
		if w.p.Tried() != tries+1 || w.tasks(queue.Retry)[0].Attempts != 2 {
			t.Errorf("%d tries more", w.p.Tried()-tries)
		}
		// Ended: nobody sends it, and its campaign was told once.
		w.update(func(tx *store.Tx) error { return w.s.DropTask(tx, again[0]) })
		if got := w.outcomes(again[0].ID); !slices.Equal(got, []Status{Cancelled}) || len(w.tasks(queue.Retry)) != 0 {
			t.Errorf("told %v", got)
		}
		close(gate)
		w.p.Accept(nil)
		w.after(time.Hour)
		w.srv.Org = theirs
		if got := w.totals(k2); got[Delivered] != 2 || got[Cancelled] != 1 {
			t.Errorf("totals %v", got)
		}
		w.srv.Org = ours
		if got := w.totals(k); got[Delivered] != 5 {
			t.Errorf("totals %v", got)
		}
		w.view(func(tx *store.Tx) error {
			for _, id := range []string{again[0].ID, active[0].ID, w.db.NewID("job"), "nonsense"} {
				if _, err := w.s.Task(tx, id); !store.IsNotFound(err) {
					t.Errorf("%s: %v", id, err)
				}
			}
			return nil
		})
	})
}
