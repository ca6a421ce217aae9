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
	"svc/app/session/sessiontest"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

func TestLastUse(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "k"})
	created := h.DB.Now()
	h.Clock.Add(time.Hour)
	k.Works(true)
	b.Works(true)
	at := h.DB.Now().Format(time.RFC3339)
	if a := b.Do("GET /api-keys", nil); a.String("data.0.last_used_at") != at || a.String("data.0.last_used_ip") != "192.0.2.1" {
		t.Errorf("before it is written down: %s", a.Body)
	}
	if err := h.S.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Clock.Add(time.Hour)
	if a := b.Do("GET /api-keys", nil); a.String("data.0.last_used_at") != at || a.String("data.0.last_used_ip") != "192.0.2.1" {
		t.Error(a.Body)
	}
	a := b.Do("GET /me/sessions", nil)
	if a.String("data.0.last_used_at") != at || a.String("data.0.created_at") != created.Format(time.RFC3339) {
		t.Error(a.Body)
	}
	// What ended meanwhile is no error, and keeps nothing else from being written.
	b.Do("POST /auth/logout", nil).Want(204)
	k.Works(true)
	if err := h.S.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	// What cannot be written is kept for the next time.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	h.Clock.Add(time.Hour)
	k.Works(true)
	if err := h.S.Flush(gone); err == nil {
		t.Fatal("it wrote with a context that had ended")
	}
	if err := h.S.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.Login("a@example.com")
	if a := b.Do("GET /api-keys", nil); a.String("data.0.last_used_at") != h.DB.Now().Format(time.RFC3339) {
		t.Error(a.Body)
	}
}

// TestRun: uses are written once a minute, and at the end.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: sessiontest.Tables(), Now: time.Now})
		h := sessiontest.On(t, db, nil)
		b := h.Signup("a@example.com", "A")
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
		go func() { done <- h.S.Run(ctx) }()
		<-time.After(10 * time.Second)
		b.Works(true)
		<-time.After(49 * time.Second)
		if !last().Equal(opened) {
			t.Error("written before a minute is over")
		}
		<-time.After(2 * time.Second)
		synctest.Wait()
		if got := last().Sub(opened); got != 10*time.Second {
			t.Errorf("after a minute the last use is %v after the first", got)
		}
		b.Works(true)
		stop()
		if err := <-done; err != nil || last().Sub(opened) != 61*time.Second {
			t.Errorf("at the end: %v, %v", err, last().Sub(opened))
		}
	})
}

func TestSweep(t *testing.T) {
	h := sessiontest.New(t)
	h.Srv = apitest.New(t, h.DB, h.Orgs, h.S, h.Keys, notify.New(h.DB))
	b := h.Signup("a@example.com", "A")
	for range 3 {
		session.OpenFor(t, h.DB, "a@example.com")
	}
	b.Key(map[string]any{"name": "soon", "expires_in_days": 8})
	b.Key(map[string]any{"name": "late", "expires_in_days": 300})
	revoked, _ := b.Key(map[string]any{"name": "revoked", "expires_in_days": 8})
	b.Do("DELETE /api-keys/"+revoked, nil).Want(204)
	sweep := func(sessions, notices int) {
		t.Helper()
		if err := h.S.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := session.Sessions(t, h.DB); n != sessions {
			t.Errorf("%d sessions are left, want %d", n, sessions)
		}
		b.Cred.Cookie = session.OpenFor(t, h.DB, "a@example.com")
		a := b.Do("GET /notifications", nil).Want(200)
		if a.Int("total") != notices || notices > 0 && (a.String("data.0.kind") != "API_KEY_EXPIRING" || a.Int("data.0.count") != 1) {
			t.Errorf("want %d notices: %s", notices, a.Body)
		}
		b.Do("POST /auth/logout", nil).Want(204)
	}
	sweep(4, 0)
	h.Clock.Add(25 * time.Hour)
	sweep(4, 1)
	sweep(4, 1)
	h.Clock.Add(13 * 24 * time.Hour)
	sweep(0, 1)
}

// TestJob: the sweep is a job that goes on, and one however often it is asked for.
func TestJob(t *testing.T) {
	h := sessiontest.New(t)
	h.Update(session.Schedule)
	h.Update(session.Schedule)
	w := queue.New(h.DB, queue.Options{})
	h.S.Work(w)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- w.Run(ctx) }()
	for {
		var list []queue.Job
		if err := h.DB.View(t.Context(), func(tx *store.Tx) (err error) {
			list, _, err = queue.List(tx, queue.Maintenance, queue.Scheduled, 0, 10)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 && list[0].Kind == "session.sweep" && list[0].At.Equal(h.DB.Now().Add(time.Hour)) {
			break
		}
		runtime.Gosched()
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
