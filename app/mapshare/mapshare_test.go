package mapshare

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/vault"
	"svc/app/vault/bucket/buckettest"
)

// server is a server that follows a place.
type server struct {
	*Follower
	t     *testing.T
	paths map[Kind]string
	took  []Kind
	log   bytes.Buffer
}

func newServer(t *testing.T, root vault.Root) *server {
	dir := filepath.Join(t.TempDir(), "map")
	s := &server{t: t, paths: map[Kind]string{Index: filepath.Join(dir, "a.svcmap"), Tiles: filepath.Join(dir, "a.pmtiles"), Terrain: filepath.Join(dir, "b.pmtiles")}}
	s.Follower = NewFollower(root, s.paths, func(k Kind) { s.took = append(s.took, k) }, slog.New(slog.NewTextHandler(&s.log, nil)))
	return s
}

// looks asks what is published, and answers what was fetched.
func (s *server) looks() []Kind {
	s.t.Helper()
	s.took = nil
	s.look(s.t.Context())
	return s.took
}

// has compares a file with what it is to hold; "" for none.
func (s *server) has(kind Kind, want string) {
	s.t.Helper()
	got, err := os.ReadFile(s.paths[kind])
	if string(got) != want || want == "" && !errors.Is(err, fs.ErrNotExist) {
		s.t.Errorf("%s holds %d bytes, want %d: %v", kind, len(got), len(want), err)
	}
}

// publishes makes contents the current ones, and answers the kinds that were sent.
func publishes(t *testing.T, root vault.Root, contents map[Kind]string) (sent []Kind) {
	t.Helper()
	paths := map[Kind]string{}
	for kind, text := range contents {
		paths[kind] = filepath.Join(t.TempDir(), string(kind))
		if err := os.WriteFile(paths[kind], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Publish(t.Context(), root, paths, func(k Kind, _ File, yes bool) {
		if yes {
			sent = append(sent, k)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return sent
}

// TestPublished: every server has what is published, in a folder or a bucket; what is there is
// neither sent nor fetched again; what is not named stays.
func TestPublished(t *testing.T) {
	for name, root := range map[string]vault.Root{"folder": vault.Folder{Dir: t.TempDir(), Several: true}, "bucket": buckettest.Start(t).Open(t)} {
		t.Run(name, func(t *testing.T) {
			one, two := newServer(t, root), newServer(t, root)
			if one.looks() != nil || !strings.Contains(one.log.String(), ErrNone.Error()) {
				t.Errorf("nothing is published: %s", &one.log)
			}
			large := strings.Repeat("a map ", 1<<19)
			if sent := publishes(t, root, map[Kind]string{Index: large, Tiles: "tiles"}); !slices.Equal(sent, []Kind{Tiles, Index}) {
				t.Errorf("sent %v", sent)
			}
			if got := one.looks(); !slices.Equal(got, []Kind{Tiles, Index}) {
				t.Errorf("fetched %v: %s", got, &one.log)
			}
			one.has(Index, large)
			one.has(Tiles, "tiles")
			one.has(Terrain, "")
			if got := one.looks(); got != nil {
				t.Errorf("fetched again: %v", got)
			}
			if sent := publishes(t, root, map[Kind]string{Index: "newer", Tiles: "tiles"}); !slices.Equal(sent, []Kind{Index}) {
				t.Errorf("sent %v", sent)
			}
			publishes(t, root, map[Kind]string{Terrain: "hills"})
			if got := one.looks(); !slices.Equal(got, []Kind{Terrain, Index}) {
				t.Errorf("fetched %v", got)
			}
			one.has(Index, "newer")
			two.looks()
			for kind, want := range map[Kind]string{Index: "newer", Tiles: "tiles", Terrain: "hills"} {
				two.has(kind, want)
			}
			// A file of the same length that somebody put there is another one.
			if err := os.WriteFile(two.paths[Index], []byte("older"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(notePath(two.paths[Index])); err != nil {
				t.Fatal(err)
			}
			if got := two.looks(); !slices.Equal(got, []Kind{Index}) {
				t.Errorf("fetched %v", got)
			}
		})
	}
}

// TestDamaged: a file that is not what was published is not taken over, is not fetched at every
// look, and the former one stays.
func TestDamaged(t *testing.T) {
	root := vault.Folder{Dir: t.TempDir(), Several: true}
	s := newServer(t, root)
	publishes(t, root, map[Kind]string{Index: "first"})
	s.looks()
	publishes(t, root, map[Kind]string{Index: "second"})
	p, err := Current(root)
	if err != nil {
		t.Fatal(err)
	}
	u, err := root.Place(folder).Create(p.Files[Index].Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Write([]byte("sec0nd")); err != nil {
		t.Fatal(err)
	}
	if err := u.Commit(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.looks()
	}
	s.has(Index, "first")
	if told := strings.Count(s.log.String(), "checksum"); told != 1 || strings.Count(s.log.String(), "fetching") != 2 {
		t.Errorf("told %d times:\n%s", told, &s.log)
	}
	if left, _ := filepath.Glob(filepath.Dir(s.paths[Index]) + "/*"); len(left) > 3 { // the file, its note, perhaps a lock
		t.Errorf("left behind: %v", left)
	}
	publishes(t, root, map[Kind]string{Index: "third"}) // is tried at once
	s.looks()
	s.has(Index, "third")
}

// TestAway: what is here serves on while the place cannot be reached, which is told once.
func TestAway(t *testing.T) {
	store := buckettest.Start(t)
	root := store.Open(t)
	s := newServer(t, root)
	publishes(t, root, map[Kind]string{Index: "first"})
	s.looks()
	store.Down(true)
	s.looks()
	s.looks()
	s.has(Index, "first")
	if strings.Count(s.log.String(), "level=ERROR") != 1 || strings.Contains(s.log.String(), "secret") {
		t.Errorf("told: %s", &s.log)
	}
	store.Down(false)
	publishes(t, root, map[Kind]string{Index: "second"})
	s.looks()
	s.has(Index, "second")
}

// TestCleaned: a file that neither this publication nor the one before names goes a day later.
func TestCleaned(t *testing.T) {
	dir := t.TempDir()
	root := vault.Folder{Dir: dir, Several: true}
	count := func() (n int) {
		for _, err := range root.Place(folder).Files() {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	for i, text := range []string{"one", "two", "three"} {
		publishes(t, root, map[Kind]string{Index: text})
		if got, want := count(), i+1; got != want {
			t.Errorf("%d files, want %d", got, want)
		}
	}
	old := time.Now().Add(-keptFor - time.Hour)
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, old, old))
	})
	if err != nil {
		t.Fatal(err)
	}
	publishes(t, root, map[Kind]string{Index: "four"})
	if got := count(); got != 2 { // "three", "four"
		t.Errorf("%d files are left", got)
	}
}

// TestHostilePublication: what stands in the shared place is held against what may stand there.
func TestHostilePublication(t *testing.T) {
	root := vault.Folder{Dir: t.TempDir(), Several: true}
	for name, text := range map[string]string{
		"path":   `{"format":1,"files":{"index":{"sha256":"../../../etc/passwd","size":1}}}`,
		"kind":   `{"format":1,"files":{"keys":{"sha256":"` + strings.Repeat("ab", 32) + `","size":1}}}`,
		"size":   `{"format":1,"files":{"index":{"sha256":"` + strings.Repeat("ab", 32) + `","size":-1}}}`,
		"format": `{"format":2}`,
		"text":   `nonsense`,
		"large":  strings.Repeat(" ", maxBytes) + `{"format":1}`,
	} {
		u, err := root.Place(folder).Create(current)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := u.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := u.Commit(); err != nil {
			t.Fatal(err)
		}
		if _, err := Current(root); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
