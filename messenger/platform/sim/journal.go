package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc/messenger/platform"
)

// line is a line of the journal.
type line struct {
	Account string  `json:"account"`
	Network string  `json:"network"`
	Person  string  `json:"person"`
	Message message `json:"message"`
}

const journalName = "sent.jsonl"

// openJournal reads what was said before, and goes on behind it.
func (s *Simulator) openJournal() error {
	if s.o.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return fmt.Errorf("platform simulator: %w", err)
	}
	path := filepath.Join(s.o.Dir, journalName)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("platform simulator: %w", err)
	}
	whole := 0
	for {
		end := strings.IndexByte(string(data[whole:]), '\n')
		if end < 0 {
			break
		}
		var l line
		if json.Unmarshal(data[whole:whole+end], &l) == nil {
			s.replay(&l)
		}
		whole += end + 1
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("platform simulator: %w", err)
	}
	if err := errors.Join(f.Truncate(int64(whole)), seekEnd(f)); err != nil { // a line that was cut is none
		return errors.Join(err, f.Close())
	}
	s.journal = f
	return nil
}

func seekEnd(f *os.File) error {
	_, err := f.Seek(0, 2)
	return err
}

func (s *Simulator) replay(l *line) {
	network := platform.Name(l.Network)
	a := s.account(network, l.Account)
	if a == nil {
		a = s.addAccount(network, l.Account, l.Account)
	}
	t := s.thread(a, s.person(network, l.Person))
	m := l.Message
	s.seq++
	if i := slices.IndexFunc(t.messages, func(x *message) bool { return x.MID == m.MID }); i >= 0 {
		t.messages[i] = &m
		return
	}
	t.add(&m)
}

// record writes a message down, before anybody hears of it.
func (s *Simulator) record(a *account, p *person, m *message) {
	if s.journal == nil {
		return
	}
	data, err := json.Marshal(line{Account: a.username, Network: string(a.network), Person: p.username, Message: *m})
	if err == nil {
		_, err = s.journal.Write(append(data, '\n'))
	}
	if err != nil {
		s.o.Log.Error("platform simulator: the journal is not written", "error", err)
	}
}
