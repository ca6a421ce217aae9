package world

import (
	"cmp"
	"slices"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/scene"
)

// State is where the update sequence of an account stands.
type State struct {
	Pts    int
	Date   int64
	Unread int
}

// StateOf is where the updates of the account of a key stand.
func (w *World) StateOf(k [8]byte) (State, error) {
	return of(w, k, func(a *account) (State, error) {
		return State{Pts: a.pts, Date: w.o.Now().Unix(), Unread: a.unread(0)}, nil
	})
}

// Difference is what happened since a state.
type Difference struct {
	Updates []Update // in order
	State   State    // after them
	More    bool     // there is more after them
	TooLong bool     // too much is forgotten; State is the newest
}

// Difference gives the updates after pts, at most limit of them.
func (w *World) Difference(k [8]byte, pts, limit int) (Difference, error) {
	return of(w, k, func(a *account) (Difference, error) {
		d := Difference{State: State{Pts: a.pts, Date: w.o.Now().Unix()}}
		i, _ := slices.BinarySearchFunc(a.updates, pts+1, func(u Update, pts int) int { return cmp.Compare(u.Pts, pts) })
		d.Updates = slices.Clone(a.updates[i:])
		if pts >= a.pts {
			d.Updates = nil
			return d, nil
		}
		if len(d.Updates) == 0 || d.Updates[0].Pts-d.Updates[0].Count > pts {
			d.Updates, d.TooLong = nil, true
			return d, nil
		}
		if len(d.Updates) > limit {
			d.Updates, d.More = d.Updates[:limit], true
			d.State.Pts = d.Updates[limit-1].Pts
		}
		return d, nil
	})
}

// ReadHistory marks what a person wrote as read and answers with the step of the
// sequence; a count of 0 when nothing was unread.
func (w *World) ReadHistory(k [8]byte, named Peer, upTo int, origin any) (pts, count int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.accountOf(k)
	if err != nil {
		return 0, 0, err
	}
	p, err := w.peer(a, named)
	if err != nil {
		return 0, 0, err
	}
	last := a.lastOf(p.ID, false, upTo)
	if last <= a.readIn[p.ID] {
		return a.pts, 0, nil
	}
	w.put(&record.Record{K: record.KindRead, Account: a.id, Peer: p.ID, UpTo: last, Pts: a.pts + 1})
	w.emit(a, origin)
	return a.pts, 1, nil
}

// Delete removes messages of the account.
func (w *World) Delete(k [8]byte, ids []int, origin any) (pts, count int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.accountOf(k)
	if err != nil {
		return 0, 0, err
	}
	return w.remove(a, ids, origin)
}

func (w *World) remove(a *account, ids []int, origin any) (pts, count int, err error) {
	var there []int64
	for _, id := range ids {
		if a.find(id) != nil && !slices.Contains(there, int64(id)) {
			there = append(there, int64(id))
		}
	}
	if len(there) == 0 {
		return a.pts, 0, nil
	}
	w.put(&record.Record{K: record.KindDelete, Account: a.id, IDs: there, Pts: a.pts + len(there)})
	w.emit(a, origin)
	return a.pts, len(there), nil
}

// unread counts what a person wrote, or everybody for 0, that the account has not read.
func (a *account) unread(person int64) (n int) {
	for _, m := range a.messages {
		if !m.Out && (person == 0 || m.Peer == person) && m.ID > a.readIn[m.Peer] {
			n++
		}
	}
	return n
}

// Dialog is one conversation of an account.
type Dialog struct {
	Peer            int64
	Top             *record.Message
	Unread          int
	ReadIn, ReadOut int
}

// Dialogs are the conversations with messages before a message id (0 for all), newest
// first, and how many there are.
func (w *World) Dialogs(k [8]byte, before, limit int) ([]Dialog, int, error) {
	total := 0
	out, err := of(w, k, func(a *account) ([]Dialog, error) {
		if err := w.question(a, scene.Dialogs); err != nil {
			return nil, err
		}
		last := map[int64]bool{}
		var out []Dialog
		for _, m := range slices.Backward(a.messages) {
			if last[m.Peer] {
				continue
			}
			last[m.Peer] = true
			if (before == 0 || m.ID < before) && len(out) < limit {
				out = append(out, Dialog{
					Peer: m.Peer, Top: m, Unread: a.unread(m.Peer), ReadIn: a.readIn[m.Peer], ReadOut: a.readOut[m.Peer],
				})
			}
		}
		total = len(last)
		return out, nil
	})
	return out, total, err
}

// History are messages with a person, newest first: those before an id (0 for all),
// after skipping some.
func (w *World) History(k [8]byte, named Peer, before, skip, limit int) ([]*record.Message, int, error) {
	total := 0
	out, err := of(w, k, func(a *account) ([]*record.Message, error) {
		if err := w.question(a, scene.Histories); err != nil {
			return nil, err
		}
		p, err := w.peer(a, named)
		if err != nil {
			return nil, err
		}
		var out []*record.Message
		for _, m := range slices.Backward(a.messages) {
			if m.Peer != p.ID {
				continue
			}
			total++
			if before > 0 && m.ID >= before || len(out) >= limit {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			out = append(out, m)
		}
		return out, nil
	})
	return out, total, err
}

// Messages are messages of an account by their ids; nil for those that are not there.
func (w *World) Messages(k [8]byte, ids []int) ([]*record.Message, error) {
	return of(w, k, func(a *account) ([]*record.Message, error) {
		out := make([]*record.Message, len(ids))
		for i, id := range ids {
			out[i] = a.find(id)
		}
		return out, nil
	})
}

// Seen is a person as an account sees them.
type Seen struct {
	record.Person
	Hash    int64
	Self    bool
	Contact bool
}

func (w *World) seenBy(a *account, p *record.Person) Seen {
	return Seen{Person: *p, Hash: w.hash(a.id, p.ID), Self: p.ID == a.id, Contact: a.contacts[p.ID]}
}

// People are persons as an account sees them; ids of nobody are left out.
func (w *World) People(account int64, ids ...int64) []Seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.accounts[account]
	if a == nil {
		return nil
	}
	out := make([]Seen, 0, len(ids))
	for _, id := range ids {
		if id == serviceUser {
			out = append(out, Seen{Person: record.Person{ID: serviceUser, First: "Messenger"}, Hash: w.hash(a.id, id)})
		} else if p := w.person(id); p != nil {
			out = append(out, w.seenBy(a, p))
		}
	}
	return out
}

// Know is a person that a client names by id and hash.
func (w *World) Know(k [8]byte, named Peer) (Seen, error) {
	return of(w, k, func(a *account) (Seen, error) {
		p, err := w.peer(a, named)
		if err != nil {
			return Seen{}, err
		}
		return w.seenBy(a, p), nil
	})
}

// Resolve finds who has a username.
func (w *World) Resolve(k [8]byte, username string) (Seen, error) {
	return of(w, k, func(a *account) (Seen, error) {
		a.resolved++
		if err := w.scenes.asked(w, a, scene.Resolves, a.resolved); err != nil {
			return Seen{}, err
		}
		if !validName(username) {
			return Seen{}, platform("USERNAME_INVALID")
		}
		p := w.named(username)
		if p == nil {
			return Seen{}, platform("USERNAME_NOT_OCCUPIED")
		}
		return w.seenBy(a, p), nil // also somebody whose account was deleted: the answer says so
	})
}

// ResolvePhone finds who has a number.
func (w *World) ResolvePhone(k [8]byte, number string) (Seen, error) {
	return of(w, k, func(a *account) (Seen, error) {
		number, err := record.NormalNumber(number)
		if p := w.phones[number]; err == nil && p != nil && !p.Unregistered {
			return w.seenBy(a, w.person(p.Person.ID)), nil
		}
		return Seen{}, platform("PHONE_NOT_OCCUPIED")
	})
}

// Contacts are the people in the address book of an account, by id.
func (w *World) Contacts(k [8]byte) ([]Seen, error) {
	return of(w, k, func(a *account) ([]Seen, error) {
		a.books++
		if err := w.scenes.asked(w, a, scene.Books, a.books); err != nil {
			return nil, err
		}
		var out []Seen
		for id := range a.contacts {
			if p := w.person(id); p != nil {
				out = append(out, w.seenBy(a, p))
			}
		}
		slices.SortFunc(out, func(x, y Seen) int { return cmp.Compare(x.ID, y.ID) })
		return out, nil
	})
}

func validName(name string) bool {
	if len(name) < 2 || len(name) > 32 {
		return false
	}
	for i, c := range []byte(name) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}
