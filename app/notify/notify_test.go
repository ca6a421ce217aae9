package notify_test

import (
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/app/notify"
	"svc/store"
	"svc/store/storetest"
)

func send(t *testing.T, db *store.DB, org string, n notify.Notice) {
	t.Helper()
	if err := db.Update(t.Context(), func(tx *store.Tx) error { return notify.Send(tx, org, n) }); err != nil {
		t.Fatal(err)
	}
}

func as(role perm.Role, user string) func(*api.Call) {
	return func(c *api.Call) {
		c.Caller.ID, c.Caller.Role, c.Caller.Perms = user, role, role.Permissions()
	}
}

func setup(t *testing.T) (*store.DB, *storetest.Clock, *apitest.Server) {
	t.Helper()
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: notify.Tables(), Now: clock.Now})
	return db, clock, apitest.New(t, db, notify.New(db))
}

// TestWhoSees: the permission of the kind decides, or the person it is for.
func TestWhoSees(t *testing.T) {
	db, _, s := setup(t)
	send(t, db, s.Org, notify.Notice{Kind: "WEBHOOK_DISABLED", Title: "a", Resource: &notify.Resource{Type: "webhook", ID: "whk_1"}, Link: "/webhooks/whk_1"})
	send(t, db, s.Org, notify.Notice{Kind: "SUPPORT_SESSION_STARTED", Title: "b"})
	send(t, db, s.Org, notify.Notice{Kind: "IMPORT_FINISHED", Title: "c", User: "usr_ann"})
	for _, tt := range []struct {
		role perm.Role
		user string
		want int
	}{
		{perm.Owner, "usr_olga", 2}, {perm.Admin, "usr_adam", 2}, {perm.Manager, "usr_ann", 2}, {perm.Operator, "usr_ann", 1},
		{perm.Operator, "usr_oleg", 0}, {perm.Analyst, "usr_anna", 1},
	} {
		s.As = as(tt.role, tt.user)
		if got := s.Do("GET /notifications", nil).Want(200); got.Int("total") != tt.want || got.Int("unread_count") != tt.want {
			t.Errorf("%s %s sees %s, want %d", tt.role, tt.user, got.Body, tt.want)
		}
	}
	if err := db.Update(t.Context(), func(tx *store.Tx) error { return notify.Send(tx, s.Org, notify.Notice{Kind: "NO_SUCH"}) }); err == nil {
		t.Error("a kind that is not in the table was sent")
	}
}

func TestReading(t *testing.T) {
	db, _, s := setup(t)
	for _, id := range []string{"1", "2", "3"} {
		send(t, db, s.Org, notify.Notice{Kind: "CAMPAIGN_COMPLETED", Title: id, Resource: &notify.Resource{Type: "campaign", ID: "cmp_" + id}})
	}
	list := s.Do("GET /notifications", nil).Want(200)
	first := list.String("data.0.id")
	got := s.Do("POST /notifications/read", map[string]any{"ids": []string{first, first, "ntf_none"}}).Want(200)
	if got.Int("updated") != 1 || got.Int("unread_count") != 2 {
		t.Errorf("read one: %s", got.Body)
	}
	if got := s.Do("POST /notifications/read", map[string]any{"ids": []string{first}}).Want(200); got.Int("updated") != 0 {
		t.Errorf("read again: %s", got.Body)
	}
	if got := s.Do("GET /notifications?unread=true", nil).Want(200); got.Int("total") != 2 || got.Int("unread_count") != 2 {
		t.Errorf("unread: %s", got.Body)
	}
	s.As = as(perm.Admin, "usr_adam")
	if got := s.Do("GET /notifications?unread=true", nil).Want(200); got.Int("total") != 3 {
		t.Errorf("somebody else's reading counts: %s", got.Body)
	}
	if got := s.Do("POST /notifications/read", `{"all":true}`).Want(200); got.Int("updated") != 3 || got.Int("unread_count") != 0 {
		t.Errorf("read all: %s", got.Body)
	}
	s.Do("POST /notifications/read", `{}`).Refused(api.ErrInvalid)
	s.Do("POST /notifications/read", `{"all":true,"ids":["x"]}`).Refused(api.ErrInvalid)
	// What another may not see, he cannot read away.
	s.As = as(perm.Operator, "usr_oleg")
	send(t, db, s.Org, notify.Notice{Kind: "SUPPORT_SESSION_STARTED", Title: "b"})
	s.As = nil
	hidden := s.Do("GET /notifications?unread=true", nil).String("data.0.id")
	s.As = as(perm.Operator, "usr_oleg")
	if got := s.Do("POST /notifications/read", map[string]any{"ids": []string{hidden}}).Want(200); got.Int("updated") != 0 {
		t.Errorf("an operator read %s", hidden)
	}
}

// TestSettled: what is over presses nobody, and stays unread; when it comes again it presses
// again.
func TestSettled(t *testing.T) {
	db, clock, s := setup(t)
	pressing := func() (kinds []notify.Kind) {
		t.Helper()
		c := api.Call{Context: t.Context(), Org: s.Org}
		as(perm.Owner, "usr_olga")(&c)
		err := db.View(t.Context(), func(tx *store.Tx) error {
			list, err := notify.Pressing(tx, &c, 20)
			for _, a := range list {
				kinds = append(kinds, a.Kind)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return kinds
	}
	on := func(id string) *notify.Resource { return &notify.Resource{Type: "account", ID: id} }
	restricted := notify.Notice{Kind: "ACCOUNT_RESTRICTED", Title: "a", Resource: on("acc_1")}
	send(t, db, s.Org, restricted)
	send(t, db, s.Org, notify.Notice{Kind: "ACCOUNT_ERROR", Title: "b", Resource: on("acc_1")})
	send(t, db, s.Org, notify.Notice{Kind: "ACCOUNT_ERROR", Title: "c", Resource: on("acc_10")})
	settle := func() {
		t.Helper()
		if err := db.Update(t.Context(), func(tx *store.Tx) error { return notify.Settle(tx, s.Org, "acc_1") }); err != nil {
			t.Fatal(err)
		}
	}
	settle()
	if got := pressing(); !slices.Equal(got, []notify.Kind{"ACCOUNT_ERROR"}) {
		t.Errorf("%v press, of another account one", got)
	}
	if got := s.Do("GET /notifications?unread=true", nil).Want(200); got.Int("total") != 3 || got.Int("unread_count") != 3 {
		t.Errorf("what is over is not unread: %s", got.Body)
	}
	send(t, db, s.Org, restricted)
	if got := pressing(); !slices.Equal(got, []notify.Kind{"ACCOUNT_RESTRICTED", "ACCOUNT_ERROR"}) {
		t.Errorf("%v press when it came again", got)
	}
	settle()
	clock.Add(2 * time.Hour)
	send(t, db, s.Org, restricted)
	if got := pressing(); len(got) != 2 {
		t.Errorf("%v press when it came again hours later", got)
	}
}

// TestRepeats: a cause that comes again within an hour counts in the unread entry.
func TestRepeats(t *testing.T) {
	db, clock, s := setup(t)
	n := notify.Notice{Kind: "PROXY_UNREACHABLE", Title: "a", Resource: &notify.Resource{Type: "proxy", ID: "prx_1"}}
	send(t, db, s.Org, n)
	clock.Add(59 * time.Minute)
	n.Title = "b"
	send(t, db, s.Org, n)
	other := n
	other.Resource = &notify.Resource{Type: "proxy", ID: "prx_10"}
	send(t, db, s.Org, other)
	list := s.Do("GET /notifications", nil).Want(200)
	if list.Int("total") != 2 || list.Int("data.1.count") != 2 || list.String("data.1.title") != "b" {
		t.Fatalf("%s", list.Body)
	}
	s.Do("POST /notifications/read", `{"all":true}`).Want(200)
	send(t, db, s.Org, n) // read: a new one
	clock.Add(61 * time.Minute)
	send(t, db, s.Org, n) // an hour later: a new one
	if got := s.Do("GET /notifications", nil).Want(200).Int("total"); got != 4 {
		t.Errorf("%d, want 4", got)
	}
	clock.Add(notify.Keep)
	var gone int
	err := db.Update(t.Context(), func(tx *store.Tx) (err error) {
		gone, err = notify.Purge(tx, s.Org, 100)
		return err
	})
	if err != nil || gone != 3 {
		t.Errorf("purged %d, %v", gone, err)
	}
}
