package session_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api/apitest"
	"svc/app/notify"
	"svc/app/session"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

func TestLastUse(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	_, k := b.key(map[string]any{"name": "k"})
	created := h.db.Now()
	h.clock.Add(time.Hour)
	k.works(true)
	b.works(true)
	at := h.db.Now().Format(time.RFC3339)
	if a := b.do("GET /api-keys", nil); a.String("data.0.last_used_at") != at || a.String("data.0.last_used_ip") != "192.0.2.1" {
		t.Errorf("before it is written down: %s", a.Body)
	}
	if err := h.s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.clock.Add(time.Hour)
	if a := b.do("GET /api-keys", nil); a.String("data.0.last_used_at") != at || a.String("data.0.last_used_ip") != "192.0.2.1" {
		t.Error(a.Body)
	}
	a := b.do("GET /me/sessions", nil)
	if a.String("data.0.last_used_at") != at || a.String("data.0.created_at") != created.Format(time.RFC3339) {
		t.Error(a.Body)
	}
	// What ended meanwhile is no error, and keeps nothing else from being written.
	b.do("POST /auth/logout", nil).Want(204)
	k.works(true)
	if err := h.s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	// What cannot be written is kept for the next time.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	h.clock.Add(time.Hour)
	k.works(true)
	if err := h.s.Flush(gone); err == nil {
		t.Fatal("it wrote with a context that had ended")
	}
	if err := h.s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.login("a@example.com")
	if a := b.do("GET /api-keys", nil); a.String("data.0.last_used_at") != h.db.Now().Format(time.RFC3339) {
		t.Error(a.Body)
	}
}

// TestRun: uses are written once a minute, and at the end.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: tables(), Now: time.Now})
		h := newHarnessOn(t, db, nil)
		b := h.signup("a@example.com", "A")
		last := func() (at time.Time) {
			err := db.View(t.Context(), func(tx *store.Tx) error {
				list, err := session.Of(tx, "a@example.com")
				at = list[0].LastUsedAt
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		opened := last()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- h.s.Run(ctx) }()
		<-time.After(10 * time.Second)
		b.works(true)
		<-time.After(49 * time.Second)
		if !last().Equal(opened) {
			t.Error("written before a minute is over")
		}
		<-time.After(2 * time.Second)
		synctest.Wait()
		if got := last().Sub(opened); got != 10*time.Second {
			t.Errorf("after a minute the last use is %v after the first", got)
		}
		b.works(true)
		stop()
		if err := <-done; err != nil || last().Sub(opened) != 61*time.Second {
			t.Errorf("at the end: %v, %v", err, last().Sub(opened))
		}
	})
}

func TestSweep(t *testing.T) {
	h := newHarness(t)
	h.srv = apitest.New(t, h.db, h.orgs, h.s, notify.New(h.db))
	b := h.signup("a@example.com", "A")
	for range 3 {
		session.OpenFor(t, h.db, "a@example.com")
	}
	b.key(map[string]any{"name": "soon", "expires_in_days": 8})
	b.key(map[string]any{"name": "late", "expires_in_days": 300})
	revoked, _ := b.key(map[string]any{"name": "revoked", "expires_in_days": 8})
	b.do("DELETE /api-keys/"+revoked, nil).Want(204)
	sweep := func(sessions, notices int) {
		t.Helper()
		if err := h.s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := session.Sessions(t, h.db); n != sessions {
			t.Errorf("%d sessions are left, want %d", n, sessions)
		}
		b.cred.Cookie = session.OpenFor(t, h.db, "a@example.com")
		a := b.do("GET /notifications", nil).Want(200)
		if a.Int("total") != notices || notices > 0 && (a.String("data.0.kind") != "API_KEY_EXPIRING" || a.Int("data.0.count") != 1) {
			t.Errorf("want %d notices: %s", notices, a.Body)
		}
		b.do("POST /auth/logout", nil).Want(204)
	}
	sweep(4, 0)
	h.clock.Add(25 * time.Hour)
	sweep(4, 1)
	sweep(4, 1)
	h.clock.Add(13 * 24 * time.Hour)
	sweep(0, 1)
}

// TestJob: the sweep is a job that goes on, and one however often it is asked for.
func TestJob(t *testing.T) {
	h := newHarness(t)
	h.update(session.Schedule)
	h.update(session.Schedule)
	w := queue.New(h.db, queue.Options{})
	h.s.Work(w)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- w.Run(ctx) }()
	for {
		var list []queue.Job
		if err := h.db.View(t.Context(), func(tx *store.Tx) (err error) {
			list, _, err = queue.List(tx, queue.Maintenance, queue.Scheduled, 0, 10)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 && list[0].Kind == "session.sweep" && list[0].At.Equal(h.db.Now().Add(time.Hour)) {
			break
		}
		runtime.Gosched()
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
