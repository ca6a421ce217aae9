package network

import (
	"context"
	"errors"
	"time"

	outside "svc/app/channel"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/file"
	"svc/messenger"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Times of a part whose fate is not known (contract 16.3).
var looksAt = []time.Duration{20 * time.Second, time.Minute, 3 * time.Minute}

const (
	givenUp   = 10 * time.Minute // nobody could look for so long
	behind    = 5 * time.Second  // how long a reply waits for the one before it, unless it is woken
	shortWait = 2 * time.Second
	mostTries = 2
)

// call is what a claim asks for.
type call struct {
	send send
	i    int
	out  channel.Outgoing
	// look: it is to be looked for, not to be sent.
	look bool
}

// work sends a reply, part by part, until it has its end or waits.
func (n *Network) work(ctx context.Context, _ queue.Job, a sending) error {
	for {
		sp, err := n.speaker(ctx, a)
		if err != nil {
			return err
		}
		c, wait, err := n.claim(ctx, a, sp)
		switch {
		case err != nil:
			return err
		case wait > 0:
			return queue.Snooze(wait)
		case c == nil:
			return nil
		case c.look:
			err = n.lookFor(ctx, a, sp, c)
		default:
			err = n.request(ctx, a, sp, c)
		}
		if err != nil {
			return err
		}
	}
}

// speaker opens the account; nil where it cannot be used.
func (n *Network) speaker(ctx context.Context, a sending) (sp *outside.Speaker, err error) {
	var s send
	err = n.db.View(ctx, func(tx *store.Tx) error {
		s, err = sends.Get(tx, a.Org, a.Message)
		return err
	})
	if err != nil {
		return nil, store.IgnoreNotFound(err)
	}
	sp, err = n.o.Outside.Speak(ctx, a.Org, s.Account)
	if errors.Is(err, outside.ErrAuth) || errors.Is(err, outside.ErrNotReady) || store.IsNotFound(err) {
		return nil, nil
	}
	return sp, err
}

// claim takes the next part, in one transaction with the gate. nil: there is none.
func (n *Network) claim(ctx context.Context, a sending, sp *outside.Speaker) (out *call, wait time.Duration, err error) {
	err = n.db.Update(ctx, func(tx *store.Tx) error {
		out, wait, err = n.claimIn(tx, a, sp)
		return err
	})
	return out, wait, err
}

func (n *Network) claimIn(tx *store.Tx, a sending, sp *outside.Speaker) (*call, time.Duration, error) {
	s, err := sends.Get(tx, a.Org, a.Message)
	if err != nil || s.Done {
		return nil, 0, store.IgnoreNotFound(err)
	}
	first, err := firstOpen(tx, a.Org, s.Conversation)
	if err != nil {
		return nil, 0, err
	}
	if first.ID != s.ID {
		return nil, behind, nil
	}
	i := 0
	for i < len(s.Parts)-1 && s.Parts[i].State == Sent {
		i++
	}
	p, now := &s.Parts[i], tx.DB().Now()
	switch p.State {
	case Calling: // the process ended in the middle of the request
		if err := p.doubt(); err != nil {
			return nil, 0, err
		}
		return nil, shortWait, sends.Put(tx, a.Org, &s)
	case Uncertain:
		due := p.CalledAt.Add(looksAt[min(p.Checks, len(looksAt)-1)])
		if left := due.Sub(now); left > 0 && p.Checks < len(looksAt) {
			return nil, left, nil
		}
		if sp == nil && now.Sub(p.CalledAt) >= givenUp {
			return nil, 0, n.giveUp(tx, a.Org, &s, i)
		}
		if sp == nil {
			return nil, time.Minute, nil
		}
		if wait := min(sp.Account.WaitUntil.Sub(now), p.CalledAt.Add(givenUp).Sub(now)); wait > 0 {
			return nil, wait, nil
		}
		return &call{send: s, i: i, look: true}, 0, nil
	case Waiting:
		return n.begin(tx, a, sp, &s, i, now)
	}
	return nil, 0, nil
}

// begin notes that a part is being sent, before the request is made.
func (n *Network) begin(tx *store.Tx, a sending, sp *outside.Speaker, s *send, i int, now time.Time) (*call, time.Duration, error) {
	c := system(tx, a.Org)
	fresh, err := outside.Get(tx, a.Org, s.Account)
	if store.IgnoreNotFound(err) != nil {
		return nil, 0, err
	}
	if code := unavailable(&fresh); err != nil || code != "" || sp == nil {
		if code == "" {
			code = channel.Unavailable
		}
		return nil, 0, n.refuse(tx, a.Org, s, i, code)
	}
	until := fresh.NotBefore(outside.Replying, now)
	if s.NotBefore.After(until) {
		until = s.NotBefore
	}
	if until.After(now) {
		return nil, until.Sub(now), nil
	}
	out, err := n.o.Outbox.Compose(tx, c, s.ID)
	if denied := (*channel.ErrDenied)(nil); errors.As(err, &denied) {
		if i > 0 { // a part of it is there already
			return nil, 0, n.refuse(tx, a.Org, s, i, denied.Code)
		}
		return nil, 0, n.end(tx, c, a.Org, s, channel.Result{Denied: true, Code: denied.Code})
	}
	if err != nil {
		return nil, 0, err
	}
	p := &s.Parts[i]
	if p.File >= len(out.Files) {
		return nil, 0, n.refuse(tx, a.Org, s, i, channel.FileRejected)
	}
	if err := p.set(Calling); err != nil {
		return nil, 0, err
	}
	p.CalledAt, p.Checks, p.Beside = now, 0, false
	p.Attempts++
	return &call{send: *s, i: i, out: out}, 0, sends.Put(tx, a.Org, s)
}

// refuse ends a reply whose part is not sent.
func (n *Network) refuse(tx *store.Tx, org string, s *send, i int, code string) error {
	if err := s.Parts[i].set(Refused); err != nil {
		return err
	}
	return n.end(tx, system(tx, org), org, s, channel.Result{Code: code})
}

// giveUp ends a reply of which nobody knows whether it arrived.
func (n *Network) giveUp(tx *store.Tx, org string, s *send, i int) error {
	return n.refuse(tx, org, s, i, channel.Transport)
}

// request makes the request of a part and stores what became of it.
func (n *Network) request(ctx context.Context, a sending, sp *outside.Speaker, c *call) error {
	p, err := n.part(c)
	if err != nil {
		return err
	}
	sent, err := sp.Send(ctx, sp.Access, &p)
	if e := platform.As(err); e != nil && e.Fault == platform.OtherApp && !c.send.Parts[c.i].Mended {
		_ = n.o.Outside.Done(ctx, sp, sp.TakeThread(ctx, sp.Access, c.send.Person)) // the second try tells
	}
	err = n.o.Outside.Done(ctx, sp, err)
	e := platform.As(err)
	if err != nil && e == nil {
		e = &platform.Error{Fault: platform.Uncertain} // it was interrupted
	}
	return n.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { return n.answered(tx, a.Org, c, sent, e) })
}

// part is a part as the network takes it.
func (n *Network) part(c *call) (out platform.Part, err error) {
	p := &c.send.Parts[c.i]
	out = platform.Part{ID: c.send.partName(c.i), To: c.send.Person, HumanAgent: c.out.HumanAgent}
	if p.File < 0 {
		out.Text, out.ReplyTo = c.out.Text, c.out.ReplyTo
		return out, nil
	}
	f := &c.out.Files[p.File]
	out.File = &platform.File{Kind: wireKind(f), Name: f.Name, Type: f.MimeType, Size: f.Size, Open: f.Open}
	if base := n.o.Outside.FileBase(); base != "" {
		path, err := file.Link(n.db, c.out.FileIDs[p.File])
		out.File.URL = base + path
		return out, err
	}
	return out, nil
}

// wireKind is what a file is to the networks.
func wireKind(f *messenger.File) string {
	switch channel.FileKind(f.Kind) {
	case channel.Photo, channel.Animation:
		return "image"
	case channel.Video:
		return "video"
	case channel.Voice, channel.Audio:
		return "audio"
	}
	return "file"
}

// answered stores what became of the request of a part.
func (n *Network) answered(tx *store.Tx, org string, c *call, sent platform.Sent, e *platform.Error) error {
	s, err := sends.Get(tx, org, c.send.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	p := &s.Parts[c.i]
	if p.State != Calling {
		return nil // an echo was faster
	}
	if e == nil {
		return n.prove(tx, org, &s, c.i, sent.ID)
	}
	switch code, again := n.outcome(p, e); {
	case e.Fault == platform.Uncertain:
		if err := p.doubt(); err != nil {
			return err
		}
	case again:
		if err := p.set(Waiting); err != nil {
			return err
		}
		s.NotBefore = tx.DB().Now().Add(max(e.Wait, shortWait))
	default:
		n.log.Warn("inbox: a reply was refused", "message", s.ID, "code", e.Code, "subcode", e.Subcode, "trace", e.Trace)
		return n.refuse(tx, org, &s, c.i, code)
	}
	return sends.Put(tx, org, &s)
}

// outcome says with which code a part ends, or that it is tried again: it certainly was not sent.
func (n *Network) outcome(p *part, e *platform.Error) (code string, again bool) {
	once := !p.Mended
	switch e.Fault {
	case platform.Unsent:
		return channel.Transport, p.Attempts < sendTries
	case platform.Limited, platform.Restricted:
		return channel.RateLimited, p.Attempts < sendTries
	case platform.TokenInvalid: // the account says now whether it was stray
		p.Mended = true
		return channel.AuthRequired, once
	case platform.OtherApp:
		p.Mended = true
		return outside.Code(e), once
	case platform.FileRejected: // a new link
		p.Mended = true
		return channel.FileRejected, once
	case platform.WindowClosed:
		return channel.WindowClosed, false
	case platform.PersonBlocked:
		return channel.PeerBlocked, false
	case platform.PersonUnknown, platform.NoConsent:
		return channel.PeerUnresolvable, false
	case platform.TextRejected:
		return channel.TextRejected, false
	case platform.Refused:
		if e.Code == 100 && p.File < 0 {
			return channel.TextRejected, false
		}
	}
	return outside.Code(e), false
}

// lookFor looks whether a part arrived, and stores what it found.
func (n *Network) lookFor(ctx context.Context, a sending, sp *outside.Speaker, c *call) error {
	found, err := n.readBack(ctx, sp, c.send.Person)
	err = n.o.Outside.Done(ctx, sp, err)
	if err != nil && platform.As(err) == nil {
		return err
	}
	return n.db.Update(ctx, func(tx *store.Tx) error { return n.looked(tx, a.Org, c, found, err) })
}

// readBack are the newest messages of the account to a person.
func (n *Network) readBack(ctx context.Context, sp *outside.Speaker, person string) ([]platform.Message, error) {
	th, err := sp.ThreadWith(ctx, sp.Access, person)
	if e := platform.As(err); e != nil && e.Fault == platform.Gone {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return sp.Network.Messages(ctx, sp.Access, th.ID, threadMessages)
}

func (n *Network) looked(tx *store.Tx, org string, c *call, found []platform.Message, failed error) error {
	s, err := sends.Get(tx, org, c.send.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	p, now := &s.Parts[c.i], tx.DB().Now()
	if p.State != Uncertain || s.Done {
		return nil
	}
	if failed != nil {
		if now.Sub(p.CalledAt) >= givenUp {
			return n.giveUp(tx, org, &s, c.i)
		}
		s.NotBefore = now.Add(shortWait)
		return queue.Snooze(20 * time.Second)
	}
	mid, err := n.match(tx, org, &s, c.i, found)
	if err != nil {
		return err
	}
	if mid != "" {
		return n.prove(tx, org, &s, c.i, mid)
	}
	p.Checks++
	if p.Checks < len(looksAt) {
		return sends.Put(tx, org, &s)
	}
	if p.Unknown >= mostTries {
		return n.giveUp(tx, org, &s, c.i)
	}
	if err := p.set(Waiting); err != nil {
		return err
	}
	return sends.Put(tx, org, &s)
}

// match finds a part among the messages of its thread: the oldest that is equal, was sent since,
// and that nothing else is.
func (n *Network) match(tx *store.Tx, org string, s *send, i int, found []platform.Message) (string, error) {
	a, err := outside.Get(tx, org, s.Account)
	if err != nil {
		return "", err
	}
	for k := len(found) - 1; k >= 0; k-- {
		m := &found[k]
		if !m.Echo {
			continue
		}
		same, err := n.equal(tx, org, s, i, m)
		if err != nil {
			return "", err
		}
		if !same {
			continue
		}
		taken, err := claimed(tx, org, &a, m.ID)
		if err != nil || !taken {
			return m.ID, err
		}
	}
	return "", nil
}

// claimed says whether a message is known already.
func claimed(tx *store.Tx, org string, a *outside.Account, mid string) (bool, error) {
	if _, err := conversation.OfPart(tx, org, a.ExternalID, mid); !store.IsNotFound(err) {
		return err == nil, err
	}
	_, err := byMID.First(tx, org, store.Is(store.Tuple(store.Text(a.ID), store.Text(mid))))
	return err == nil, store.IgnoreNotFound(err)
}
