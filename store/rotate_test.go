package store_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/masterkey"
	"svc/store/storetest"
)

// sealedHouse is a database with secrets, a sealed file and a key, to be rotated.
type sealedHouse struct {
	dir, path, key, file string
	o                    store.Options
}

func newSealedHouse(dir string) *sealedHouse {
	h := &sealedHouse{dir: dir, path: filepath.Join(dir, "a.db"), key: filepath.Join(dir, "master.key"), file: filepath.Join(dir, "file")}
	h.o = store.Options{Tables: []store.AnyTable{accounts}, Key: masterkey.Source{File: h.key}}
	return h
}

// fill makes accounts, a sealed file and a backup, and answers the organization and a hash.
func (h *sealedHouse) fill(t *testing.T, n int) (org, hash string) {
	t.Helper()
	db := storetest.OpenWith(t, h.path, h.o)
	org = db.NewID("org")
	for n > 0 {
		some := min(n, 1000)
		update(t, db, func(tx *store.Tx) error {
			for range some {
				a := account{ID: db.NewID("acc")}
				if err := errors.Join(phone.Set(tx, org, &a, []byte(number)), accounts.Put(tx, org, &a)); err != nil {
					return err
				}
			}
			return nil
		})
		n -= some
	}
	hash, err := db.Hash("phone", number)
	sealed, err2 := db.SealFile("file", []byte("content"))
	if err := errors.Join(err, err2, os.WriteFile(h.file, sealed, 0o600), db.Backup(t.Context(), filepath.Join(h.dir, "before.db"))); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	return org, hash
}

// rotation seals the one file again.
func (h *sealedHouse) rotation(db *store.DB, newKey string) store.Rotation {
	return store.Rotation{New: newKey, Files: func(context.Context) error {
		old, err := os.ReadFile(h.file)
		if err != nil {
			return err
		}
		if anew, err := db.SealedAnew(old); anew || err != nil {
			return err
		}
		plain, err := db.OpenFile("file", old)
		if err != nil {
			return err
		}
		sealed, err := db.SealFile("file", plain)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(h.file+".new", sealed, 0o600), os.Rename(h.file+".new", h.file))
	}}
}

// opens proves that everything opens with a key, and that hashes are what they were.
func (h *sealedHouse) opens(t *testing.T, with masterkey.Source, org, hash string, want int) {
	t.Helper()
	o := h.o
	o.Key = with
	db := storetest.OpenWith(t, h.path, o)
	defer storetest.Close(t, db) // opens every secret
	sealed, err := os.ReadFile(h.file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := db.OpenFile("file", sealed); string(got) != "content" || err != nil {
		t.Errorf("the file: %q, %v", got, err)
	}
	if again, _ := db.Hash("phone", number); again != hash {
		t.Error("a hash changed")
	}
	view(t, db, func(tx *store.Tx) error {
		page, err := accounts.Page(tx, org, store.Query[account]{Limit: 100})
		if err != nil || page.Total != want {
			t.Errorf("%d accounts, %v", page.Total, err)
		}
		for i := range page.Data {
			if got, err := phone.Open(db, org, &page.Data[i]); string(got) != number || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		}
		return nil
	})
}

// TestRotation: a rotation gives new keys and seals everything again; afterwards the new
// master key is enough, the old one opens only backups from before.
func TestRotation(t *testing.T) {
	h := newSealedHouse(t.TempDir())
	org, hash := h.fill(t, 1203)
	seen := map[uint32]bool{}
	for i := range 3 {
		old, err := os.ReadFile(h.key)
		if err != nil {
			t.Fatal(err)
		}
		db := storetest.OpenWith(t, h.path, h.o)
		was, _ := db.KeyState()
		if err := db.RotateKeys(t.Context(), h.rotation(db, "")); err != nil {
			t.Fatal(err)
		}
		now, err := db.KeyState()
		if err != nil || now.ID == was.ID || seen[now.ID] || now.Rotating {
			t.Errorf("rotation %d: %+v after %+v, %v", i, now, was, err)
		}
		seen[now.ID] = true
		storetest.Close(t, db)
		kept, err := os.ReadFile(h.key + masterkey.OldKey)
		if err != nil || !bytes.Equal(kept, old) {
			t.Errorf("the old key is not kept: %v", err)
		}
		name, err := masterkey.Retire(h.key, time.Date(2026, 11, 23, 4, i, 0, 0, time.UTC))
		if err != nil || name != fmt.Sprintf("%s.retired-20261123T040%d00Z", h.key, i) {
			t.Errorf("retired as %s, %v", name, err)
		}
		h.opens(t, h.o.Key, org, hash, 1203)
		o := h.o
		o.Key.File = name
		if _, err := store.Open(t.Context(), h.path, o); !errors.Is(err, store.ErrWrongKey) {
			t.Errorf("with the old key: %v", err)
		}
	}
	o := h.o
	if err := store.Verify(t.Context(), filepath.Join(h.dir, "before.db"), o); !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("the backup from before, with the new key: %v", err)
	}
	o.Key.File = h.key + ".retired-20261123T040000Z"
	if err := store.Verify(t.Context(), filepath.Join(h.dir, "before.db"), o); err != nil {
		t.Errorf("the backup from before, with the old key: %v", err)
	}
}

// TestRotationOfAKeyFromElsewhere: the new key is a file that people put in the place of
// the old; a second call after the end changes nothing.
func TestRotationOfAKeyFromElsewhere(t *testing.T) {
	h := newSealedHouse(t.TempDir())
	first := masterkey.Source{Text: strings.Repeat("0a", 32)}
	h.o.Key = first
	org, hash := h.fill(t, 3)
	h.opens(t, masterkey.Source{Command: "printf %s " + strings.Repeat("0a", 32)}, org, hash, 3)
	next := filepath.Join(h.dir, "next.key")
	db := storetest.OpenWith(t, h.path, h.o)
	if err := db.RotateKeys(t.Context(), h.rotation(db, "")); err == nil || !strings.Contains(err.Error(), "SVC_MASTER_KEY") {
		t.Errorf("without a file: %v", err)
	}
	if err := db.RotateKeys(t.Context(), h.rotation(db, next)); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	text, err := os.ReadFile(next)
	if err != nil || len(strings.TrimSpace(string(text))) != 44 {
		t.Fatalf("%s, %v", text, err)
	}
	if _, err := store.Open(t.Context(), h.path, h.o); !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("with the old key: %v", err)
	}
	h.opens(t, masterkey.Source{Text: strings.TrimSpace(string(text))}, org, hash, 3)
	h.opens(t, masterkey.Source{Credential: next}, org, hash, 3)
	o := h.o
	o.Key = masterkey.Source{File: next}
	db = storetest.OpenWith(t, h.path, o)
	was, _ := db.KeyState()
	if err := db.RotateKeys(t.Context(), h.rotation(db, next)); err != nil {
		t.Error(err)
	}
	if now, _ := db.KeyState(); now != was {
		t.Error("it was rotated a second time")
	}
	storetest.Close(t, db)
}

// TestRotationKilled kills rotations (kill -9) at any point. At every one the key file
// opens the database, and another rotation comes to its end with the new key alone.
// SVC_TEST_KILLS says how often; 3 when it is not set.
func TestRotationKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_ROTATED"); dir != "" {
		h := newSealedHouse(dir)
		db, err := store.Open(t.Context(), h.path, h.o)
		if err != nil {
			t.Fatal(err)
		}
		r := h.rotation(db, "")
		r.Step = func(what string) { fmt.Println("step", what) }
		if err := db.RotateKeys(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		fmt.Println("step end")
		return
	}
	const records = 4000
	h := newSealedHouse(t.TempDir())
	org, hash := h.fill(t, records)
	first, _ := os.ReadFile(h.key)
	for _, at := range append([]string{"new keys", "records", "files", "end"}, anyPoint()...) {
		point, wait := at, time.Duration(0)
		if at == "any" {
			point, wait = "records", time.Duration(rand.IntN(100_000))*time.Microsecond
		}
		h.killAt(t, point, wait)
		h.opens(t, h.o.Key, org, hash, records)
	}
	for range 2 { // the first may only end what was begun
		db := storetest.OpenWith(t, h.path, h.o)
		if err := db.RotateKeys(t.Context(), h.rotation(db, "")); err != nil {
			t.Fatal(err)
		}
		if now, err := db.KeyState(); err != nil || now.Rotating {
			t.Errorf("%+v, %v", now, err)
		}
		storetest.Close(t, db)
		if _, err := masterkey.Retire(h.key, time.Now()); err != nil && !strings.Contains(err.Error(), "there already") {
			t.Fatal(err)
		}
	}
	h.opens(t, h.o.Key, org, hash, records)
	if err := os.WriteFile(h.key, first, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), h.path, h.o); !errors.Is(err, store.ErrWrongKey) {
		t.Errorf("with the first key: %v", err)
	}
}

func anyPoint() (out []string) {
	kills := 3
	_, _ = fmt.Sscan(os.Getenv("SVC_TEST_KILLS"), &kills)
	for range kills {
		out = append(out, "any")
	}
	return out
}

// killAt runs a rotation in another process and kills it a moment after a step began.
func (h *sealedHouse) killAt(t *testing.T, step string, wait time.Duration) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRotationKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_ROTATED="+h.dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for scan := bufio.NewScanner(out); scan.Scan(); {
		said = append(said, scan.Text())
		if strings.HasPrefix(scan.Text(), "step "+step) {
			time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(said) == 0 {
		t.Fatal("the rotation said nothing")
	}
}

func TestKeySources(t *testing.T) {
	raw := bytes.Repeat([]byte{0xfb}, 32)
	key := hex.EncodeToString(raw)
	dir := t.TempDir()
	h := newSealedHouse(dir)
	h.o.Key = masterkey.Source{Text: key}
	org, hash := h.fill(t, 1)
	file := filepath.Join(dir, "given")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o444); err != nil {
		t.Fatal(err)
	}
	for _, same := range []masterkey.Source{
		{Text: strings.ToUpper(key)}, {Text: base64.StdEncoding.EncodeToString(raw)}, {Text: base64.RawURLEncoding.EncodeToString(raw)},
		{Credential: file}, {Command: "cat '" + file + "'"},
	} {
		h.opens(t, same, org, hash, 1)
	}
	for want, bad := range map[string]masterkey.Source{
		"32 bytes in base64":        {Text: "short"},
		"44 characters":             {Text: hex.EncodeToString(raw[:31])},
		"does not fit":              {Text: strings.Repeat("0b", 32)},
		"is missing":                {Credential: filepath.Join(dir, "none")},
		"can be read by others":     {File: file},
		"failed: exit status 3: no": {Command: "echo no >&2; echo more >&2; exit 3"},
		"gives no master key":       {Command: "true"},
		"wrote more than":           {Command: "head -c 100000 /dev/zero"},
	} {
		o := h.o
		o.Key = bad
		_, err := store.Open(t.Context(), h.path, o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "0b0b") {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, k := range []masterkey.Source{{Text: key}, {Command: "echo " + key}} {
		if strings.Contains(k.String(), key) {
			t.Errorf("a key shows: %s", k)
		}
	}
}
