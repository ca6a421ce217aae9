package mapkey

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	got, err := AddKey(path, NewKey{Name: "  Сайт & <co> ", Origins: []string{" https://a.example"}, RateLimit: 5, MonthlyQuota: 9, Note: "x"}, noon)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(got.Key.Key) {
		t.Errorf("key %q", got.Key.Key)
	}
	want := Key{
		Key: got.Key.Key, Name: "Сайт & <co>", Origins: []string{"https://a.example"}, RateLimit: 5, MonthlyQuota: 9,
		Note: "x", CreatedAt: "2026-11-21T12:34:56Z",
	}
	keys, _, info, err := readKeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Key{want}, keys); d != "" {
		t.Error(d)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if text := read(t, path); !strings.Contains(text, "Сайт & <co>") {
		t.Errorf("the file escapes letters: %s", text)
	}
	second, err := AddKey(path, NewKey{Name: "Сайт & <co>"}, noon)
	if err != nil || second.SameName != 1 || second.Key.Key == got.Key.Key {
		t.Errorf("second: %+v, %v", second, err)
	}
	if _, err := os.Stat(path + ".tmp"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a temporary file stays: %v", err)
	}
}

func TestAddKeyRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	for _, c := range []struct {
		n       NewKey
		problem string
	}{
		{NewKey{Name: " "}, "needs a name"},
		{NewKey{Name: "a\nb"}, "printable"},
		{NewKey{Name: "a\x1b[2J"}, "printable"},
		{NewKey{Name: strings.Repeat("я", maxName+1)}, "200"},
		{NewKey{Name: "a", Note: strings.Repeat("x", maxNote+1)}, "note"},
		{NewKey{Name: "a", RateLimit: -1}, "rate"},
		{NewKey{Name: "a", MonthlyQuota: -1}, "quota"},
		{NewKey{Name: "a", Origins: []string{""}}, "scheme://host"},
		{NewKey{Name: "a", Origins: []string{"https://a\tb"}}, "scheme://host"},
		{NewKey{Name: "a", Origins: make([]string, maxOrigins+1)}, "origins"},
	} {
		if _, err := AddKey(path, c.n, noon); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%+v: %v", c.n, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a refused key made a file")
	}
	bad := write(t, "bad.json", `[{"key":1}]`)
	if _, err := AddKey(bad, NewKey{Name: "a"}, noon); err == nil || read(t, bad) != `[{"key":1}]` {
		t.Errorf("an invalid file was edited: %v", err)
	}
	empty := write(t, "empty.json", "")
	if _, err := AddKey(empty, NewKey{Name: "a"}, noon); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

func TestEditKeepsWhatItDoesNotKnow(t *testing.T) {
	path := write(t, "keys.json", `[{"owner":{"id":12345678901234567890,"x":"<&>"},"key":"aaaaaaaaaaaa","Disabled":false,"name":"one","plan":1e2},
		{"key":"","name":"comment"},{"key":"bbbbbbbbbbbb","name":"two","disabled":false,"disabled":null}]`)
	if _, err := AddKey(path, NewKey{Name: "three"}, noon); err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"one", "two"} {
		if r, err := RevokeKey(path, who); err != nil || r.Already || r.Name != who {
			t.Fatalf("%s: %+v, %v", who, r, err)
		}
	}
	text := strings.Join(strings.Fields(read(t, path)), "")
	for _, want := range []string{
		`{"owner":{"id":12345678901234567890,"x":"<&>"},"key":"aaaaaaaaaaaa","disabled":true,"name":"one","plan":1e2}`,
		`{"key":"","name":"comment"}`,
		`{"key":"bbbbbbbbbbbb","name":"two","disabled":true}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %s in %s", want, text)
		}
	}
}

func TestEditKey(t *testing.T) {
	path := write(t, "keys.json", `[{"plan":1e2,"key":"aaaaaaaaaaaa","name":"one","Rate_Limit":5,"origins":["https://a.example"],"note":"x"},
		{"key":"bbbbbbbbbbbb","name":"two"},{"key":"cccccccccccc","name":"one of all","origins":["\u0001"]}]`)
	rate, quota, name, none, origins := int64(7), int64(8), " Two ", []string{}, []string{" https://b.example"}
	for _, c := range []struct {
		who   string
		c     KeyChanges
		stays bool
		same  int
	}{
		{who: "one", c: KeyChanges{RateLimit: &rate}},
		{who: "one", c: KeyChanges{RateLimit: &rate}, stays: true},
		{who: "one", c: KeyChanges{Origins: &none}},
		{who: "aaaaaaaa…", c: KeyChanges{Name: &name}},
		{who: "bbbbbbbbbbbb", c: KeyChanges{Name: &name, Origins: &origins}, same: 1},
		{who: "one of all", c: KeyChanges{MonthlyQuota: &quota}}, // what it has besides may exceed the bounds
	} {
		before := read(t, path)
		got, err := EditKey(path, c.who, c.c)
		if err != nil || got.Same != c.stays || got.SameName != c.same {
			t.Fatalf("%s: %+v, %v", c.who, got, err)
		}
		if c.stays != (read(t, path) == before) {
			t.Errorf("%s: written: %v, want %v", c.who, !c.stays, c.stays)
		}
	}
	text := strings.Join(strings.Fields(read(t, path)), "")
	want := `[{"plan":1e2,"key":"aaaaaaaaaaaa","name":"Two","rate_limit":7,"origins":[],"note":"x"},` +
		`{"key":"bbbbbbbbbbbb","name":"Two","origins":["https://b.example"]},` +
		`{"key":"cccccccccccc","name":"oneofall","origins":["\u0001"],"monthly_quota":8}]`
	if text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	bad, empty, spoilt := int64(-1), " ", []string{"a\tb"}
	for problem, c := range map[string]KeyChanges{
		"nothing to change": {}, "the rate": {RateLimit: &bad}, "the quota": {MonthlyQuota: &bad}, "needs a name": {Name: &empty}, "scheme://host": {Origins: &spoilt},
	} {
		if _, err := EditKey(path, "cccccccccccc", c); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for who, problem := range map[string]string{"Two": "2 enabled keys", "nobody": "no key of the file", " ": "name the key to change"} {
		if _, err := EditKey(path, who, KeyChanges{RateLimit: &rate}); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v", who, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "none.json")
	if _, err := EditKey(missing, "one", KeyChanges{RateLimit: &rate}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(missing + ".lock"); err == nil {
		t.Error("a lock file stands beside nothing")
	}
}

func TestRevokeKey(t *testing.T) {
	path := write(t, "keys.json", `[
		{"key":"aaaaaaaa1111","name":"old","disabled":true},
		{"key":"aaaaaaaa2222","name":"web"},{"key":"aaaaaaaa3333","name":"web"},
		{"key":"bbbbbbbb1111","name":"rotated","disabled":true},{"key":"bbbbbbbb2222","name":"rotated"},
		{"key":"cccccccccccc","name":"twice"},{"key":"cccccccccccc","name":"twice again"},{"key":"dd…","name":"e…"}]`)
	for _, c := range []struct {
		who, name, problem string
		already            bool
	}{
		{who: "", problem: "name the key"},
		{who: "nobody", problem: "no key of the file"},
		{who: "web", problem: "2 enabled keys have that name"},
		{who: "aaaaaaaa", problem: "3 keys start like that"},
		{who: "bbbbbbb", problem: "no key of the file"},
		{who: "old", name: "old", already: true},
		{who: "rotated", name: "rotated"},
		{who: "rotated", name: "rotated", already: true},
		{who: "aaaaaaaa2…", name: "web"},
		{who: "web", name: "web"},
		{who: "cccccccccccc", name: "twice"},
		{who: "e…", name: "e…"},
	} {
		r, err := RevokeKey(path, c.who)
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%q: %v", c.who, err)
			} else if regexp.MustCompile(`[a-d]{8}\d{3}`).MatchString(err.Error()) {
				t.Errorf("the error shows a key: %v", err)
			}
		case err != nil || r.Name != c.name || r.Already != c.already:
			t.Errorf("%q: %+v, %v", c.who, r, err)
		}
	}
	keys, _, _, err := readKeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if !k.Disabled {
			t.Errorf("%s (%s) is still enabled", k.Name, k.Key)
		}
	}
	missing := filepath.Join(t.TempDir(), "none.json")
	if _, err := RevokeKey(missing, "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := os.Stat(missing + ".lock"); err == nil {
		t.Error("a lock file was left beside nothing")
	}
}

func TestMaskShowsAtMostHalf(t *testing.T) {
	for key, want := range map[string]string{secret: "01234567…", "demo": "de…", "": "…", "ключ1": "кл…"} {
		if got := Mask(key); got != want {
			t.Errorf("Mask(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestListKeys(t *testing.T) {
	path := write(t, "keys.json", `[{"key":"a","extra":[1]},{"name":"comment"}]`)
	keys, err := ListKeys(path)
	if err != nil || len(keys) != 1 {
		t.Fatalf("%v, %v", keys, err)
	}
	out, err := json.Marshal(keys)
	want := `[{"key":"a","name":"","origins":[],"rate_limit":0,"monthly_quota":0,"disabled":false,"note":"","created_at":"","extra":[1]}]`
	if err != nil || string(out) != want {
		t.Errorf("%s, %v", out, err)
	}
}

func TestEditKeepsASymbolicLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "keys.json")
	if err := os.Symlink(filepath.Join("real", "k.json"), link); err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // first the link points nowhere, then to a file
		if _, err := AddKey(link, NewKey{Name: strconv.Itoa(i)}, noon); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
	if keys, _ := ListKeys(filepath.Join(dir, "real", "k.json")); len(keys) != 2 {
		t.Errorf("%d keys behind the link", len(keys))
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if _, err := AddKey(loop, NewKey{Name: "x"}, noon); err == nil || !strings.Contains(err.Error(), "too many symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}
}

func TestEditRemovesALeftover(t *testing.T) {
	path := write(t, "keys.json", `[]`)
	if err := os.WriteFile(path+".tmp", []byte("half a file of a killed process"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := AddKey(path, NewKey{Name: "a"}, noon); err != nil {
		t.Fatal(err)
	}
	if keys, err := ListKeys(path); err != nil || len(keys) != 1 {
		t.Errorf("%v, %v", keys, err)
	}
}

const (
	adders     = 4  // processes
	addsByEach = 12 // keys
)

// childAdd is a process that adds keys to the file named by its environment.
func childAdd() {
	path, who := os.Getenv("FILE"), os.Getenv("WHO")
	for i := range addsByEach {
		if _, err := AddKey(path, NewKey{Name: fmt.Sprintf("%s-%d", who, i)}, noon); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func TestConcurrentProcessesLoseNoKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	var running []*exec.Cmd
	for p := range adders {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=add", "FILE="+path, "WHO="+strconv.Itoa(p))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	keys, err := ListKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, k := range keys {
		names[k.Name] = true
	}
	if len(keys) != adders*addsByEach || len(names) != len(keys) {
		t.Errorf("%d keys with %d names, want %d", len(keys), len(names), adders*addsByEach)
	}
}
