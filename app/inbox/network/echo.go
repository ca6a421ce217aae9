package network

import (
	"context"
	"encoding/json"
	"time"

	"golang.org/x/text/unicode/norm"

	outside "svc/app/channel"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/messenger/platform"
	"svc/messenger/platform/page"
	"svc/store"
	"svc/store/queue"
)

// Around an attempt its echo may come: before, as clocks differ, and after.
const (
	echoBefore = 5 * time.Second
	echoAfter  = 10 * time.Minute
	echoWait   = 30 * time.Second
)

// waitingEcho is the echo of a message that may be one of ours whose fate is not known yet.
type waitingEcho struct {
	ID      string       `json:"id"` // account and mid
	Account string       `json:"account"`
	Update  store.Sealed `json:"update"`
}

var (
	echoes     = store.NewTable("network_echo", "", func(e *waitingEcho) string { return e.ID })
	echoUpdate = echoes.Sealed("update", func(e *waitingEcho) *store.Sealed { return &e.Update })
)

// listening is the job that decides about an echo that waited.
type listening struct {
	Org     string       `json:"org"`
	Channel channel.Name `json:"channel"`
	Echo    string       `json:"echo"`
}

func (listening) Kind() string      { return "inbox.echo" }
func (listening) Queue() queue.Name { return queue.Inbound }

// echo takes a message that the account sent: one of ours, or one that somebody typed in the
// network's own app.
func (n *Network) echo(tx *store.Tx, at channel.At, u *platform.Update) error {
	ours, open, err := n.recognise(tx, at, u)
	if err != nil || ours {
		return err
	}
	if !open {
		return n.store(tx, at, u)
	}
	if err := beside(tx, at, u.Person); err != nil {
		return err
	}
	e := waitingEcho{ID: at.Account + ":" + u.Message.ID, Account: at.Account}
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	if err := echoUpdate.Set(tx, at.Org, &e, data); err != nil {
		return err
	}
	if err := echoes.Put(tx, at.Org, &e); err != nil {
		return err
	}
	_, err = queue.Add(tx, listening{at.Org, at.Channel, e.ID}, tx.DB().Now().Add(echoWait), queue.Once(e.ID), queue.For(at.Org, at.Account))
	return err
}

// beside notes, with the reply whose fate is not known, that the account sent something else since:
// marks of what was delivered prove nothing of it any more.
func beside(tx *store.Tx, at channel.At, person string) error {
	s, err := openWith(tx, at, person)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	for i := range s.Parts {
		s.Parts[i].Beside = s.Parts[i].Beside || s.Parts[i].open()
	}
	return sends.Put(tx, at.Org, &s)
}

// decide takes an echo that waited long enough.
func (n *Network) decide(tx *store.Tx, a listening) error {
	e, err := echoes.Get(tx, a.Org, a.Echo)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	data, err := echoUpdate.Open(tx.DB(), a.Org, &e)
	if err != nil {
		return err
	}
	var u platform.Update
	if err := json.Unmarshal(data, &u); err != nil {
		return err
	}
	if err := echoes.Delete(tx, a.Org, e.ID); err != nil {
		return err
	}
	acc, err := outside.Get(tx, a.Org, e.Account)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	at := channel.At{Org: a.Org, Account: acc.ID, Owner: acc.ExternalID, Channel: n.o.Name}
	ours, _, err := n.recognise(tx, at, &u)
	if err != nil || ours {
		return err
	}
	return n.store(tx, at, &u)
}

// recognise says whether an echo is of a message of ours, and notes that it arrived. open: there
// is a message of ours on the thread whose fate is not known.
func (n *Network) recognise(tx *store.Tx, at channel.At, u *platform.Update) (ours, open bool, err error) {
	mid := u.Message.ID
	if _, err := conversation.OfPart(tx, at.Org, at.Owner, mid); !store.IsNotFound(err) {
		return err == nil, false, err
	}
	if _, err := byMID.First(tx, at.Org, store.Is(store.Tuple(store.Text(at.Account), store.Text(mid)))); !store.IsNotFound(err) {
		return err == nil, false, err
	}
	if name := page.Tagged(u.Message.Tag); name != "" {
		s, i, err := ofPartName(tx, at.Org, name)
		if err != nil {
			return true, false, store.IgnoreNotFound(err) // of ours, and forgotten
		}
		return true, false, n.prove(tx, at.Org, &s, i, mid)
	}
	k, err := conversation.Of(tx, at.Org, at.Channel, at.Owner, u.Person)
	if err != nil {
		return false, false, store.IgnoreNotFound(err)
	}
	candidates, err := candidatesOf(tx, at.Org, k.ID)
	for x := range candidates {
		s := &candidates[x]
		for i := range s.Parts {
			p := &s.Parts[i]
			if err != nil || !p.open() && !(s.Lost && p.State == Refused) {
				continue
			}
			open = open || p.open()
			if n.o.Name != channel.PhotoNetwork || u.At.Before(p.CalledAt.Add(-echoBefore)) || u.At.After(p.CalledAt.Add(echoAfter)) {
				continue
			}
			same, err := n.equal(tx, at.Org, s, i, &u.Message)
			if err != nil || same {
				return same, false, firstOf(err, func() error { return n.prove(tx, at.Org, s, i, mid) })
			}
		}
	}
	return false, open, err
}

func firstOf(err error, otherwise func() error) error {
	if err != nil {
		return err
	}
	return otherwise()
}

// mostCandidates bounds the replies of a conversation that are looked at.
const mostCandidates = 50

// candidatesOf are the replies of a conversation that an echo may be of, the oldest first.
func candidatesOf(tx *store.Tx, org, conversationID string) ([]send, error) {
	of := store.Range{Span: store.Is(store.Tuple(store.Text(conversationID))), Limit: mostCandidates}
	gone, _, err := lost.Walk(tx, org, of)
	if err != nil {
		return nil, err
	}
	list, _, err := unsettled.Walk(tx, org, of)
	return append(gone, list...), err
}

// equal says whether a message of the network says what a part says.
func (n *Network) equal(tx *store.Tx, org string, s *send, i int, m *platform.Message) (bool, error) {
	p := &s.Parts[i]
	ours, err := conversation.GetMessage(tx, org, s.ID)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	if !m.At.IsZero() && m.At.Before(p.CalledAt.Add(-echoBefore)) {
		return false, nil
	}
	if p.File < 0 {
		words, err := ours.Open(tx.DB(), org)
		return len(m.Attachments) == 0 && norm.NFC.String(words.Text) == norm.NFC.String(m.Text), err
	}
	if p.File >= len(ours.Files) || len(m.Attachments) != 1 {
		return false, nil
	}
	got := kinds[m.Attachments[0].Kind]
	switch want := ours.Files[p.File].Kind; want {
	case channel.Voice, channel.Audio:
		return got == channel.Audio, nil
	case channel.Animation:
		return got == channel.Photo || got == channel.Animation, nil
	default:
		return got == want, nil
	}
}

// proven takes a mark up to which the network delivered, or the customer read: it proves what was
// asked for before it, where nothing else was sent since.
func (n *Network) proven(tx *store.Tx, at channel.At, person string, watermark time.Time) error {
	if watermark.IsZero() || n.o.Name != channel.PageNetwork {
		return nil
	}
	s, err := openWith(tx, at, person)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		if p.State != Uncertain {
			continue
		}
		if watermark.Before(p.CalledAt) {
			return nil
		}
		if p.Beside { // that may be what was delivered
			return nil
		}
		return n.prove(tx, at.Org, &s, i, "")
	}
	return nil
}

// listen does the job of an echo that waited.
func (n *Network) listen(ctx context.Context, j queue.Job, a listening) error {
	return n.db.Update(ctx, func(tx *store.Tx) error {
		if err := n.decide(tx, a); err != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
}
