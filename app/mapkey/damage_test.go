package mapkey

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// filled is a meter whose usage file has several pages.
func filled(t testing.TB, keys int) (*Meter, string, *bytes.Buffer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "usage.db")
	log := new(bytes.Buffer)
	m := OpenMeter(path, MeterOptions{Clock: func() time.Time { return noon }, Log: slog.New(slog.NewTextHandler(log, nil))})
	t.Cleanup(func() { _ = m.Close(t.Context()) })
	use(m, keys)
	flush(t, m)
	return m, path, log
}

func use(m *Meter, keys int) {
	for k := range keys {
		id := KeyID(fmt.Sprint(k))
		for h := range 3 {
			m.Admit(id, Search, noon.Add(time.Duration(-h)*time.Hour), 0)
		}
	}
}

// damages are ways to break a file under a running server.
var damages = map[string]func(path string) error{
	"truncated to nothing": func(path string) error { return os.Truncate(path, 0) },
	"truncated to a page":  func(path string) error { return os.Truncate(path, 4096) },
	"truncated to half": func(path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return os.Truncate(path, info.Size()/2)
	},
	"overwritten with zeros": func(path string) error { return smear(path, func([]byte) {}) },
	"overwritten with noise": func(path string) error {
		rnd := rand.NewChaCha8([32]byte{1})
		return smear(path, func(b []byte) { _, _ = rnd.Read(b) })
	},
	"tail overwritten with ones": func(path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(bytes.Repeat([]byte{0xFF}, int(info.Size())-2*4096), 2*4096)
		return errors.Join(err, f.Close())
	},
}

// smear overwrites a file in place with what fill makes of zeros.
func smear(path string, fill func([]byte)) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	b := make([]byte, info.Size())
	fill(b)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, 0)
	return errors.Join(err, f.Close())
}

// TestDamageWhileServing: however the file is broken, and whether the change is
// noticed or bbolt runs into it, requests pass, quotas are not enforced, counting
// goes on, the error is logged and counted, and a sound file is filled again.
func TestDamageWhileServing(t *testing.T) {
	for name, damage := range damages {
		for _, noticed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, noticed %v", name, noticed), func(t *testing.T) {
				m, path, log := filled(t, 300)
				h := &Holder{ID: KeyID("7"), Key: "7", MonthlyQuota: 3}
				if _, ok := m.Admit(h.ID, Search, noon, 3); ok {
					t.Fatal("the quota does not hold while all is well")
				}
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
				if !noticed { // as if it had happened after the look at the file
					m.file.(*usageFile).stamp = stampOf(path)
				}
				if _, err := m.Report(t.Context(), h, MonthWindow(noon), true, noon); err == nil && noticed && name != "truncated to nothing" {
					t.Error("the report says nothing of the damage")
				}
				use(m, 300)
				if err := m.Flush(t.Context()); err != nil { // an emptied file may be taken for a new one
					checkBroken(t, m, log, h)
				}
				heal(t, m, path)
			})
		}
	}
}

// checkBroken looks at a meter whose flush has just failed.
func checkBroken(t *testing.T, m *Meter, log *bytes.Buffer, h *Holder) {
	t.Helper()
	s := m.Stats()
	if s.FlushErrors == 0 || s.Readable || s.Pending == 0 || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("stats %+v, log %q", s, log)
	}
	if _, ok := m.Admit(h.ID, Search, noon, 3); !ok {
		t.Error("a quota that cannot be read refuses")
	}
	if r, err := m.Report(t.Context(), h, MonthWindow(noon), false, noon); err == nil || r.Quota != nil || r.Requests == 0 {
		t.Errorf("report %+v, %v", r, err)
	}
	if err := m.Flush(t.Context()); !errors.Is(err, errStillDamaged) {
		t.Errorf("a second flush: %v", err)
	}
}

// heal moves the damaged file away, as the log tells the operator to.
func heal(t *testing.T, m *Meter, path string) {
	t.Helper()
	if err := os.Rename(path, path+".damaged"); err != nil {
		t.Fatal(err)
	}
	m.Admit(alice, Search, noon, 0)
	flush(t, m)
	if s := m.Stats(); s.Pending != 0 || !s.Readable {
		t.Errorf("after healing: %+v", s)
	}
	shutMeter(t, m)
	if rows, _ := stored(t, path, alice); rows[hourProduct{hourOf(noon), "search"}].requests != 1 {
		t.Errorf("after healing the file holds %v", rows)
	}
}

// TestPageFaultIsAnError proves that the fault itself was met, not only noticed
// beforehand.
func TestPageFaultIsAnError(t *testing.T) {
	m, path, _ := filled(t, 300)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	err := m.file.probe()
	if !errors.Is(err, errDamaged) || !m.file.(*usageFile).broken || !strings.Contains(err.Error(), "fault") {
		t.Errorf("probe of a truncated mapping: %v", err)
	}
	if debug.SetPanicOnFault(false) {
		t.Error("the goroutine was left with panic on fault")
	}
	if err := m.file.probe(); !errors.Is(err, errDamaged) {
		t.Errorf("a broken file was entered again: %v", err)
	}
	if err := m.shut(); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "other.db")
	makeDB(t, foreign, func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket([]byte("messages"))
		return err
	})
	newer := filepath.Join(t.TempDir(), "newer.db")
	makeDB(t, newer, func(tx *bolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketHours, bucketMonths} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put(keyFormat, []byte{9})
	})
	locked := openMeter(t, filepath.Join(t.TempDir(), "usage.db"))
	text := write(t, "usage.db", strings.Repeat("this is no database\n", 1000))
	for _, c := range []struct{ path, problem string }{
		{foreign, "not a usage file"},
		{newer, "format 9"},
		{locked.path, "another process has it open"},
		{text, "damaged"},
		{t.TempDir(), "not a regular file"},
		{write(t, "short", "x"), "damaged"},
	} {
		before := stampOf(c.path)
		m := OpenMeter(c.path, MeterOptions{})
		if s := m.Stats(); s.Readable || s.FlushErrors != 1 {
			t.Errorf("%s: %+v", c.problem, s)
		}
		if err := m.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", c.problem, err)
		}
		if _, ok := m.Admit(alice, Search, noon, 1); !ok {
			t.Errorf("%s: a request was refused", c.problem)
		}
		_ = m.Close(t.Context())
		if stampOf(c.path) != before {
			t.Errorf("%s: the file was changed", c.problem)
		}
	}
}

func makeDB(t *testing.T, path string, fn func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(fn), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestUsageFileHoldsNoKey: the file does not give keys away.
func TestUsageFileHoldsNoKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	m := openMeter(t, path)
	c := Checker{Keys: openKeys(t, `[{"key":"`+secret+`","name":"the name"}]`), Meter: m}
	c.Check(noon, Request{Key: secret, Product: Search})
	shutMeter(t, m)
	if strings.Contains(read(t, path), secret) {
		t.Error("the key stands in the usage file")
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestVerifyAcceptsWhatBboltWrites over a growing file with free pages, branches
// and inline buckets.
func TestVerifyAcceptsWhatBboltWrites(t *testing.T) {
	m, path, _ := filled(t, 1)
	for n := 1; n <= 1<<11; n *= 4 {
		use(m, n)
		flush(t, m)
		if err := m.shut(); err != nil {
			t.Fatal(err)
		}
		if err := verifyUsage(path); err != nil {
			t.Errorf("%d keys: %v", n, err)
		}
		flush(t, m)
	}
	if err := verifyUsage(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Errorf("a missing file: %v", err)
	}
}

// FuzzUsageFile changes bytes of a sound file. Whatever the page walk lets
// through must be usable without anything worse than an error.
func FuzzUsageFile(f *testing.F) {
	m, path, _ := filled(f, 120)
	use(m, 60)
	flush(f, m)
	if err := m.shut(); err != nil {
		f.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte{0}, uint32(len(sound)))
	f.Add(uint32(4096*2+8), []byte{0xFF, 0xFF}, uint32(len(sound)))
	f.Add(uint32(4096*3+16), []byte{0xFF, 0xFF, 0xFF, 0x7F}, uint32(len(sound)))
	f.Add(uint32(0), []byte{}, uint32(9000))
	f.Fuzz(func(t *testing.T, at uint32, change []byte, length uint32) {
		data := bytes.Clone(sound)
		for i, c := range change[:min(len(change), 64)] {
			data[(int(at)+i)%len(data)] ^= c
		}
		data = data[:min(int(length), len(data))]
		file := filepath.Join(t.TempDir(), "usage.db")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		m := OpenMeter(file, MeterOptions{Clock: func() time.Time { return noon }})
		use(m, 40)
		_ = m.Flush(t.Context())
		_, _ = m.Report(t.Context(), &Holder{ID: KeyID("7")}, DaysWindow(noon, 366), true, noon)
		_ = m.Close(t.Context())
	})
}
