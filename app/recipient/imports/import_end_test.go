package imports_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/event"
	"svc/app/recipient"
	"svc/app/recipient/imports"
	"svc/app/recipient/recipienttest"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestSecondImport: one at a time; who disconnects stops nothing.
func TestSecondImport(t *testing.T) {
	h := recipienttest.New(t) // nobody works yet
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		h.DoContext(ctx, "POST /recipients/import", `{"records":[{"username":"olga"}]}`)
	}()
	wake, stop := h.DB.Listen("queue")
	defer stop()
	<-wake
	if a := h.Do("GET /recipient-imports", nil).Want(200); a.String("data.0.status") != "RUNNING" || a.At("data.0.finished_at") != nil {
		t.Errorf("while it runs: %s", a.Body)
	}
	h.Upload("username\nivan\n", nil).Refused(imports.ErrRunning)
	h.Upload("username\nivan\n", map[string]string{"dry_run": "true"}).Want(200)
	leave()
	<-gone
	h.Work().Idle()
	h.Find("olga")
	h.Upload("username\nivan\n", nil).Want(201)
}

// TestAbandonedImport: an import whose job an administrator discarded has failed,
// and the next one begins.
func TestAbandonedImport(t *testing.T) {
	h := recipienttest.New(t)
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		h.DoContext(ctx, "POST /recipients/import", `{"records":[{"username":"olga"}]}`)
	}()
	wake, stop := h.DB.Listen("queue")
	defer stop()
	<-wake
	leave()
	<-gone
	h.Update(func(tx *store.Tx) error {
		list, _, err := queue.List(tx, queue.Imports, queue.Pending, 0, 10)
		if err != nil {
			return err
		}
		return queue.Discard(tx, list[0].ID)
	})
	h.Work()
	h.Upload("username\nivan\n", nil).Want(201)
	if a := h.Do("GET /recipient-imports", nil).Want(200); a.String("data.0.status") != "DONE" || a.String("data.1.status") != "FAILED" {
		t.Errorf("imports: %s", a.Body)
	}
}

// TestProgress: told at most once a second.
func TestProgress(t *testing.T) {
	const step = 400 * time.Millisecond
	clock := recipienttest.NewTicking(storetest.NewClock().Now(), step)
	h := recipienttest.In(t, storetest.OpenWith(t, "", store.Options{Tables: recipienttest.Tables(), Now: clock.Now}), nil).Work()
	var b strings.Builder
	b.WriteString("messenger_id,consent\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "%d,OPTED_IN\n", i+1)
	}
	h.Upload(b.String(), nil).Want(201)
	var last time.Time
	events := h.Events(event.RecipientImportProgress)
	if len(events) == 0 {
		t.Error("no progress")
	}
	processed := 0
	for _, e := range events {
		var data struct{ Processed, Total int }
		if err := json.Unmarshal(e.Data, &data); err != nil || data.Total != 5000 || data.Processed <= processed {
			t.Errorf("%s %v", e.Data, err)
		}
		processed = data.Processed
		if e.Timestamp.Sub(last) < time.Second-step*5 {
			t.Errorf("progress at %s and at %s", last, e.Timestamp)
		}
		last = e.Timestamp
	}
}

// TestFailedImport: what cannot go on is tried again, then given up; what was
// imported stays, and the next import begins.
func TestFailedImport(t *testing.T) {
	h := recipienttest.New(t)
	var broken atomic.Bool
	broken.Store(true)
	signal.On(h.Bus, func(*store.Tx, *api.Call, recipient.OptedOut) error {
		if broken.Load() {
			return errors.New("a subscriber fails")
		}
		return nil
	})
	h.Work()
	var b strings.Builder
	b.WriteString("messenger_id,consent\n")
	for i := range 2500 {
		fmt.Fprintf(&b, "%d,OPTED_IN\n", i+1)
	}
	b.WriteString("9999,OPTED_OUT\n")
	answers := make(chan apitest.Answer)
	go func() { answers <- h.Upload(b.String(), nil) }()
	wake, stop := h.DB.Listen("queue")
	defer stop()
	for {
		select {
		case a := <-answers:
			a.Refused(imports.ErrFailed)
			list := h.Do("GET /recipient-imports", nil).Want(200)
			stay := list.Int("data.0.report.created") // whole batches
			if list.String("data.0.status") != "FAILED" || stay == 0 || stay >= 2501 || list.String("data.0.finished_at") == "" {
				t.Errorf("the import: %s", list.Body)
			}
			if n := h.Do("GET /recipients", nil).Int("total"); n != stay {
				t.Errorf("%d recipients stay, want %d", n, stay)
			}
			broken.Store(false)
			if a := h.Upload(b.String(), nil).Want(201); a.Int("created") != 2501-stay || a.Int("updated") != stay {
				t.Errorf("the next import: %s", a.Body)
			}
			return
		case <-wake:
			h.Update(retryAll) // do not wait for the backoff
		}
	}
}

func retryAll(tx *store.Tx) error {
	list, _, err := queue.List(tx, queue.Imports, queue.Retry, 0, 10)
	for _, j := range list {
		if err == nil {
			err = queue.RetryNow(tx, j.ID)
		}
	}
	return err
}
