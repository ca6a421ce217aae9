package world

import (
	"slices"
	"sort"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/scene"
)

// UpdateKind says what an update is about.
type UpdateKind uint8

// The kinds of updates.
const (
	New UpdateKind = iota + 1
	Edited
	Deleted
	ReadIn  // the account read up to a message
	ReadOut // the person read up to a message
	Reacted // a message has other reactions
)

// Update is one step of an account's update sequence.
type Update struct {
	Pts, Count int
	Kind       UpdateKind
	Message    *record.Message
	Peer       int64
	UpTo       int
	IDs        []int64
}

// account is a person whose phone has signed in.
type account struct {
	id       int64
	phone    string
	lastID   int
	pts      int
	tries    int                     // messages that were tried, which scenes count
	resolved int                     // usernames that were asked for
	books    int                     // times that the address book was asked for
	asks     [scene.CountedKinds]int // other questions, by what is counted
	lose     int                     // pushes that will get lost
	limit    record.Limit
	messages []*record.Message // by id
	updates  []Update          // by pts
	readIn   map[int64]int
	readOut  map[int64]int
	contacts map[int64]bool
	ids      map[int64]struct{}
	order    []int64 // ids as they came, a ring
	oldest   int
}

func newAccount(id int64, phone string) *account {
	return &account{
		id: id, phone: phone, pts: 1,
		readIn: map[int64]int{}, readOut: map[int64]int{}, contacts: map[int64]bool{}, ids: map[int64]struct{}{},
	}
}

// took remembers a random id.
func (a *account) took(id int64) {
	if _, ok := a.ids[id]; ok {
		return
	}
	a.ids[id] = struct{}{}
	if len(a.order) < idsKept {
		a.order = append(a.order, id)
		return
	}
	delete(a.ids, a.order[a.oldest])
	a.order[a.oldest] = id
	a.oldest = (a.oldest + 1) % idsKept
}

func (a *account) advance(pts int) { a.pts = max(a.pts, pts) }

func (a *account) log(keep int, u Update) {
	a.updates = append(a.updates, u)
	if len(a.updates) > 2*keep {
		a.updates = slices.Clone(a.updates[len(a.updates)-keep:])
	}
}

// trim forgets old messages, and how far dialogs were read of which none is left.
func (a *account) trim(keep int) {
	if len(a.messages) <= 2*keep {
		return
	}
	a.messages = slices.Clone(a.messages[len(a.messages)-keep:])
	left := map[int64]bool{}
	for _, m := range a.messages {
		left[m.Peer] = true
	}
	for _, marks := range []map[int64]int{a.readIn, a.readOut} {
		for peer := range marks {
			if !left[peer] {
				delete(marks, peer)
			}
		}
	}
}

func (a *account) index(id int) (int, bool) {
	i := sort.Search(len(a.messages), func(i int) bool { return a.messages[i].ID >= id })
	return i, i < len(a.messages) && a.messages[i].ID == id
}

func (a *account) find(id int) *record.Message {
	if i, ok := a.index(id); ok {
		return a.messages[i]
	}
	return nil
}

// replace puts a newer version; messages are never changed, for updates point at them.
func (a *account) replace(m *record.Message) {
	if i, ok := a.index(m.ID); ok {
		a.messages[i] = m
	}
}

func (a *account) remove(ids []int64) {
	a.messages = slices.DeleteFunc(a.messages, func(m *record.Message) bool { return slices.Contains(ids, int64(m.ID)) })
}

// tell adds an update to what clients are told, except to the session that caused it.
func (w *World) emit(a *account, origin any) {
	e := Event{Account: a.id, Update: a.updates[len(a.updates)-1], Origin: origin}
	if a.lose > 0 {
		a.lose--
		e.Lost = true
	}
	w.events = append(w.events, e)
}
