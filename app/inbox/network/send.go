package network

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/queue"
)

// PartState is where a part of a reply is (contract 60.53).
type PartState string

// The states.
const (
	Waiting   PartState = "WAITING"
	Calling   PartState = "CALLING"
	Uncertain PartState = "UNCERTAIN"
	Sent      PartState = "SENT"
	Refused   PartState = "REFUSED"
)

// partLife is what may happen to a part.
var partLife = api.Table[PartState, PartState]{
	{From: []PartState{Waiting}, On: Calling, To: Calling},
	{From: []PartState{Calling, Uncertain}, On: Waiting, To: Waiting}, // certainly not sent, or sent again once
	{From: []PartState{Calling}, On: Uncertain, To: Uncertain},
	{From: []PartState{Calling, Uncertain}, On: Sent, To: Sent},
	{From: []PartState{Waiting, Calling, Uncertain}, On: Refused, To: Refused},
}

// part is one request of a reply: its text, or a file.
type part struct {
	File     int       `json:"file"` // of the message; -1: the text
	State    PartState `json:"state"`
	Attempts int       `json:"attempts,omitempty"`
	CalledAt time.Time `json:"called_at,omitzero"`
	Checks   int       `json:"checks,omitempty"` // how often it was looked for
	// Unknown counts the attempts of which nobody knew whether they arrived.
	Unknown int `json:"unknown,omitempty"`
	// Beside: something else was sent on the thread since the attempt.
	Beside bool   `json:"beside,omitempty"`
	MID    string `json:"mid,omitempty"`
	// Mended: what stood in its way was mended once: another application's control, a link.
	Mended bool `json:"mended,omitempty"`
}

// set changes the state of a part, the one place that does.
func (p *part) set(to PartState) error {
	next, ok := partLife.Next(p.State, to)
	if !ok {
		return fmt.Errorf("inbox/network: a part goes from %s to %s: %w", p.State, to, api.ErrState)
	}
	p.State = next
	return nil
}

// doubt notes that nobody knows what became of an attempt.
func (p *part) doubt() error {
	p.Unknown++
	return p.set(Uncertain)
}

// open says whether nobody knows yet what became of it.
func (p *part) open() bool { return p.State == Calling || p.State == Uncertain }

// send is a reply on its way. Its id is that of the message.
type send struct {
	ID           string       `json:"id"`
	Channel      channel.Name `json:"channel"`
	Conversation string       `json:"conversation"`
	Account      string       `json:"account"`
	Person       string       `json:"person"`
	Parts        []part       `json:"parts"`
	NotBefore    time.Time    `json:"not_before,omitzero"`
	Job          string       `json:"job"`
	Done         bool         `json:"done,omitempty"`
	// Lost: it ended without anybody knowing whether a part arrived.
	Lost      bool      `json:"lost,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	DoneAt    time.Time `json:"done_at,omitzero"`
}

// sendLife is how long a reply is remembered, for echoes that come late.
const sendLife = 8 * 24 * time.Hour

var (
	sends = store.NewTable("network_send", "msg", func(s *send) string { return s.ID })
	// unsettled are those on their way, in the order of their conversation; lost ones stand
	// behind them, for echoes.
	unsettled = sends.Multi("unsettled", func(s *send) []store.Key {
		if s.Done {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(s.Conversation), store.Time(s.CreatedAt), store.Text(s.ID))}
	})
	lost = sends.Multi("lost", func(s *send) []store.Key {
		if !s.Lost {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(s.Conversation), store.Time(s.CreatedAt), store.Text(s.ID))}
	})
	ofAccount = sends.Multi("account", func(s *send) []store.Key {
		if s.Done {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(s.Account), store.Time(s.CreatedAt))}
	})
	byMID = sends.Multi("mid", func(s *send) (out []store.Key) {
		for i := range s.Parts {
			if s.Parts[i].MID != "" {
				out = append(out, store.Tuple(store.Text(s.Account), store.Text(s.Parts[i].MID)))
			}
		}
		return out
	})
	oldSends = sends.Multi("old", func(s *send) []store.Key {
		if !s.Done {
			return nil
		}
		return []store.Key{store.Time(s.DoneAt)}
	})
)

// partName is what a part is sent with, so that its echo is known.
func (s *send) partName(i int) string { return s.ID + "." + strconv.Itoa(i) }

// ofPartName finds the part of a name.
func ofPartName(tx *store.Tx, org, name string) (s send, i int, err error) {
	id, n, ok := strings.Cut(name, ".")
	if i, err = strconv.Atoi(n); !ok || err != nil {
		return s, 0, store.ErrNotFound
	}
	if s, err = sends.Get(tx, org, id); err == nil && (i < 0 || i >= len(s.Parts)) {
		err = store.ErrNotFound
	}
	return s, i, err
}

// sending is the job that sends a reply.
type sending struct {
	Org     string       `json:"org"`
	Channel channel.Name `json:"channel"`
	Message string       `json:"message"`
}

func (sending) Kind() string      { return "inbox.send" }
func (sending) Queue() queue.Name { return queue.Send }

const sendTries = 50

// Queue implements channel.Channel.
func (n *Network) Queue(tx *store.Tx, org string, r channel.Reply) error {
	m, err := conversation.GetMessage(tx, org, r.Message)
	if err != nil {
		return err
	}
	k, err := conversation.Get(tx, org, r.Conversation)
	if err != nil {
		return err
	}
	words, err := m.Open(tx.DB(), org)
	if err != nil {
		return err
	}
	s := send{
		ID: r.Message, Channel: n.o.Name, Conversation: r.Conversation, Account: r.Account, Person: k.Person.ID, NotBefore: r.NotBefore,
		CreatedAt: tx.DB().Now(),
	}
	if words.Text != "" {
		s.Parts = append(s.Parts, part{File: -1, State: Waiting})
	}
	for i := range m.Files {
		s.Parts = append(s.Parts, part{File: i, State: Waiting})
	}
	s.Job, err = queue.Add(tx, sending{org, n.o.Name, r.Message}, r.NotBefore, queue.Once(r.Message), queue.Attempts(sendTries), queue.For(org, r.Message))
	if err != nil {
		return err
	}
	return sends.Insert(tx, org, &s)
}

// Cancel implements channel.Channel.
func (n *Network) Cancel(tx *store.Tx, c *api.Call, org, message string) (bool, error) {
	s, err := sends.Get(tx, org, message)
	if err != nil || s.Done || s.Parts[0].State != Waiting || s.Parts[0].Attempts > 0 {
		return false, store.IgnoreNotFound(err)
	}
	return true, n.end(tx, c, org, &s, channel.Result{Denied: true, Code: channel.TakenOver})
}

// Sending implements channel.Channel.
func (n *Network) Sending(tx *store.Tx, org, _, conversationID string) (string, error) {
	list, _, err := unsettled.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(conversationID))), Limit: 1})
	for i := range list {
		for k := range list[i].Parts {
			if p := &list[i].Parts[k]; p.open() || p.State == Sent {
				return list[i].ID, err
			}
		}
	}
	return "", err
}

// Unproven implements channel.Proving.
func (n *Network) Unproven(tx *store.Tx, org, conversationID string) (bool, error) {
	s, err := firstOpen(tx, org, conversationID)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	return slices.ContainsFunc(s.Parts, func(p part) bool { return p.open() }), nil
}

// end settles a reply and lets the next of its conversation go.
func (n *Network) end(tx *store.Tx, c *api.Call, org string, s *send, r channel.Result) error {
	s.Done, s.DoneAt, s.Lost = true, tx.DB().Now(), !r.Sent && r.Code == channel.Transport
	if err := sends.Put(tx, org, s); err != nil {
		return err
	}
	r.At = s.DoneAt
	if r.Sent {
		for i := range s.Parts {
			switch mid := s.Parts[i].MID; {
			case mid == "":
			case r.ID == "":
				r.ID, r.Seq = mid, s.Parts[i].CalledAt.UnixMilli()
			default:
				r.More = append(r.More, mid)
			}
		}
	}
	if err := n.o.Outbox.Settled(tx, c, s.ID, r); err != nil {
		return err
	}
	next, err := firstOpen(tx, org, s.Conversation)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return wake(tx, &next)
}

// wake lets the job of a reply run now. One that runs looks by itself.
func wake(tx *store.Tx, s *send) error {
	err := queue.RetryNow(tx, s.Job)
	if store.IsNotFound(err) || err == queue.ErrActive { //nolint:errorlint // as it is documented
		return nil
	}
	return err
}

// prove notes that a part arrived.
func (n *Network) prove(tx *store.Tx, org string, s *send, i int, mid string) error {
	p := &s.Parts[i]
	switch {
	case s.Lost && p.State == Refused:
		p.State = Uncertain // it was given up, and is found after all
	case !p.open():
		if p.MID == "" && mid != "" && p.State == Sent {
			p.MID = mid
			return sends.Put(tx, org, s)
		}
		return nil
	}
	if err := p.set(Sent); err != nil {
		return err
	}
	p.MID = mid
	if mid != "" {
		if err := store.IgnoreNotFound(echoes.Delete(tx, org, s.Account+":"+mid)); err != nil {
			return err
		}
	}
	return n.advance(tx, org, s)
}

// advance goes on with a reply whose part was sent: with the next part, or with its end.
func (n *Network) advance(tx *store.Tx, org string, s *send) error {
	for i := range s.Parts {
		if s.Parts[i].State == Sent {
			continue
		}
		if s.Done {
			return sends.Put(tx, org, s) // the others were given up
		}
		if err := sends.Put(tx, org, s); err != nil {
			return err
		}
		return wake(tx, s)
	}
	return n.end(tx, system(tx, org), org, s, channel.Result{Sent: true})
}

// forgetSends removes what nobody asks for any more.
func forgetSends(tx *store.Tx, org string, limit int) (int, error) {
	list, _, err := oldSends.Walk(tx, org, store.Range{Span: store.During(time.Time{}, tx.DB().Now().Add(-sendLife)), Limit: limit})
	for i := range list {
		if err := sends.Delete(tx, org, list[i].ID); err != nil {
			return i, err
		}
	}
	return len(list), err
}

// firstOpen is the first reply of a conversation that is not settled.
func firstOpen(tx *store.Tx, org, conversationID string) (send, error) {
	return unsettled.First(tx, org, store.Is(store.Tuple(store.Text(conversationID))))
}

// openWith is that of the conversation with a person.
func openWith(tx *store.Tx, at channel.At, person string) (send, error) {
	k, err := conversation.Of(tx, at.Org, at.Channel, at.Owner, person)
	if err != nil {
		return send{}, err
	}
	return firstOpen(tx, at.Org, k.ID)
}
