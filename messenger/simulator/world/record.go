package world

import "svc/messenger/simulator/world/record"

// apply changes the memory. It is the only place that does, so that a replay ends where
// the process ended.
func (w *World) apply(r *record.Record) {
	switch r.K {
	case record.KindSecret:
		w.secret = r.Key
	case record.KindKey, record.KindForget:
		w.applyKey(r)
	case record.KindPhone:
		w.applyPhone(r.Phone)
	case record.KindPerson:
		w.applyPerson(r.Person)
	case record.KindCode:
		w.codes[r.Code.Phone] = r.Code
	case record.KindFile:
		w.files.add(r.File)
	case record.KindEpoch:
		w.files.epoch = r.N
	case record.KindNext:
		w.sentN = r.N
	default:
		if a := w.accounts[r.Account]; a != nil {
			w.applyAccount(a, r)
		}
	}
}

func (w *World) applyAccount(a *account, r *record.Record) {
	switch r.K {
	case record.KindMessage:
		w.applyMessage(a, r)
	case record.KindRead, record.KindSeen:
		a.advance(r.Pts)
		marks := a.readIn
		if r.K == record.KindSeen {
			marks = a.readOut
		}
		marks[r.Peer] = max(marks[r.Peer], r.UpTo)
		if r.Pts > 0 {
			a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: readKinds[r.K], Peer: r.Peer, UpTo: r.UpTo})
		}
	case record.KindEdit:
		a.advance(r.Pts)
		if m := a.find(r.Message.ID); m != nil {
			a.replace(r.Message)
		}
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: Edited, Message: r.Message, Peer: r.Message.Peer})
	case record.KindReact:
		a.advance(r.Pts)
		a.replace(r.Message)
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: Reacted, Message: r.Message, Peer: r.Message.Peer})
	case record.KindDelete:
		a.advance(r.Pts)
		a.remove(r.IDs)
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: len(r.IDs), Kind: Deleted, IDs: r.IDs})
	case record.KindLimit:
		a.limit, a.tries = *r.Limit, max(a.tries, r.Tries)
	case record.KindContact:
		a.contacts[r.Peer] = true
	case record.KindAccount:
		a.pts, a.lastID, a.tries = r.Pts, r.UpTo, r.Tries
	case record.KindIDs:
		for _, id := range r.IDs {
			a.took(id)
		}
	}
}

var readKinds = map[string]UpdateKind{record.KindRead: ReadIn, record.KindSeen: ReadOut}

func (w *World) applyMessage(a *account, r *record.Record) {
	m := r.Message
	a.lastID, a.tries = max(a.lastID, m.ID), max(a.tries, r.Tries)
	a.advance(r.Pts)
	if m.RandomID != 0 {
		a.took(m.RandomID)
	}
	a.messages = append(a.messages, m)
	a.trim(w.o.Keep)
	if r.Pts > 0 { // a snapshot keeps the messages, not the updates about them
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: New, Message: m, Peer: m.Peer})
	}
	if r.N > 0 {
		w.noteSent(a, r)
	}
}

// idleKeys is how many keys without an account are kept: a key costs nothing to make.
const idleKeys = 4096

func (w *World) applyKey(r *record.Record) {
	k := authKey(r.Key)
	if r.K == record.KindForget {
		delete(w.keys, k.ID)
		return
	}
	old := w.keys[k.ID]
	next := &key{auth: k, account: r.Account, pending: r.Pending, ended: r.Ended, dc: r.DC}
	if old != nil {
		next.device, next.dc = old.device, old.dc
	}
	w.keys[k.ID] = next
	if old != nil || r.Account != 0 {
		return
	}
	w.idle = append(w.idle, k.ID)
	for len(w.idle) > idleKeys {
		if k := w.keys[w.idle[0]]; k != nil && k.account == 0 && k.pending == 0 {
			delete(w.keys, w.idle[0])
		}
		w.idle = w.idle[1:]
	}
}
