package hook

import (
	"context"
	"testing"
	"time"

	"svc/app/event"
	"svc/app/org"
	"svc/store"
	"svc/store/queue"
	"svc/store/queue/queuetest"
)

func (w *world) tasks(state queue.State) (list []queue.Job) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		list = queuetest.Tasks(w.t, tx, w.s, Backlog, state)
		return nil
	})
	return list
}

// TestTasks: the deliveries of all organizations that wait, as administrators see them;
// they let one be tried at once, and end it.
func TestTasks(t *testing.T) {
	bubble(t, func(w *world) {
		first := w.hook("https://a.example/1", "recipient.*")
		second := w.hook("https://a.example/2", "recipient.*")
		ours := w.srv.Org
		theirs := w.newOrg(org.Enterprise)
		w.srv.Org = theirs
		third := w.hook("https://b.example/3", "recipient.*")
		w.answers(func(_ context.Context, s sent) Answer { return failing(t.Context(), s) })
		w.run()
		w.emit(event.RecipientOptedOut, 3)
		w.srv.Org = ours
		w.emit(event.RecipientOptedOut, 2)
		w.settle()
		if list := w.tasks(queue.Pending); len(list) != 0 {
			t.Errorf("%+v wait for a first attempt", list)
		}
		of := map[string]int{}
		list := w.tasks(queue.Retry)
		for _, task := range list {
			of[task.Org+" "+task.Resource]++
			if task.Kind != "webhook.deliver" || task.Attempts != 1 || task.MaxAttempts != maxAttempts || task.LastError != "STATUS" || task.LastFailedAt.IsZero() || !task.At.After(w.db.Now()) {
				t.Errorf("%+v", task)
			}
		}
		if of[ours+" "+first] != 2 || of[ours+" "+second] != 2 || of[theirs+" "+third] != 3 || len(list) != 7 {
			t.Errorf("tasks %v", of)
		}
		w.take()

		// One is tried at once, instead of ten seconds later; one is never tried again.
		w.answers(nil)
		w.update(func(tx *store.Tx) error { return w.s.RetryTask(tx, list[0]) })
		if got := w.take(); len(got) != 1 || got[0].header["X-Svc-Delivery"] != list[0].ID {
			t.Errorf("%d attempts at once", len(got))
		}
		w.update(func(tx *store.Tx) error { return w.s.DropTask(tx, list[1]) })
		w.after(time.Hour)
		if got := w.take(); len(got) != 5 {
			t.Errorf("%d attempts, want 5", len(got))
		}
		w.update(func(tx *store.Tx) error {
			d, err := deliveries.Get(tx, list[1].Org, list[1].ID)
			if d.Status != Cancelled {
				t.Errorf("the task that was dropped is %s", d.Status)
			}
			for _, id := range []string{list[0].ID, list[1].ID, w.db.NewID("dlv"), "nonsense"} {
				if _, err := w.s.Task(tx, id); !store.IsNotFound(err) {
					t.Errorf("%s: %v", id, err)
				}
			}
			return err
		})
		if n := len(w.tasks(queue.Retry)); n != 0 {
			t.Errorf("%d are left", n)
		}
	})
}

// TestWaitingTasks: those whose first attempt has not begun are pending.
func TestWaitingTasks(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://a.example/1", "recipient.*")
		w.answers(hanging)
		w.run()
		w.emit(event.RecipientOptedOut, 20)
		w.settle()
		list := w.tasks(queue.Pending)
		if len(list) != 20 || list[19].Resource != id || list[19].Attempts != 0 {
			t.Fatalf("%d wait", len(list))
		}
		w.update(func(tx *store.Tx) error {
			got, err := w.s.Task(tx, list[19].ID)
			if got.State != queue.Pending {
				t.Errorf("%+v", got)
			}
			return err
		})
	})
}
