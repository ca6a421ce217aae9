package world

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Sent is one message that the platform accepted from a client: a line of the
// simulator's own log.
type Sent struct {
	N         int64     `json:"n"` // counts from 1, over all accounts
	At        time.Time `json:"at"`
	Account   string    `json:"account"` // the number
	Peer      int64     `json:"peer"`
	RandomID  int64     `json:"random_id"`
	MessageID int       `json:"message_id"`
	Text      string    `json:"text,omitempty"`
	File      string    `json:"file,omitempty"`  // SHA-256 of the content, in hex
	Photo     bool      `json:"photo,omitempty"` // the file is shown as a picture
	Group     int64     `json:"group,omitempty"`
	ReplyTo   int       `json:"reply_to,omitempty"`
}

func (w *World) sentOf(a *account, r *record) Sent {
	m := r.Message
	s := Sent{
		N: r.N, At: time.Unix(m.At, 0).UTC(), Account: a.phone, Peer: m.Peer, RandomID: m.RandomID,
		MessageID: m.ID, Text: m.Text, Group: m.Group, ReplyTo: m.ReplyTo,
	}
	if f := w.files.get(m.File); f != nil {
		s.File, s.Photo = f.Hash, f.Photo
	}
	return s
}

// noteSent keeps the log in memory when there is no folder for it.
func (w *World) noteSent(a *account, r *record) {
	w.sentN = max(w.sentN, r.N)
	if w.o.Dir == "" {
		w.sent = append(w.sent, w.sentOf(a, r))
	}
}

// sentLine is the line of a message for the log, as it is found in the journal.
func (w *World) sentLine(dst []byte, r *record) []byte {
	a := w.accounts[r.Account]
	if a == nil {
		return dst
	}
	s := w.sentOf(a, r)
	return append(s.encode(dst), '\n')
}

// Log gives every message that was ever accepted, in order. A world on disk reads its
// file, so a caller that wants all of a long campaign uses ReadLog.
func (w *World) Log() ([]Sent, error) {
	if w.o.Dir != "" {
		var out []Sent
		if err := w.Commit(); err != nil {
			return nil, err
		}
		err := ReadLog(w.o.Dir, func(s Sent) error {
			out = append(out, s)
			return nil
		})
		return out, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Sent(nil), w.sent...), nil
}

// SentTo gives the messages that one person got.
func (w *World) SentTo(person int64) ([]Sent, error) {
	all, err := w.Log()
	var out []Sent
	for _, s := range all {
		if s.Peer == person {
			out = append(out, s)
		}
	}
	return out, err
}

// Accepted is how many messages were ever accepted.
func (w *World) Accepted() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sentN
}

// ReadLog reads the log in the folder of a world, also while another process writes it:
// a line that is not whole yet is left out.
func ReadLog(dir string, f func(Sent) error) error {
	file, err := os.Open(filepath.Join(dir, SentName))
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var s Sent
		if err := json.Unmarshal(line, &s); err != nil {
			return err
		}
		if err := f(s); err != nil {
			return err
		}
	}
}
