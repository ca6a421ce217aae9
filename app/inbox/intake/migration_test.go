package intake

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"svc/app/account"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/recipient"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestMigration: what an account kept before there was an inbox becomes conversations, in
// order, sealed, neither unread nor waiting; what was deleted stays so.
func TestMigration(t *testing.T) {
	type before struct {
		ID          string `json:"id"`
		MessengerID int64  `json:"messenger_id"`
	}
	accounts := store.NewTable("account", "acc", func(a *before) string { return a.ID })
	path := filepath.Join(t.TempDir(), "a.db")
	old := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{accounts, oldMessages}})
	org, ours := old.NewID("org"), old.NewID("acc")
	at := old.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	err := old.Update(t.Context(), func(tx *store.Tx) error {
		if err := accounts.Insert(tx, org, &before{ours, 700}); err != nil {
			return err
		}
		for i := range 450 { // more than one step
			m := keptByAccount{
				ID: ours + ":" + time.Duration(1000+i).String(), Account: ours, MessageID: i + 1, PeerID: int64(9 + i%2), Out: i%3 == 2,
				At: at.Add(time.Duration(i) * time.Second),
			}
			if i == 0 {
				m.DeletedAt = at.Add(time.Minute)
			} else if err := oldContent.Set(tx, org, &m, []byte(`{"text":"words of a customer","raw":"AAAA"}`)); err != nil {
				return err
			}
			if err := oldMessages.Insert(tx, org, &m); err != nil {
				return err
			}
		}
		gone := keptByAccount{ID: "gone", Account: old.NewID("acc"), MessageID: 1, PeerID: 5, At: at}
		return oldMessages.Insert(tx, org, &gone)
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, old)

	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), recipient.Tables(), account.Tables(), conversation.Tables(), Tables())
	db := storetest.OpenWith(t, path, store.Options{Tables: tables, Migrations: []store.Migration{Migration}})
	storetest.View(t, db, func(tx *store.Tx) error {
		if n, err := oldMessages.Count(tx, org); err != nil || n != 0 {
			t.Errorf("%d messages are left, %v", n, err)
		}
		found := 0
		for _, person := range []string{"9", "10"} {
			k, err := conversation.Of(tx, org, channel.OnMessenger, "700", person)
			if err != nil {
				return err
			}
			if k.Unread != 0 || !k.WaitingSince.IsZero() || k.Imported || k.LastInAt.IsZero() || k.AccountID != ours {
				t.Errorf("%+v", k)
			}
			list, more, err := conversation.Older(tx, org, k.ID, "", 500)
			if err != nil || more {
				return err
			}
			found += len(list)
			for i := range list {
				c, err := list[i].Open(db, org)
				if err != nil {
					return err
				}
				gone := list[i].PlatformID() == "1"
				if gone != !list[i].DeletedAt.IsZero() || !gone && c.Text != "words of a customer" || i > 0 && !list[i].At.After(list[i-1].At) {
					t.Errorf("%+v %q", list[i], c.Text)
				}
			}
		}
		if found != 450 {
			t.Errorf("%d messages", found)
		}
		list, err := event.After(tx, org, "", 10)
		if len(list) != 0 {
			t.Errorf("%d events", len(list))
		}
		return err
	})
	storetest.Close(t, db)
	if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte("words of a customer")) {
		t.Errorf("the file shows what people wrote (%v)", err)
	}
}

// TestRetention: what is older than the organization keeps it is forgotten, its row stays.
func TestRetention(t *testing.T) {
	h := newEnv(t)
	p := person(4)
	old := h.say(p, "old words")
	old.At = h.db.Now().Add(-48 * time.Hour)
	old.File = &channel.IncomingFile{Kind: channel.Voice, Size: 5}
	h.arrive(old)
	h.arrive(h.say(p, "new words"))
	var files []string
	h.update(func(tx *store.Tx) (err error) {
		_, files, err = conversation.PurgeBefore(tx, h.Org, h.db.Now().Add(-24*time.Hour), 10)
		return err
	})
	_, said, list := h.of(p)
	if !slices.Equal(said, []string{"", "new words"}) || !list[0].Purged || len(list[0].Files) != 0 || len(files) != 1 {
		t.Errorf("%q %+v %v", said, list[0], files)
	}
	h.update(func(tx *store.Tx) error {
		n, _, err := conversation.PurgeBefore(tx, h.Org, h.db.Now().Add(-24*time.Hour), 10)
		if n != 0 {
			t.Errorf("%d are purged again", n)
		}
		return err
	})
	old.Text, old.EditedAt = "edited later", h.db.Now()
	h.edit(old)
	if _, said, _ = h.of(p); said[0] != "" {
		t.Error("an edit brings back what was purged")
	}
}
