package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store"
	"svc/store/storetest"
)

type account struct {
	ID    string       `json:"id"`
	Phone store.Sealed `json:"phone,omitzero"`
	Proxy store.Sealed `json:"proxy,omitzero"`
	Hash  string       `json:"hash,omitempty"`
}

var (
	accounts = store.NewTable("account", "acc", func(a *account) string { return a.ID })
	phone    = accounts.Sealed("phone", func(a *account) *store.Sealed { return &a.Phone })
	proxy    = accounts.Sealed("proxy", func(a *account) *store.Sealed { return &a.Proxy })
	byPhone  = accounts.Unique("phone", func(a *account) store.Key { return text(a.Hash) })
)

const number = "+998901234567"

// addAccount saves an account with a phone.
func addAccount(t testing.TB, db *store.DB, org, number string) account {
	t.Helper()
	a := account{ID: db.NewID("acc")}
	update(t, db, func(tx *store.Tx) (err error) {
		if a.Hash, err = tx.Hash("phone", number); err != nil {
			return err
		}
		if err := phone.Set(tx, org, &a, []byte(number)); err != nil {
			return err
		}
		return accounts.Put(tx, org, &a)
	})
	return a
}

func TestSecretsOpenOnlyWhereTheyBelong(t *testing.T) {
	db := storetest.Open(t, accounts)
	org := db.NewID("org")
	a := addAccount(t, db, org, number)
	view(t, db, func(tx *store.Tx) error {
		hash, err := db.Hash("phone", number)
		if err != nil {
			return err
		}
		found, err := byPhone.Find(tx, org, store.Text(hash))
		if err != nil {
			return err
		}
		got, err := phone.Open(db, org, &found)
		if string(got) != number || err != nil {
			t.Errorf("opened %q, %v", got, err)
		}
		none, err := proxy.Open(db, org, &found)
		if none != nil || err != nil {
			t.Errorf("an empty secret: %q, %v", none, err)
		}
		return nil
	})
	moved := account{ID: db.NewID("acc"), Phone: a.Phone}
	swapped := account{ID: a.ID, Proxy: a.Phone}
	changed := account{ID: a.ID}
	b, _ := json.Marshal(a.Phone)
	b[20] ^= 1
	_ = json.Unmarshal(b, &changed.Phone)
	for name, err := range map[string]error{
		"another record":       second(phone.Open(db, org, &moved)),
		"another organization": second(phone.Open(db, db.NewID("org"), &a)),
		"another field":        second(proxy.Open(db, org, &swapped)),
		"changed":              second(phone.Open(db, org, &changed)),
	} {
		if !errors.Is(err, store.ErrSealed) || strings.Contains(err.Error(), number) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	db := storetest.Open(t, accounts)
	a := addAccount(t, db, db.NewID("org"), number)
	sealed, err := json.Marshal(a.Phone)
	if err != nil || len(sealed) < 40 {
		t.Fatalf("%s, %v", sealed, err)
	}
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	log.Info("account", "phone", a.Phone, "pointer", &a.Phone)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb, a.Phone)
		fmt.Fprintf(&out, verb, a)
		fmt.Fprintf(&out, verb, &a.Phone)
	}
	body := strings.Trim(string(sealed), `"`)
	hexBody := fmt.Sprintf("%x", body[:8])
	if strings.Contains(out.String(), body[8:20]) || strings.Contains(out.String(), hexBody) || !strings.Contains(out.String(), "phone=[sealed]") {
		t.Errorf("printed: %s", out.String())
	}
}

func TestHashesOfPurposes(t *testing.T) {
	db := storetest.Open(t, accounts)
	a, _ := db.Hash("phone", number)
	b, _ := db.Hash("key", number)
	c, _ := db.Hash("phon", "e"+number)
	d, _ := db.Hash("phone", number)
	if a == b || a == c || a != d || len(a) != 64 {
		t.Errorf("%s %s %s %s", a, b, c, d)
	}
}

func TestSealedFiles(t *testing.T) {
	db := storetest.Open(t, accounts)
	sealed, err := db.SealFile("att_1/0", []byte("content"))
	if err != nil || bytes.Contains(sealed, []byte("content")) {
		t.Fatalf("%q, %v", sealed, err)
	}
	if got, err := db.OpenFile("att_1/0", sealed); string(got) != "content" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := db.OpenFile("att_1/1", sealed); !errors.Is(err, store.ErrSealed) {
		t.Errorf("as another piece: %v", err)
	}
}

func TestMasterKeyFile(t *testing.T) {
	dir := t.TempDir()
	path, key := filepath.Join(dir, "a.db"), filepath.Join(dir, "master.key")
	o := store.Options{Tables: []store.AnyTable{accounts}, KeyFile: key}
	open := func() error {
		db, err := store.Open(context.Background(), path, o)
		if err == nil {
			err = db.Close()
		}
		return err
	}
	if err := open(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(key)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	if err := open(); err != nil {
		t.Errorf("the second time: %v", err)
	}
	right, _ := os.ReadFile(key)
	for name, c := range map[string]struct {
		spoil func() error
		want  string
	}{
		"missing":   {func() error { return os.Remove(key) }, "is missing"},
		"damaged":   {func() error { return os.WriteFile(key, right[:40], 0o600) }, "is damaged"},
		"readable":  {func() error { return os.Chmod(key, 0o644) }, "chmod 600"},
		"another's": {func() error { return anotherKey(t, key) }, "does not fit"},
		"a folder":  {func() error { return errors.Join(os.Remove(key), os.Mkdir(key, 0o700)) }, "no master key file"},
	} {
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		if err := open(); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if err := errors.Join(os.RemoveAll(key), os.WriteFile(key, right, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := open(); err != nil {
		t.Errorf("put back: %v", err)
	}
	o.KeyFile = ""
	db, err := store.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Hash("a", "b"); !errors.Is(err, store.ErrNoKey) {
		t.Errorf("hash without a key: %v", err)
	}
}

// anotherKey puts the key of another store in the place of a key.
func anotherKey(t *testing.T, key string) error {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), filepath.Join(dir, "b.db"), store.Options{KeyFile: filepath.Join(dir, "k")})
	if err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(dir, "k"))
	return errors.Join(err, db.Close(), os.WriteFile(key, b, 0o600))
}
