package support_test

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/app/session/support"
	"svc/store"
)

// TestSupportSession: an administrator asks for a look, uses the link once, looks,
// changes nothing and leaves; the organization sees all of it.
func TestSupportSession(t *testing.T) {
	h := sessiontest.New(t)
	admin, b := h.Signup("admin@example.com", "Platform"), h.Signup("olga@example.com", "Acme")
	theirs := b.Do("GET /me", nil).String("organization.id")
	call := func() *api.Call {
		c := api.NewCall(t.Context(), nil)
		c.Now, c.IP = h.DB.Now(), "192.0.2.9"
		if err := h.S.Identify(c, admin.Cred); err != nil {
			t.Fatal(err)
		}
		return c
	}
	open := func(token string, minutes int) (s support.Session, err error) {
		err = h.DB.Update(t.Context(), func(tx *store.Tx) (err error) {
			s, err = support.Open(tx, call(), theirs, "they asked about an import", minutes, token)
			return err
		})
		return s, err
	}
	use := func(token string) error {
		return h.DB.Update(t.Context(), func(tx *store.Tx) error {
			err := session.UseSupportLink(tx, call(), token)
			return err
		})
	}
	for _, minutes := range []int{0, 241} {
		if _, err := open("x", minutes); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%d minutes: %v", minutes, err)
		}
	}
	undone := errors.New("undone")
	for letters, want := range map[int]error{500: undone, 501: api.ErrInvalid} { // of two bytes each
		err := h.DB.Update(t.Context(), func(tx *store.Tx) error {
			_, err := support.Open(tx, call(), theirs, strings.Repeat("ж", letters), 30, "y")
			return cmp.Or(err, undone)
		})
		if !errors.Is(err, want) {
			t.Errorf("a reason of %d letters: %v", letters, err)
		}
	}
	s, err := open("link-1", 30)
	if err != nil {
		t.Fatal(err)
	}
	list := func() string {
		return b.Do("GET /organization/support-sessions", nil).Want(200).String("data.0.status")
	}
	if got := list(); got != "PENDING" {
		t.Errorf("before the link was used: %s", got)
	}
	if err := use("another"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another link: %v", err)
	}
	if err := use("link-1"); err != nil {
		t.Fatal(err)
	}
	if err := use("link-1"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the link works twice: %v", err)
	}
	c := call()
	if c.Org != theirs || c.Caller.Support != s.ID {
		t.Fatalf("he looks at %s in %q", c.Org, c.Caller.Support)
	}
	const path = "/api/v1/recipients/rcp_01arz3ndektsv4rrffq69g5fav/history"
	for range 2 {
		if err := support.New(h.DB).Accessed(c, "GET", path); err != nil {
			t.Fatal(err)
		}
	}
	seen := b.Do("GET /organization/support-sessions/"+s.ID+"/accesses", nil).Want(200)
	if seen.Int("total") != 2 || seen.String("data.0.path") != path || seen.String("data.0.resource.type") != "recipient" || seen.String("data.0.ip") != "192.0.2.9" {
		t.Error(seen.Body)
	}
	row := b.Do("GET /organization/support-sessions", nil).Want(200)
	if row.String("data.0.status") != "ACTIVE" || row.Int("data.0.accesses_count") != 2 || row.String("data.0.organization.name") != "Acme" ||
		row.String("data.0.reason") != "they asked about an import" {
		t.Error(row.Body)
	}
	admin.Do("POST /me/support/end", nil).Want(204)
	if got := list(); got != "ENDED" {
		t.Errorf("after he left: %s", got)
	}
	b.Do("GET /organization/support-sessions/ssn_01arz3ndektsv4rrffq69g5fav/accesses", nil).Refused(api.ErrNotFound)

	if _, err := open("link-2", 30); err != nil {
		t.Fatal(err)
	}
	h.Clock.Add(5 * time.Minute)
	if err := use("link-2"); !errors.Is(err, store.ErrNotFound) || list() != "EXPIRED" {
		t.Errorf("an old link: %v, %s", err, list())
	}
}
