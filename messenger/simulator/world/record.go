package world

// The kinds of records. They stand in files and never change.
const (
	kindSecret  = "secret"
	kindKey     = "key"    // a key, what it is signed in to, or how it ended
	kindForget  = "forget" // a key that the platform no longer knows
	kindPhone   = "phone"
	kindPerson  = "person"
	kindCode    = "code"
	kindMessage = "message"
	kindRead    = "read" // the account read what a person wrote
	kindSeen    = "seen" // a person read what the account wrote
	kindEdit    = "edit"
	kindDelete  = "delete"
	kindReact   = "react" // a message has other reactions
	kindLimit   = "limit"
	kindContact = "contact"
	kindFile    = "file"
	kindEpoch   = "epoch"
	kindAccount = "account" // counters, in a snapshot
	kindIDs     = "ids"     // random ids, in a snapshot
	kindNext    = "next"    // which journal goes on from a snapshot
)

// record is one change of the world, a line of the journal. A snapshot is records too:
// those that lead to the same world.
type record struct {
	K       string   `json:"k"`
	Account int64    `json:"a,omitempty"`
	Peer    int64    `json:"p,omitempty"`
	UpTo    int      `json:"u,omitempty"`
	Pts     int      `json:"pts,omitempty"`
	Tries   int      `json:"t,omitempty"`
	N       int64    `json:"n,omitempty"`
	IDs     []int64  `json:"i,omitempty"`
	Key     []byte   `json:"key,omitempty"`
	DC      int      `json:"dc,omitempty"`
	Pending int64    `json:"w,omitempty"`
	Ended   string   `json:"e,omitempty"`
	Message *Message `json:"m,omitempty"`
	Phone   *Phone   `json:"ph,omitempty"`
	Person  *Person  `json:"pe,omitempty"`
	Code    *code    `json:"c,omitempty"`
	Limit   *limit   `json:"l,omitempty"`
	File    *File    `json:"f,omitempty"`
}

// apply changes the memory. It is the only place that does, so that a replay ends where
// the process ended.
func (w *World) apply(r *record) {
	switch r.K {
	case kindSecret:
		w.secret = r.Key
	case kindKey, kindForget:
		w.applyKey(r)
	case kindPhone:
		w.applyPhone(r.Phone)
	case kindPerson:
		w.applyPerson(r.Person)
	case kindCode:
		w.codes[r.Code.Phone] = r.Code
	case kindFile:
		w.files.add(r.File)
	case kindEpoch:
		w.files.epoch = r.N
	case kindNext:
		w.sentN = r.N
	default:
		if a := w.accounts[r.Account]; a != nil {
			w.applyAccount(a, r)
		}
	}
}

func (w *World) applyAccount(a *account, r *record) {
	switch r.K {
	case kindMessage:
		w.applyMessage(a, r)
	case kindRead, kindSeen:
		a.advance(r.Pts)
		marks := a.readIn
		if r.K == kindSeen {
			marks = a.readOut
		}
		marks[r.Peer] = max(marks[r.Peer], r.UpTo)
		if r.Pts > 0 {
			a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: readKinds[r.K], Peer: r.Peer, UpTo: r.UpTo})
		}
	case kindEdit:
		a.advance(r.Pts)
		if m := a.find(r.Message.ID); m != nil {
			a.replace(r.Message)
		}
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: Edited, Message: r.Message, Peer: r.Message.Peer})
	case kindReact:
		a.advance(r.Pts)
		a.replace(r.Message)
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: 1, Kind: Reacted, Message: r.Message, Peer: r.Message.Peer})
	case kindDelete:
		a.advance(r.Pts)
		a.remove(r.IDs)
		a.log(w.o.Keep, Update{Pts: r.Pts, Count: len(r.IDs), Kind: Deleted, IDs: r.IDs})
	case kindLimit:
		a.limit, a.tries = *r.Limit, max(a.tries, r.Tries)
	case kindContact:
		a.contacts[r.Peer] = true
	case kindAccount:
		a.pts, a.lastID, a.tries = r.Pts, r.UpTo, r.Tries
	case kindIDs:
		for _, id := range r.IDs {
			a.took(id)
		}
	}
}

var readKinds = map[string]UpdateKind{kindRead: ReadIn, kindSeen: ReadOut}

func (w *World) applyMessage(a *account, r *record) {
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

func (w *World) applyKey(r *record) {
	k := authKey(r.Key)
	if r.K == kindForget {
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
