package world

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gotd/td/crypto"

	"svc/messenger/simulator/world/journal"
	"svc/messenger/simulator/world/record"
)

const alice = "+998901000001"

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, o Options) *World {
	t.Helper()
	w, err := Open(o)
	ok(t, err)
	return w
}

func newKey() crypto.AuthKey {
	var k crypto.Key
	_, _ = rand.Read(k[:])
	return k.WithID()
}

// signIn makes an account with a client.
func signIn(t testing.TB, w *World, number string) crypto.AuthKey {
	t.Helper()
	k := newKey()
	ok(t, w.SignInKey(k, number))
	return k
}

// write sends a text to a person.
func write(w *World, k crypto.AuthKey, person, random int64, text string) error {
	a, err := w.AccountOf(k.ID)
	if err != nil {
		return err
	}
	_, _, err = w.Send(k.ID, Outgoing{
		Peer: Peer{ID: person, Hash: w.People(a, person)[0].Hash}, Items: []Item{{RandomID: random, Text: text}},
	})
	if err != nil {
		return err
	}
	return w.Commit()
}

// shape is what must be the same after a replay: everything, as records.
func shape(w *World) (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.records(0) {
		b, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		out = append(out, string(b))
	}
	slices.Sort(out) // of maps
	return out
}

// busy does one of everything that leaves a trace.
func busy(t *testing.T, w *World) crypto.AuthKey {
	t.Helper()
	ok(t, w.Script(`
phone `+alice+` password secret hint pet
person @vali id 500 blocks says "no" after 1h
person @other id 501 takes
person @vali reassigned to 502
person @third contact-of `+alice))
	k := signIn(t, w, alice)
	for n := range int64(5) {
		ok(t, write(w, k, 501, n+1, fmt.Sprint("text ", n)))
	}
	m, err := w.Say("501", alice, "answer")
	ok(t, err)
	_, err = w.Type(alice, "501", "by hand")
	ok(t, err)
	ok(t, w.Read(alice, "501", 3))
	_, read, err := w.ReadHistory(k.ID, Peer{ID: 501, Hash: w.People(10_901_000_001, 501)[0].Hash}, 0, nil)
	if err != nil || read != 1 {
		t.Fatal(read, err)
	}
	ok(t, w.Edit(alice, m.ID, "another answer"))
	ok(t, w.Unsend(alice, 2))
	ok(t, w.Script(`
now 501 sends voice to `+alice+` answering 1
now 501 sends place 41.3 69.2 to `+alice+` titled Chorsu
now 501 says forwarded to `+alice+` forwarded Vali
now `+alice+` reacts 👍 at 501
now `+alice+` reads 501`))
	ok(t, w.Flood(alice, 1, 3))
	ok(t, w.ExpireFiles())
	_, err = w.SendCode(alice)
	ok(t, err)
	ok(t, w.SaveKey(newKey(), 0))
	ok(t, w.SavePart(k.ID, 9, 0, 1, []byte("content")))
	_, err = w.Finish(k.ID, Upload{ID: 9, Parts: 1, Name: "a.txt"})
	ok(t, err)
	ok(t, w.Commit())
	return k
}

// A journal, and a snapshot of it, lead to the same world.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	w := open(t, Options{Dir: dir})
	busy(t, w)
	want := shape(w)
	ok(t, w.Close())
	w = open(t, Options{Dir: dir})
	if d := cmp.Diff(want, shape(w)); d != "" {
		t.Errorf("after a replay of the journal:\n%s", d)
	}
	ok(t, journal.WriteSnapshot(dir, replayed{w}, 2))
	ok(t, w.Close())
	w = open(t, Options{Dir: dir})
	if d := cmp.Diff(want, shape(w)); d != "" {
		t.Errorf("after a replay of the snapshot:\n%s", d)
	}
	ok(t, w.Close())
}

// A long journal becomes a snapshot at the next start, and is gone.
func TestSnapshotAtStart(t *testing.T) {
	dir := t.TempDir()
	w := open(t, Options{Dir: dir})
	k := signIn(t, w, alice)
	ok(t, w.Script("person @vali id 500"))
	text := strings.Repeat("a", 4000)
	for n := range int64(journal.SnapshotAfter / 4000) {
		ok(t, write(w, k, 500, n+1, text))
	}
	want := shape(w)
	ok(t, w.Close())
	w = open(t, Options{Dir: dir})
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	ok(t, err)
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	if got := strings.Join(names, " "); got != "journal-2.jsonl sent.jsonl world.jsonl" {
		t.Errorf("the folder holds %s", got)
	}
	ok(t, write(w, k, 500, 1<<40, "after"))
	ok(t, w.Close())
	w = open(t, Options{Dir: dir})
	if got := shape(w); len(got) != len(want)+1 {
		t.Errorf("%d records, want %d", len(got), len(want)+1)
	}
	if n := w.Accepted(); n != journal.SnapshotAfter/4000+1 {
		t.Errorf("%d messages were accepted", n)
	}
	ok(t, w.Close())
}

// A kill leaves half a line; what was committed before is there, also in the log of sent
// messages, which the kill may have kept from being written.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	w := open(t, Options{Dir: dir})
	k := busy(t, w)
	want := shape(w)
	log, err := w.Log()
	ok(t, err)
	ok(t, w.Close())
	f, err := os.OpenFile(filepath.Join(dir, "journal-1.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	ok(t, err)
	_, err = f.WriteString(`{"k":"message","a":`)
	ok(t, err)
	ok(t, f.Close())
	sent := filepath.Join(dir, journal.SentName)
	b, err := os.ReadFile(sent)
	ok(t, err)
	ok(t, os.WriteFile(sent, b[:len(b)*3/5], 0o600))
	w = open(t, Options{Dir: dir})
	if d := cmp.Diff(want, shape(w)); d != "" {
		t.Errorf("after a kill:\n%s", d)
	}
	again, err := w.Log()
	ok(t, err)
	if d := cmp.Diff(log, again); d != "" {
		t.Errorf("the log after a kill:\n%s", d)
	}
	ok(t, w.Lift(alice))
	ok(t, write(w, k, 501, 99, "goes on"))
	again, err = w.Log()
	ok(t, err)
	if last := again[len(again)-1]; len(again) != len(log)+1 || last.N != int64(len(log)+1) || last.Text != "goes on" {
		t.Errorf("the log ends with %+v", last)
	}
	ok(t, w.Close())
	w = open(t, Options{Dir: dir})
	ok(t, w.Close())
}

// When the journal cannot be written, nothing is answered as if it were.
func TestBrokenJournal(t *testing.T) {
	w := open(t, Options{Dir: t.TempDir()})
	k := signIn(t, w, alice)
	ok(t, w.Script("person @vali id 500"))
	ok(t, w.journal.Close())
	for n := range int64(2) {
		if err := write(w, k, 500, n+1, "x"); err == nil || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("written with %v", err)
		}
	}
}

// One folder is one process's.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	w := open(t, Options{Dir: dir})
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "another simulator uses the folder") {
		t.Errorf("opened a second time with %v", err)
	}
	ok(t, w.Close())
	ok(t, open(t, Options{Dir: dir}).Close())
}

// A file that is damaged in its middle is not believed.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	w := open(t, Options{Dir: dir})
	ok(t, w.Close())
	ok(t, os.WriteFile(filepath.Join(dir, "journal-1.jsonl"), []byte("{\"k\":\"epoch\"}\nx\n{}\n"), 0o600))
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "journal-1.jsonl, line 2 is damaged") {
		t.Errorf("opened with %v", err)
	}
}

// Ids and pts of an account grow by one however many write at once, and the log has the
// messages in the order of their numbers.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	w := open(t, Options{Dir: dir, Keep: 10_000})
	k := signIn(t, w, alice)
	ok(t, w.Script("person @vali id 500"))
	var wg sync.WaitGroup
	for g := range int64(8) {
		wg.Go(func() {
			for n := range int64(200) {
				if err := write(w, k, 500, g*1000+n+1, "x"); err != nil {
					t.Error(err)
				}
				if err := write(w, k, 500, g*1000+n+1, "x"); err == nil {
					t.Error("an id was taken twice")
				}
			}
		})
	}
	wg.Wait()
	d, err := w.Difference(k.ID, 1, 10_000)
	ok(t, err)
	for i, u := range d.Updates {
		if u.Pts != i+2 || u.Message.ID != i+1 {
			t.Fatalf("update %d has pts %d and id %d", i, u.Pts, u.Message.ID)
		}
	}
	log, err := w.Log()
	ok(t, err)
	for i, s := range log {
		if s.N != int64(i+1) {
			t.Fatalf("line %d of the log is message %d", i+1, s.N)
		}
	}
	if len(log) != 1600 || len(d.Updates) != 1600 {
		t.Errorf("%d in the log, %d updates", len(log), len(d.Updates))
	}
	ok(t, w.Close())
}

// Memory is bounded: what an account keeps, and keys that never sign in.
func TestBounds(t *testing.T) {
	w := open(t, Options{Keep: 10})
	k := signIn(t, w, alice)
	ok(t, w.Script("people u 1..100 id 5000"))
	for n := range int64(200) {
		ok(t, write(w, k, 5000+n%100, n+1, "x"))
		ok(t, w.Read(alice, fmt.Sprint(5000+n%100), 0))
	}
	a := w.accounts[10_901_000_001]
	if len(a.messages) > 20 || len(a.updates) > 20 || len(a.readOut) > 22 {
		t.Errorf("%d messages, %d updates and %d marks are kept", len(a.messages), len(a.updates), len(a.readOut))
	}
	for range idleKeys + 100 {
		ok(t, w.SaveKey(newKey(), 0))
	}
	if n := len(w.keys); n > idleKeys+1 {
		t.Errorf("%d keys are kept", n)
	}
	if _, known := w.Key(k.ID, 0); !known {
		t.Error("the key of an account was forgotten")
	}
	for n := range int64(idsKept + 10) {
		a.took(n + 1000)
	}
	if len(a.ids) != idsKept || len(a.order) != idsKept {
		t.Errorf("%d ids are kept", len(a.ids))
	}
}

// Files are forgotten when there is no room, oldest first.
func TestFileBounds(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		w := open(t, Options{Dir: dir, Files: 3000})
		k := signIn(t, w, alice)
		var all []*record.File
		for n := range int64(5) {
			ok(t, w.SavePart(k.ID, n, 0, 1, make([]byte, 900)))
			f, err := w.Finish(k.ID, Upload{ID: n, Parts: 1})
			ok(t, err)
			all = append(all, f)
		}
		if w.files.used > 3000 {
			t.Errorf("%d bytes are kept", w.files.used)
		}
		if _, err := w.Content(all[0].ID, 0, 10); err == nil {
			t.Error("the oldest file is still there")
		}
		if b, err := w.Content(all[4].ID, 890, 100); err != nil || len(b) != 10 {
			t.Errorf("the newest file ends with %d bytes, %v", len(b), err)
		}
		if err := w.SavePart(k.ID, 99, 0, 1, make([]byte, 3001)); err == nil {
			t.Error("a part that fits nowhere was taken")
		}
		ok(t, w.Close())
	}
}
