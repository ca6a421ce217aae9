package simulator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world/journal"
	"svc/messenger/simulator/world/record"
)

// After a restart clients find their sessions, ids, updates and files, and the log goes
// on.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Simulator, func()) {
		s, err := Open(Options{Dir: dir, Script: "person @vali id 500 name Vali"})
		ok(t, err)
		return s, run(t, s)
	}
	s, stop := open()
	ses, err := s.Session(alice)
	ok(t, err)
	c := connect(t, s, clientOptions{session: ses})
	vali := c.peer(t, "vali")
	if _, err := c.send(vali, 1, "before"); err != nil {
		t.Fatal(err)
	}
	if _, err = s.World().Say("500", alice, "answer"); err != nil {
		t.Fatal(err)
	}
	key := s.PublicKey().Fingerprint()
	c.stop()
	stop()

	s, stop = open()
	if s.PublicKey().Fingerprint() != key {
		t.Error("the server has another key")
	}
	c = connect(t, s, clientOptions{session: ses})
	_, err = c.send(vali, 1, "before")
	refused(t, err, 500, "RANDOM_ID_DUPLICATE")
	id, err := c.send(vali, 2, "after")
	ok(t, err)
	if id != 3 {
		t.Errorf("the id is %d, want 3", id)
	}
	d, err := c.API().UpdatesGetDifference(c.ctx, &tg.UpdatesGetDifferenceRequest{Pts: 1})
	ok(t, err)
	if n := len(d.(*tg.UpdatesDifference).NewMessages); n != 3 {
		t.Errorf("%d messages since the beginning", n)
	}
	c.stop()
	stop()
	var texts []string
	ok(t, journal.ReadLog(dir, func(s record.Sent) error {
		texts = append(texts, s.Text)
		return nil
	}))
	if len(texts) != 2 || texts[0] != "before" || texts[1] != "after" {
		t.Errorf("the log is %v", texts)
	}
	info, err := os.Stat(filepath.Join(dir, keyName))
	ok(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the key of the server has the mode %v", info.Mode())
	}
}
