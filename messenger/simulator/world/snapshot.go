package world

import (
	"iter"
	"maps"
	"slices"

	"svc/messenger/simulator/world/record"
)

// records leads to the same world from nothing: what a snapshot holds.
func (w *World) records(next int64) iter.Seq[*record.Record] {
	return func(yield func(*record.Record) bool) {
		ok := yield(&record.Record{K: record.KindNext, UpTo: int(next), N: w.sentN}) &&
			yield(&record.Record{K: record.KindSecret, Key: w.secret}) &&
			yield(&record.Record{K: record.KindEpoch, N: w.files.epoch})
		for _, id := range slices.Sorted(maps.Keys(w.people)) {
			ok = ok && yield(&record.Record{K: record.KindPerson, Person: w.people[id]})
		}
		for _, number := range slices.Sorted(maps.Keys(w.phones)) {
			ok = ok && yield(&record.Record{K: record.KindPhone, Phone: w.phones[number]})
		}
		for _, k := range w.keys {
			ok = ok && yield(&record.Record{K: record.KindKey, Key: k.auth.Value[:], Account: k.account, Pending: k.pending, Ended: k.ended, DC: k.dc})
		}
		for _, c := range w.codes {
			ok = ok && yield(&record.Record{K: record.KindCode, Code: c})
		}
		for _, f := range w.files.all() {
			ok = ok && yield(&record.Record{K: record.KindFile, File: f})
		}
		for _, id := range slices.Sorted(maps.Keys(w.accounts)) {
			ok = ok && w.accounts[id].records(yield)
		}
	}
}

// records of an account: what is older than its updates first, then the updates as they
// happened.
func (a *account) records(yield func(*record.Record) bool) bool {
	ok := yield(&record.Record{K: record.KindLimit, Account: a.id, Limit: &a.limit, Tries: a.tries})
	fresh := map[int]bool{}
	for _, u := range a.updates {
		if u.Kind == New {
			fresh[u.Message.ID] = true
		}
	}
	for _, m := range a.messages {
		ok = ok && (fresh[m.ID] || yield(&record.Record{K: record.KindMessage, Account: a.id, Message: m}))
	}
	for kind, marks := range map[string]map[int64]int{record.KindRead: a.readIn, record.KindSeen: a.readOut} {
		for peer, upTo := range marks {
			ok = ok && yield(&record.Record{K: kind, Account: a.id, Peer: peer, UpTo: upTo})
		}
	}
	for id := range a.contacts {
		ok = ok && yield(&record.Record{K: record.KindContact, Account: a.id, Peer: id})
	}
	ids := append(slices.Clone(a.order[a.oldest:]), a.order[:a.oldest]...)
	ok = ok && yield(&record.Record{K: record.KindIDs, Account: a.id, IDs: ids})
	for _, u := range a.updates {
		ok = ok && yield(u.record(a.id))
	}
	return ok && yield(&record.Record{K: record.KindAccount, Account: a.id, UpTo: a.lastID, Pts: a.pts, Tries: a.tries})
}

var recordKinds = map[UpdateKind]string{
	New: record.KindMessage, Edited: record.KindEdit, Deleted: record.KindDelete, ReadIn: record.KindRead, ReadOut: record.KindSeen, Reacted: record.KindReact,
}

// record is the change that makes an update.
func (u Update) record(account int64) *record.Record {
	return &record.Record{K: recordKinds[u.Kind], Account: account, Pts: u.Pts, Message: u.Message, Peer: u.Peer, UpTo: u.UpTo, IDs: u.IDs}
}
