package file

import (
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// env is a service whose files lie in a folder, with one organization.
type env struct {
	*apitest.Server
	t   *testing.T
	db  *store.DB
	s   *Service
	bus *signal.Bus
	dir string
}

func newEnv(t *testing.T) *env {
	h := &env{t: t, bus: &signal.Bus{}, dir: t.TempDir()}
	h.db = storetest.Open(t, slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(),
		recipient.Tables(), conversation.Tables(), content.Tables(), Tables())...)
	h.s = New(h.db, Options{Vault: vault.InFolder(h.dir+"/"+Files, h.db)})
	signal.On(h.bus, h.s.wanted)
	h.Server = apitest.New(t, h.db)
	storetest.Update(t, h.db, func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(t.Context(), "", h.db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		h.Org = made.ID
		return err
	})
	return h
}

// receive stores a photo that a customer sent, on the disk too.
func (h *env) receive(id string) kept {
	h.t.Helper()
	networks := channel.Networks{channel.OnMessenger: &channel.Messenger{Bus: h.bus}}
	at := channel.At{Org: h.Org, Account: "acc_00000000000000000000000001", Owner: "700", Channel: channel.OnMessenger}
	in := channel.Incoming{ID: id, Seq: 1, From: channel.Person{ID: "9"}, At: h.db.Now(), File: &channel.IncomingFile{Kind: channel.Photo, Size: 5}}
	var message string
	storetest.Update(h.t, h.db, func(tx *store.Tx) error {
		if _, err := intake.New(networks, h.bus).Received(tx, at, in); err != nil {
			return err
		}
		m, err := conversation.OfPart(tx, h.Org, at.Owner, id)
		message = m.ID
		return err
	})
	var rec kept
	storetest.View(h.t, h.db, func(tx *store.Tx) error {
		m, err := conversation.GetMessage(tx, h.Org, message)
		if err == nil {
			rec, err = files.Get(tx, h.Org, m.Files[0].ID)
		}
		return err
	})
	rec.Size, rec.Type = 5, "image/jpeg"
	if err := h.s.vault.Write(rec.Vault, []byte("photo")); err != nil {
		h.t.Fatal(err)
	}
	storetest.Update(h.t, h.db, func(tx *store.Tx) error {
		return h.s.stored(tx, fetching{h.Org, at.Account, message, rec.ID}, &rec, "")
	})
	return rec
}

func (h *env) missing() Missing {
	h.t.Helper()
	m, err := FindMissing(h.t.Context(), h.db, vault.Folder{Dir: h.dir}.Place(Files))
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// TestFindMissing: a record whose file, or whose thumbnail, is gone is named; up to ten are.
func TestFindMissing(t *testing.T) {
	h := newEnv(t)
	var all []kept
	for i := range 13 {
		all = append(all, h.receive(string(rune('a'+i))))
	}
	if m := h.missing(); m.Records != 13 || m.Files != 0 || m.First != nil {
		t.Errorf("%+v", m)
	}
	if err := h.s.vault.Remove(all[3].Vault); err != nil {
		t.Fatal(err)
	}
	if m := h.missing(); m.Files != 1 || !slices.Equal(m.First, []string{all[3].ID}) {
		t.Errorf("%+v, want %s", m, all[3].ID)
	}
	storetest.Update(t, h.db, func(tx *store.Tx) error {
		f, err := files.Get(tx, h.Org, all[5].ID)
		f.Thumb = 7 // that nothing is of
		if err == nil {
			err = files.Put(tx, h.Org, &f)
		}
		return err
	})
	if m := h.missing(); m.Files != 2 || !slices.Contains(m.First, all[5].ID) {
		t.Errorf("%+v, want %s too", m, all[5].ID)
	}
	for _, f := range all {
		if err := h.s.vault.Remove(f.Vault); err != nil {
			t.Fatal(err)
		}
	}
	if m := h.missing(); m.Records != 13 || m.Files != 13 || len(m.First) != 10 {
		t.Errorf("%+v", m)
	}
}

// TestSweepOfPurged: a file whose message was purged by a version that left its record goes with
// the next cleaning, from the disk too; that of another message stays.
func TestSweepOfPurged(t *testing.T) {
	h := newEnv(t)
	old, young := h.receive("1"), h.receive("2")
	storetest.Update(t, h.db, func(tx *store.Tx) error {
		n, gone, err := conversation.PurgeBefore(tx, h.Org, h.db.Now().Add(time.Hour), 1)
		if n != 1 || !slices.Equal(gone, []string{old.ID}) {
			t.Errorf("purged %d, with %v", n, gone)
		}
		return err // nobody hears of the files
	})
	if err := h.s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.View(t, h.db, func(tx *store.Tx) error {
		if there, err := files.Has(tx, h.Org, old.ID); err != nil || there {
			t.Errorf("the record is there: %v, %v", there, err)
		}
		if there, err := files.Has(tx, h.Org, young.ID); err != nil || !there {
			t.Errorf("the other is not: %v, %v", there, err)
		}
		return nil
	})
	if err := h.s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := h.missing(); m.Records != 1 || m.Files != 0 {
		t.Errorf("%+v", m)
	}
	if _, err := h.s.vault.Open(old.Vault, old.Size); err == nil {
		t.Error("its file is on the disk")
	}
}
