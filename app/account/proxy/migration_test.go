package proxy

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"svc/app/account/line"
	"svc/messenger"
	"svc/store"
	"svc/store/offline"
	"svc/store/storetest"
)

// TestUsersOfProxiesAreSealed: a database of a version that kept users as they are is
// migrated; a proxy is still found by its user, and once the free pages are gone nobody
// finds one in the file (contract 21.3, Keys).
func TestUsersOfProxiesAreSealed(t *testing.T) {
	type before struct {
		ID          string              `json:"id"`
		Type        messenger.RouteKind `json:"type"`
		Host        string              `json:"host"`
		Port        int                 `json:"port"`
		Username    string              `json:"username,omitempty"`
		Secret      store.Sealed        `json:"secret,omitzero"`
		HasPassword bool                `json:"has_password,omitempty"`
		Status      Status              `json:"status"`
		CreatedAt   time.Time           `json:"created_at"`
	}
	path := filepath.Join(t.TempDir(), "a.db")
	table := store.NewTable("proxy", "prx", func(p *before) string { return p.ID })
	seal := table.Sealed("secret", func(p *before) *store.Sealed { return &p.Secret })
	table.Unique("address", func(p *before) store.Key {
		return store.Tuple(store.Text(string(p.Type)), store.Text(p.Host), store.Int(int64(p.Port)), store.Text(p.Username))
	})
	old := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{table}})
	org := old.NewID("org")
	want := line.Proxy{Type: messenger.SOCKS5, Host: "proxy.example.uz", Port: 1080, Username: "olga-from-tashkent", Password: "secret"}
	err := old.Update(t.Context(), func(tx *store.Tx) error {
		for _, user := range []string{want.Username, "", "another-user"} {
			p := before{ID: old.NewID("prx"), Type: want.Type, Host: want.Host, Port: want.Port, Username: user, Status: Active, CreatedAt: old.Now()}
			if user == want.Username {
				p.HasPassword = true
				if err := seal.Set(tx, org, &p, []byte(`{"password":"secret"}`)); err != nil {
					return err
				}
			}
			if err := table.Insert(tx, org, &p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, old)

	db := storetest.OpenWith(t, path, store.Options{Tables: Tables(), Migrations: []store.Migration{Migration}})
	err = db.View(t.Context(), func(tx *store.Tx) error {
		p, err := findDuplicate(tx, org, want)
		if err != nil {
			return err
		}
		if got, err := p.get(db, org); got != want || err != nil {
			t.Errorf("%+v, %v", got, err)
		}
		for _, user := range []string{"", "another-user"} {
			if p, err := findDuplicate(tx, org, line.Proxy{Type: want.Type, Host: want.Host, Port: want.Port, Username: user}); err != nil {
				t.Errorf("of %q: %v", user, err)
			} else if shown, err := New(db, Options{}).show(tx, org, &p); err != nil || user != "" && *shown.Username != user {
				t.Errorf("of %q: %+v, %v", user, shown, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	if _, _, err := offline.Compact(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	for _, user := range []string{"olga-from", "another-user"} {
		if err != nil || bytes.Contains(b, []byte(user)) {
			t.Errorf("the file still has %s (%v)", user, err)
		}
	}
}
