package file

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/user"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// timed is a service whose clock the test turns, with one organization.
func timed(t *testing.T) (*Service, *storetest.Clock, string) {
	t.Helper()
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, t.TempDir()+"/test.db", store.Options{Now: clock.Now, Tables: slices.Concat(queue.Tables(), audit.Tables(), event.Tables(),
		setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), conversation.Tables(), content.Tables(), Tables())})
	id := ""
	storetest.Update(t, db, func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		id = made.ID
		return err
	})
	return New(db, Options{Vault: vault.InFolder(t.TempDir(), db)}), clock, id
}

// TestLinkLives: a link holds for ten minutes, for its file alone, and nobody makes it hold longer.
func TestLinkLives(t *testing.T) {
	s, clock, _ := timed(t)
	const id = "fil_00000000000000000000000001"
	link, err := Link(s.db, id)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil || path.Base(u.Path) != id {
		t.Fatal(link, err)
	}
	good := linkIn{ID: id, Exp: u.Query().Get("exp"), Sig: u.Query().Get("sig")}
	exp, err := strconv.ParseInt(good.Exp, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	far, err := signature(s.db, id, exp+1)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]linkIn{
		"another file": {ID: "fil_00000000000000000000000002", Exp: good.Exp, Sig: good.Sig}, "a later end": {ID: id, Exp: fmt.Sprint(exp + 60), Sig: good.Sig},
		"no signature": {ID: id, Exp: good.Exp}, "half a signature": {ID: id, Exp: good.Exp, Sig: good.Sig[:32]}, "no end": {ID: id, Sig: good.Sig},
		"no number": {ID: id, Exp: "soon", Sig: good.Sig}, "a life of more than ten minutes": {ID: id, Exp: fmt.Sprint(exp + 1), Sig: far},
	} {
		if err := s.checkLink(&x); err == nil {
			t.Errorf("a link with %s holds", name)
		}
	}
	if err := s.checkLink(&good); err != nil {
		t.Errorf("a new link: %v", err)
	}
	clock.Add(linkLife - time.Second)
	if err := s.checkLink(&good); err != nil {
		t.Errorf("after 9 minutes 59: %v", err)
	}
	clock.Add(time.Second)
	if err := s.checkLink(&good); err == nil {
		t.Error("after 10 minutes it holds")
	}
}

// TestExpiredUploads: the file of an upload that nobody used goes after a day, with its share of
// the plan; that it expired is known for ninety days more, and then nothing.
func TestExpiredUploads(t *testing.T) {
	s, clock, id := timed(t)
	const size = 3 << 20
	storetest.Update(t, s.db, func(tx *store.Tx) error {
		f := kept{ID: "upl_00000000000000000000000001", Conversation: "cnv_1", Kind: "DOCUMENT", Stored: true, Size: size, Vault: "there", Expires: s.db.Now().Add(UploadLife)}
		if err := content.AddStorage(tx, id, size); err != nil {
			return err
		}
		return uploads.Insert(tx, id, &f)
	})
	after := func(d time.Duration, removed, rows, jobs int) {
		t.Helper()
		clock.Add(d)
		storetest.Update(t, s.db, func(tx *store.Tx) error {
			n, err := s.expire(tx, id, 10)
			left, failed := uploads.Count(tx, id)
			if err != nil || failed != nil || n != removed || left != rows {
				t.Errorf("%d were looked at, want %d; %d are left, want %d (%v, %v)", n, removed, left, rows, err, failed)
			}
			return nil
		})
		waiting := 0
		storetest.View(t, s.db, func(tx *store.Tx) (err error) {
			_, waiting, err = queue.List(tx, queue.Media, queue.Pending, 0, 10)
			return err
		})
		if waiting != jobs {
			t.Errorf("%d files are to be removed, want %d", waiting, jobs)
		}
	}
	after(UploadLife-time.Second, 0, 1, 0)
	after(2*time.Second, 1, 1, 1)
	after(time.Hour, 0, 1, 1)
	after(expiredKept-2*time.Hour, 0, 1, 1)
	after(2*time.Hour, 1, 0, 1)
}
