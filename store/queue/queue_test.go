package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
)

func TestJobsRunWhenDue(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		queue.Register(h.w, func(_ context.Context, _ queue.Job, m mail) error { h.note(m.To); return nil })
		h.add(mail{To: "early"}, 0)
		h.run()
		h.add(mail{To: "at 90"}, 90*time.Second)
		h.add(mail{To: "at 30"}, 30*time.Second)
		h.after(40 * time.Second)
		h.add(mail{To: "at once"}, 0)
		err := h.db.Update(context.Background(), func(tx *store.Tx) error {
			if _, err := queue.Add(tx, mail{To: "never"}, time.Time{}); err != nil {
				return err
			}
			return errors.New("rolled back")
		})
		if err == nil {
			t.Error("no error")
		}
		h.after(5 * time.Minute)
		h.expect("early@0", "at 30@30", "at once@40", "at 90@90")
		s := h.stats(queue.Send)
		if s.Processed != 4 || s.Failed != 0 || s.Counts[queue.Done] != 4 || s.LatencyP95 > time.Millisecond {
			t.Errorf("%+v", s)
		}
	})
}

func TestAnswersOfWorkers(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		queue.Register(h.w, func(_ context.Context, j queue.Job, m mail) error {
			h.note(m.To)
			switch m.To {
			case "fails twice":
				if j.Attempts < 3 {
					return errors.New("busy")
				}
			case "snoozes":
				if time.Since(h.now) < time.Minute {
					return queue.Snooze(45 * time.Second)
				}
			case "drops":
				return queue.Drop(errors.New("no such person"))
			case "panics":
				panic("oh")
			case "knows when":
				if j.Attempts == 1 {
					return fmt.Errorf("asked: %w", queue.RetryIn(3*time.Minute, errors.New("429")))
				}
			case "hangs":
				return nil
			}
			return nil
		}, queue.WithBackoff(noWait))
		ids := map[string]string{}
		for _, to := range []string{"fails twice", "snoozes", "drops", "panics", "knows when"} {
			ids[to] = h.add(mail{To: to}, 0, queue.Attempts(3))
		}
		h.run()
		h.after(10 * time.Minute)
		slices.Sort(h.log)
		h.expect("drops@0", "fails twice@0", "fails twice@10", "fails twice@20", "knows when@0", "knows when@180",
			"panics@0", "panics@10", "panics@20", "snoozes@0", "snoozes@45", "snoozes@90")
		for to, want := range map[string]struct {
			state    queue.State
			attempts int
			err      string
		}{
			"fails twice": {queue.Done, 3, "busy"}, "snoozes": {queue.Done, 1, ""}, "drops": {queue.Archived, 1, "no such person"},
			"panics": {queue.Archived, 3, "panic: oh"}, "knows when": {queue.Done, 2, "429"},
		} {
			if j := h.job(ids[to]); j.State != want.state || j.Attempts != want.attempts || !strings.Contains(j.LastError, want.err) || want.err == "" && j.LastError != "" {
				t.Errorf("%s: %+v", to, j)
			}
		}
		if s := h.stats(queue.Send); s.Failed != 2+1+3+1 || s.Processed != 3 {
			t.Errorf("%+v", s)
		}
	})
}

func TestUnknownKindAndBadArguments(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		id := h.add(call{}, 0)
		h.run()
		h.after(time.Second)
		if j := h.job(id); j.State != queue.Archived || !strings.Contains(j.LastError, `"test.call"`) {
			t.Errorf("%+v", j)
		}
		err := h.db.Update(context.Background(), func(tx *store.Tx) error {
			_, err := queue.Add(tx, mail{To: strings.Repeat("x", 1<<20)}, time.Time{})
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "keep them in a record") {
			t.Errorf("a job with a megabyte of arguments: %v", err)
		}
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	bubble(t, queue.Options{Concurrency: map[queue.Name]int{queue.Send: 3}}, func(h *harness) {
		running, most := 0, 0
		queue.Register(h.w, func(ctx context.Context, _ queue.Job, _ mail) error {
			h.mu.Lock()
			running++
			most = max(most, running)
			h.mu.Unlock()
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			h.mu.Lock()
			running--
			h.mu.Unlock()
			return nil
		})
		for range 20 {
			h.add(mail{}, 0)
		}
		h.run()
		h.after(500 * time.Millisecond)
		if s := h.stats(queue.Send); s.Counts[queue.Active] != 3 || s.Counts[queue.Pending] != 17 || s.OldestPending <= 0 {
			t.Errorf("%+v", s)
		}
		h.after(10 * time.Second)
		if s := h.stats(queue.Send); s.Counts[queue.Done] != 20 || most != 3 || s.LatencyP95 < 5*time.Second || s.LatencyP95 > 11*time.Second {
			t.Errorf("%d at a time, %+v", most, s)
		}
	})
}

func TestLanesRunOneAtATime(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		queue.Register(h.w, func(_ context.Context, j queue.Job, m mail) error {
			h.note(m.To)
			<-time.After(10 * time.Second)
			if m.To == "a1" && j.Attempts == 1 {
				return errors.New("again")
			}
			return nil
		}, queue.WithBackoff(func(int) time.Duration { return time.Hour }))
		h.add(mail{To: "a1"}, 0, queue.InLane("a"))
		h.run()
		h.after(time.Second)
		h.add(mail{To: "b1"}, 0, queue.InLane("b"))
		h.add(mail{To: "a3"}, 2*time.Minute, queue.InLane("a"))
		h.add(mail{To: "a2"}, 0, queue.InLane("a"))
		gone := h.add(mail{To: "a0"}, 0, queue.InLane("a"))
		h.update(func(tx *store.Tx) error { return queue.Discard(tx, gone) })
		h.after(3 * time.Hour)
		h.expect("a1@0", "b1@1", "a2@10", "a3@121", "a1@3610")
	})
}

func TestOnce(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		queue.Register(h.w, func(_ context.Context, _ queue.Job, m mail) error { h.note(m.To); return nil })
		first := h.add(mail{To: "one"}, time.Minute, queue.Once("k"))
		if again := h.add(mail{To: "two"}, 0, queue.Once("k")); again != first {
			t.Errorf("a second job %s beside %s", again, first)
		}
		h.run()
		h.after(2 * time.Minute)
		if later := h.add(mail{To: "three"}, 0, queue.Once("k")); later == first {
			t.Error("the key is taken by a job that is done")
		}
		h.after(time.Second)
		h.expect("one@60", "three@120")
	})
}

// TestInterruptedIsNotFailed: a job that ran when the service stopped runs again,
// and the try does not count.
func TestInterruptedIsNotFailed(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		queue.Register(h.w, func(ctx context.Context, j queue.Job, _ mail) error {
			h.note(fmt.Sprint("try ", j.Attempts))
			<-ctx.Done()
			return ctx.Err()
		}, queue.WithTimeout(time.Hour))
		id := h.add(mail{}, 0)
		h.run()
		h.after(time.Second)
		h.stop()
		if j := h.job(id); j.State != queue.Pending || j.Attempts != 0 || j.LastError != "" {
			t.Errorf("%+v", j)
		}
		h.run()
		h.after(time.Second)
		h.expect("try 1@0", "try 1@1")
	})
}

// TestFinishAndProgress: the work and its result are one change.
func TestFinishAndProgress(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		queue.Register(h.w, func(ctx context.Context, j queue.Job, m mail) error {
			h.note(fmt.Sprint("step ", m.Step))
			err := h.db.Update(ctx, func(tx *store.Tx) error {
				if m.Step == 2 {
					return queue.Finish(tx, j)
				}
				next := m
				next.Step++
				return queue.Progress(tx, j, next)
			})
			if err == nil && m.Step == 2 {
				// What it does after Finish changes nothing.
				return h.db.Update(ctx, func(tx *store.Tx) error {
					if err := queue.Finish(tx, j); err == nil {
						t.Error("a job finished twice")
					}
					return nil
				})
			}
			return queue.Snooze(time.Second)
		})
		id := h.add(mail{}, 0)
		h.run()
		h.after(time.Minute)
		h.expect("step 0@0", "step 1@1", "step 2@2")
		if j := h.job(id); j.State != queue.Done || j.Attempts != 1 {
			t.Errorf("%+v", j)
		}
	})
}

func TestAdministration(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		broken := true
		queue.Register(h.w, func(_ context.Context, _ queue.Job, m mail) error {
			h.note(m.To)
			if broken {
				return queue.Drop(errors.New("broken"))
			}
			return nil
		})
		pause := func(on bool) { h.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Send, on) }) }
		h.run()
		pause(true)
		a := h.add(mail{To: "a"}, 0, queue.For("org_x", "cmp_y"))
		h.after(time.Minute)
		h.expect()
		if s := h.stats(queue.Send); !s.Paused || s.OldestPending != time.Minute {
			t.Errorf("%+v", s)
		}
		pause(false)
		h.after(time.Second)
		h.expect("a@60")
		broken = false
		h.update(func(tx *store.Tx) error {
			list, total, err := queue.List(tx, queue.Send, queue.Archived, 0, 10)
			if err != nil || total != 1 || len(list) != 1 || list[0].ID != a || list[0].Org != "org_x" || list[0].Resource != "cmp_y" {
				t.Errorf("%v of %d: %v", list, total, err)
			}
			if list, total, err := queue.List(tx, queue.Send, queue.Archived, 1, 10); err != nil || total != 1 || len(list) != 0 {
				t.Errorf("behind the end %v of %d: %v", list, total, err)
			}
			return queue.RetryNow(tx, a)
		})
		h.after(time.Second)
		h.expect("a@60", "a@61")
		h.update(func(tx *store.Tx) error {
			if err := queue.RetryNow(tx, a); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("retry of a done job: %v", err)
			}
			if err := queue.Pause(tx, "nothing", true); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("pause of no queue: %v", err)
			}
			return queue.Discard(tx, a)
		})
		if err := h.db.View(context.Background(), func(tx *store.Tx) error { _, err := queue.Get(tx, a); return err }); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a discarded job: %v", err)
		}
	})
}

// TestHistoryIsBounded: done jobs and old hours are forgotten.
func TestHistoryIsBounded(t *testing.T) {
	bubble(t, queue.Options{Concurrency: map[queue.Name]int{queue.Send: 50}}, func(h *harness) {
		queue.Register(h.w, func(context.Context, queue.Job, mail) error { return nil })
		h.run()
		for range 60 {
			h.update(func(tx *store.Tx) error {
				for range 5 {
					if _, err := queue.Add(tx, mail{}, time.Time{}); err != nil {
						return err
					}
				}
				return nil
			})
			h.after(time.Hour)
		}
		if s := h.stats(queue.Send); s.Counts[queue.Done] != 100 || s.Processed != 24*5 {
			t.Errorf("%+v", s)
		}
		queue.CheckHours(t, h.db, 26)
	})
}

func TestBackoffGrowsToAnHour(t *testing.T) {
	for _, c := range []struct {
		failures int
		want     time.Duration
	}{{0, 10 * time.Second}, {1, 10 * time.Second}, {2, 20 * time.Second}, {5, 160 * time.Second}, {9, 2560 * time.Second}, {10, time.Hour}, {1000, time.Hour}} {
		for range 20 {
			if d := queue.Backoff(c.failures); d < c.want*4/5 || d >= c.want*6/5 {
				t.Errorf("after %d failures %s, want about %s", c.failures, d, c.want)
			}
		}
	}
}
