package world

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf16"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/sample"
	"svc/messenger/simulator/world/scene"
)

// Item is one message of a request to send: several make an album.
type Item struct {
	RandomID int64
	Text     string
	Entities []byte
	File     int64
}

// Outgoing is a request to send.
type Outgoing struct {
	Peer    Peer
	Items   []Item
	ReplyTo int
	// Origin is the session that asks, which gets the answer instead of the update.
	Origin any
}

// Peer is a person as a client names them.
type Peer struct {
	ID, Hash int64
	Self     bool
}

// Delivery is a message that was accepted.
type Delivery struct {
	Message *record.Message
	Pts     int
}

// The platform's own bounds of a message, in UTF-16 units.
const (
	maxText    = 4096
	maxCaption = 1024
)

// Send accepts messages of the account of a key, or answers as the platform does. The
// fate counts in both cases.
func (w *World) Send(k [8]byte, o Outgoing) (out []Delivery, fate scene.Fate, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.accountOf(k)
	if err != nil {
		return nil, fate, err
	}
	if err := checkItems(o.Items); err != nil {
		return nil, fate, err
	}
	p, err := w.peer(a, o.Peer)
	if err != nil {
		return nil, fate, err
	}
	if err := w.limited(a); err != nil {
		return nil, fate, err
	}
	for _, i := range o.Items {
		if _, ok := a.ids[i.RandomID]; ok {
			return nil, fate, platform("RANDOM_ID_DUPLICATE")
		}
	}
	a.tries++
	fate, taken, err := w.scenes.send(w, a)
	if err != nil || !taken {
		return nil, fate, err
	}
	if err := writable(p); err != nil {
		return nil, fate, err
	}
	return w.accept(a, p, o), fate, nil
}

func checkItems(items []Item) error {
	if len(items) == 0 || len(items) > record.MaxAlbum {
		return platform("MULTI_MEDIA_TOO_LONG")
	}
	for n, i := range items {
		units := len(utf16.Encode([]rune(i.Text)))
		switch {
		case i.RandomID == 0:
			return platform("RANDOM_ID_EMPTY")
		case i.Text == "" && i.File == 0:
			return platform("MESSAGE_EMPTY")
		case i.File == 0 && units > maxText:
			return platform("MESSAGE_TOO_LONG")
		case i.File != 0 && units > maxCaption:
			return platform("MEDIA_CAPTION_TOO_LONG")
		case slices.ContainsFunc(items[:n], func(x Item) bool { return x.RandomID == i.RandomID }):
			return platform("RANDOM_ID_DUPLICATE")
		}
	}
	return nil
}

// peer finds whom a client names; the account has to know the person.
func (w *World) peer(a *account, named Peer) (*record.Person, error) {
	id := named.ID
	if named.Self {
		id = a.id
	}
	p := w.person(id)
	if p == nil || !named.Self && named.Hash != w.hash(a.id, id) {
		return nil, errPeer
	}
	return p, nil
}

// limited is what keeps an account from writing now.
func (w *World) limited(a *account) error {
	l := a.limit
	wait := "FLOOD_WAIT_"
	if l.Premium {
		wait = "FLOOD_PREMIUM_WAIT_"
	}
	switch left := l.Until.Sub(w.o.Now()); {
	case l.Refuse != "":
		return platform(l.Refuse)
	case left > 0:
		return platform(wait + strconv.Itoa(int((left+time.Second-1)/time.Second)))
	case l.Sends > 0:
		l.Sends--
		w.setLimit(a, l)
		return platform(wait + strconv.Itoa(l.Seconds))
	}
	return nil
}

func (w *World) setLimit(a *account, l record.Limit) {
	w.put(&record.Record{K: record.KindLimit, Account: a.id, Limit: &l, Tries: a.tries})
}

func writable(p *record.Person) error {
	switch {
	case p.Deleted:
		return platform("INPUT_USER_DEACTIVATED")
	case p.Refuses != "":
		return platform(p.Refuses)
	case p.Bot:
		return platform("USER_IS_BOT")
	}
	return nil
}

// accept puts messages into the account, and into the other side's.
func (w *World) accept(a *account, p *record.Person, o Outgoing) []Delivery {
	at, group := w.o.Now().Unix(), int64(0)
	if len(o.Items) > 1 {
		group = o.Items[0].RandomID
	}
	out := make([]Delivery, 0, len(o.Items))
	other := w.accounts[p.ID]
	for _, i := range o.Items {
		m := &record.Message{
			ID: a.lastID + 1, Peer: p.ID, Out: true, At: at, Text: i.Text, Entities: i.Entities, File: i.File,
			ReplyTo: o.ReplyTo, Group: group, RandomID: i.RandomID,
		}
		r := &record.Record{K: record.KindMessage, Account: a.id, Message: m, Pts: a.pts + 1, Tries: a.tries, N: w.sentN + 1}
		w.put(r)
		if w.journal != nil {
			w.journal.AddSent(w.sentOf(a, r))
		}
		w.emit(a, o.Origin)
		out = append(out, Delivery{Message: m, Pts: r.Pts})
		if other != nil && other != a {
			w.receive(other, a.id, record.Message{Text: i.Text, Entities: i.Entities, File: i.File, Group: group})
		}
	}
	w.react(a, p, out[len(out)-1].Message.ID)
	return out
}

// receive puts a message of a person into an account.
func (w *World) receive(a *account, from int64, m record.Message) *record.Message {
	m.ID, m.Peer, m.At = a.lastID+1, from, w.o.Now().Unix()
	w.put(&record.Record{K: record.KindMessage, Account: a.id, Message: &m, Pts: a.pts + 1})
	w.emit(a, nil)
	return &m
}

// maxReplies bounds how many people are about to do something; others stay silent.
const maxReplies = 50_000

// react lets a person do what such a person does. It is lost when the process ends
// before, as a person may never come to it.
func (w *World) react(a *account, p *record.Person, upTo int) {
	for _, r := range p.Does {
		if w.replies.Add(1) > maxReplies {
			w.replies.Add(-1)
			return
		}
		time.AfterFunc(r.After, func() {
			defer w.replies.Add(-1)
			_ = w.do(func() error { // a failure of the journal shows at the next request
				if w.closed {
					return nil
				}
				return w.does(a, p.ID, upTo, r)
			})
		})
	}
}

func (w *World) does(a *account, person int64, upTo int, r record.Reaction) error {
	if r.Read || r.Say != "" {
		w.seen(a, person, upTo)
	}
	if m := a.find(upTo); m != nil && r.React != "" {
		w.mark(a, m, false, r.React)
	}
	if r.Say != "" {
		w.receive(a, person, record.Message{Text: r.Say})
	}
	if r.Send != "" {
		if _, err := w.addContent(a, person, false, record.Content{Files: []record.Attachment{sample.Attachment(r.Send, 0, 0)}}); err != nil {
			return err
		}
	}
	last := a.lastOf(person, false, 0)
	if last != 0 && r.Edit != "" {
		w.edit(a, a.find(last), r.Edit)
	}
	if last != 0 && r.Delete {
		_, _, err := w.remove(a, []int{last}, nil)
		return err
	}
	return nil
}

// seen notes that a person has read up to a message.
func (w *World) seen(a *account, person int64, upTo int) {
	if a.readOut[person] >= upTo {
		return
	}
	w.put(&record.Record{K: record.KindSeen, Account: a.id, Peer: person, UpTo: upTo, Pts: a.pts + 1})
	w.emit(a, nil)
}
