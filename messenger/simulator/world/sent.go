package world

import (
	"iter"
	"time"

	"svc/messenger/simulator/world/journal"
	"svc/messenger/simulator/world/record"
)

func (w *World) sentOf(a *account, r *record.Record) record.Sent {
	m := r.Message
	s := record.Sent{
		N: r.N, At: time.Unix(m.At, 0).UTC(), Account: a.phone, Peer: m.Peer, RandomID: m.RandomID,
		MessageID: m.ID, Text: m.Text, Group: m.Group, ReplyTo: m.ReplyTo,
	}
	if f := w.files.get(m.File); f != nil {
		s.File, s.Photo = f.Hash, f.Photo
	}
	return s
}

// noteSent keeps the log in memory when there is no folder for it.
func (w *World) noteSent(a *account, r *record.Record) {
	w.sentN = max(w.sentN, r.N)
	if w.o.Dir == "" {
		w.sent = append(w.sent, w.sentOf(a, r))
	}
}

// replayed is the world as its journal changes it at the start.
type replayed struct{ w *World }

func (p replayed) Apply(r *record.Record) { p.w.apply(r) }

func (p replayed) SentOf(r *record.Record) (record.Sent, bool) {
	a := p.w.accounts[r.Account]
	if a == nil {
		return record.Sent{}, false
	}
	return p.w.sentOf(a, r), true
}

func (p replayed) Logged(n int64) { p.w.sentN = max(p.w.sentN, n) }

func (p replayed) Records(next int64) iter.Seq[*record.Record] { return p.w.records(next) }

// Log gives every message that was ever accepted, in order. A world on disk reads its
// file, so a caller that wants all of a long campaign uses ReadLog.
func (w *World) Log() ([]record.Sent, error) {
	if w.o.Dir != "" {
		var out []record.Sent
		if err := w.Commit(); err != nil {
			return nil, err
		}
		err := journal.ReadLog(w.o.Dir, func(s record.Sent) error {
			out = append(out, s)
			return nil
		})
		return out, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]record.Sent(nil), w.sent...), nil
}

// SentTo gives the messages that one person got.
func (w *World) SentTo(person int64) ([]record.Sent, error) {
	all, err := w.Log()
	var out []record.Sent
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
