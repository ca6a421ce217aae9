package bucket_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/app/vault"
	"svc/app/vault/bucket"
	"svc/app/vault/bucket/buckettest"
	"svc/store"
	"svc/store/coord"
	"svc/store/kv"
	"svc/store/storetest"
)

const name = "0123abcd4567"

func content(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(b)
	return b
}

func readAll(v *vault.Vault, name string, n int) ([]byte, error) {
	r, err := v.Open(name, int64(n))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// A file is what was written whatever its length, and is replaced whole; what is not there is
// damage.
func TestRoundTrip(t *testing.T) {
	s := buckettest.Start(t)
	v := vault.New(s.Open(t).Place("files"), storetest.Open(t), nil)
	for _, n := range []int{1, vault.Piece, vault.Piece + 1, 5<<20 + 3} {
		want := content(n)
		if err := v.Write(name, want); err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(v, name, n); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d, %v", n, len(got), err)
		}
	}
	for range 2 {
		if err := v.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readAll(v, name, 1); !errors.Is(err, vault.ErrDamaged) || errors.Is(err, vault.ErrAway) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// A part of a large file costs a request for its length and one for a megabyte.
func TestPart(t *testing.T) {
	s := buckettest.Start(t)
	v := vault.New(s.Open(t).Place("files"), storetest.Open(t), nil)
	want := content(8 << 20)
	if err := v.Write(name, want); err != nil {
		t.Fatal(err)
	}
	before := s.Asked()
	r, err := v.Open(name, int64(len(want)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got := make([]byte, 300_000)
	if _, err := r.Seek(4<<20, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want[4<<20:4<<20+300_000]) {
		t.Fatal(err)
	}
	if n := s.Asked() - before; n > 3 {
		t.Errorf("%d requests", n)
	}
}

// A store that is down says nothing about a file.
func TestAway(t *testing.T) {
	s := buckettest.Start(t)
	b := s.Open(t)
	v := vault.New(b.Place("files"), storetest.Open(t), nil)
	if err := errors.Join(v.Write(name, content(100)), b.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	r, err := v.Open(name, 100)
	if err != nil {
		t.Fatal(err)
	}
	s.Down(true)
	_, reading := io.ReadAll(r)
	_, opening := v.Open(name, 100)
	var listing error
	for _, err := range v.Names() {
		listing = err
	}
	for what, err := range map[string]error{"open": opening, "read": reading, "write": v.Write(name, content(10)), "remove": v.Remove(name), "list": listing} {
		if !errors.Is(err, vault.ErrAway) || errors.Is(err, vault.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := b.Check(t.Context()); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("check: %v", err)
	}
	s.Down(false)
	if got, err := readAll(v, name, 100); err != nil || !bytes.Equal(got, content(100)) {
		t.Errorf("afterwards: %v", err)
	}
}

// Kinds do not see each other, objects of others are left alone, and a sweep of a shared place
// leaves young files alone: the record of one may be on its way from another server.
func TestNames(t *testing.T) {
	s := buckettest.Start(t)
	b := s.Open(t)
	db := storetest.Open(t, coord.Tables()...)
	alone, shared := vault.New(b.Place("files"), db, nil), vault.New(b.Place("files"), db, coord.Of(db).Lock)
	other := vault.New(b.Place("inbox"), db, nil)
	if err := errors.Join(alone.Write(name, content(1)), other.Write("ffffffff", content(1))); err != nil {
		t.Fatal(err)
	}
	list := func(v *vault.Vault) (out []string) {
		for f, err := range v.Names() {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, f.Name)
		}
		return out
	}
	if got := list(alone); !slices.Equal(got, []string{name}) {
		t.Errorf("found %v", got)
	}
	if got := list(shared); got != nil {
		t.Errorf("a sweep of several servers looks at %v", got)
	}
}

// Two servers over one store and one bucket are in Locked with a name one after the other.
func TestTwoServers(t *testing.T) {
	s := buckettest.Start(t)
	var vaults []*vault.Vault
	for _, db := range storetest.Nodes(t, kv.NewMemory(), store.Options{Tables: coord.Tables()}, store.Options{Tables: coord.Tables()}) {
		vaults = append(vaults, vault.New(s.Open(t).Place("files"), db, coord.Of(db).Lock))
	}
	var wg sync.WaitGroup
	inside, most := 0, 0
	var mu sync.Mutex
	for i := range 20 {
		wg.Go(func() {
			err := vaults[i%2].Locked(name, func() error {
				mu.Lock()
				inside++
				most = max(most, inside)
				mu.Unlock()
				err := vaults[i%2].Write(name, content(1000))
				mu.Lock()
				inside--
				mu.Unlock()
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d at a time", most)
	}
}

// What a folder has moves into a bucket, and again nothing.
func TestCopy(t *testing.T) {
	s := buckettest.Start(t)
	dir := t.TempDir()
	db := storetest.Open(t, coord.Tables()...)
	from, to := vault.Folder{Dir: dir}, s.Open(t)
	if err := vault.InFolder(filepath.Join(dir, "files"), db).Write(name, content(200_000)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		n := 0
		if err := vault.Copy(t.Context(), from, to, []string{"files", "inbox"}, func(string) { n++ }); err != nil || n != 1 {
			t.Fatal(n, err)
		}
	}
	if got, err := readAll(vault.New(to.Place("files"), db, nil), name, 200_000); err != nil || !bytes.Equal(got, content(200_000)) {
		t.Error(err)
	}
	cut, stop := context.WithCancel(t.Context())
	stop()
	if err := vault.Copy(cut, from, to, []string{"files"}, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestParse(t *testing.T) {
	o, err := bucket.Parse("s3://KEY:se%2Fcret@s3.example.uz:9000/files/a/b/?region=uz-1&plain=true")
	want := bucket.Options{Host: "s3.example.uz:9000", Plain: true, Region: "uz-1", Bucket: "files", Prefix: "a/b", AccessKey: "KEY", Secret: "se/cret"}
	if err != nil || o != want || o.String() != "s3://s3.example.uz:9000/files/a/b" {
		t.Errorf("%+v %v %s", o, err, o)
	}
	for address, says := range map[string]string{
		"": "s3://", "/srv/files": "s3://", "s3://KEY:S@host": "names no bucket", "s3://host/bucket": "no access key", "s3://KEY:S@host/bucket?reg=1": `"reg"`,
		"s3://KEY:S@host/bucket?plain=maybe": `"plain"`, "https://KEY:S@host/bucket": "s3://", "s3://KEY@host/bucket": "no access key",
	} {
		if _, err := bucket.Parse(address); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", address, err)
		}
	}
}
