package mapkey

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// childVar tells a copy of the test binary what to do instead of testing.
const childVar = "SVC_PLACE_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVar) {
	case "add":
		childAdd()
	case "flush":
		childFlush()
	default:
		os.Exit(m.Run())
	}
}

// noon is a moment in the middle of a month, a day and an hour.
var noon = time.Date(2026, 11, 21, 12, 34, 56, 0, time.UTC)

// write puts a file into a fresh folder.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// rewrite replaces a file's text and moves its time on, so that a poll sees it
// whatever the clock's grain.
func rewrite(t testing.TB, path, text string, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(age)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func openKeys(t testing.TB, text string) *Keys {
	t.Helper()
	k, err := OpenKeys(write(t, "keys.json", text), KeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func openMeter(t testing.TB, path string) *Meter {
	t.Helper()
	m := OpenMeter(path, MeterOptions{Clock: func() time.Time { return noon }})
	t.Cleanup(func() { _ = m.Close(t.Context()) })
	return m
}
