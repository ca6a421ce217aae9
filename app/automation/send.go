package automation

import (
	"context"
	"errors"
	"time"

	"svc/ai/decide"
	"svc/app/api"
	"svc/app/channel"
	inbox "svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// replying is the job of a private reply, thanking that of the public one behind it.
type (
	replying struct {
		Org   string `json:"org"`
		Reply string `json:"reply"`
	}
	thanking struct {
		Org   string `json:"org"`
		Reply string `json:"reply"`
	}
)

func (replying) Kind() string      { return "automation.reply" }
func (replying) Queue() queue.Name { return queue.Send }
func (thanking) Kind() string      { return "automation.public" }
func (thanking) Queue() queue.Name { return queue.Send }

func ask(tx *store.Tx, org string, r *Reply) error {
	_, err := queue.Add(tx, replying{org, r.ID}, time.Time{}, queue.Once(r.ID), queue.InLane(r.Account), queue.Attempts(50), queue.For(org, r.ID))
	return err
}

// prepared is a reply that may go out.
type prepared struct {
	reply Reply
	rule  Rule
	words words
	// decide: the decision service says first whether somebody wants to buy; write: the seller
	// writes first.
	decide, write bool
}

// reply does the job.
func (s *Service) reply(ctx context.Context, _ queue.Job, a replying) error {
	for {
		p, wait, err := s.prepare(ctx, a)
		switch {
		case err != nil:
			return err
		case wait > 0:
			return queue.Snooze(wait)
		case p == nil:
			return nil
		case p.decide:
			err = s.decide(ctx, a.Org, p)
		case p.write:
			err = s.write(ctx, a.Org, p)
		default:
			return s.send(ctx, a.Org, p)
		}
		if err != nil {
			return err
		}
	}
}

// prepare asks everything again and notes that the request is made.
func (s *Service) prepare(ctx context.Context, a replying) (out *prepared, wait time.Duration, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		out, wait = nil, 0
		r, err := replies.Get(tx, a.Org, a.Reply)
		if err != nil || r.Status != Pending {
			return store.IgnoreNotFound(err)
		}
		p := &prepared{reply: r, decide: r.Rule == ""}
		code, status, until, err := s.obstacle(tx, a.Org, p)
		switch now := tx.DB().Now(); {
		case err != nil:
			return err
		case code != "":
			return s.end(tx, a.Org, &p.reply, status, code)
		case until.After(now):
			wait = until.Sub(now)
			return nil
		}
		if err := sealed.OpenJSON(tx.DB(), a.Org, &p.reply, &p.words); err != nil {
			return err
		}
		if why := p.objection(tx.DB().Now()); why != "" {
			return s.end(tx, a.Org, &p.reply, Skipped, codeNoRule)
		}
		if p.write = !p.decide && p.rule.Mode == Seller && p.words.Text == ""; p.words.Text == "" && p.rule.Mode == Template {
			p.words.Text = p.rule.Template
		}
		if out = p; p.decide || p.write {
			return nil
		}
		if p.reply.Drafted && !p.reply.Approved { // a person has until the comment is too old
			out, wait = nil, max(p.reply.At.Add(within).Sub(tx.DB().Now()), time.Second)
			return nil
		}
		p.reply.Attempts++
		p.reply.AskedAt = tx.DB().Now()
		again := p.reply
		again.Asked = true
		return replies.Put(tx, a.Org, &again)
	})
	return out, wait, err
}

// objection is why the rule does not act on the comment any more, "" when it does. What a person
// approved goes out.
func (p *prepared) objection(now time.Time) string {
	if p.decide || p.reply.Approved {
		return ""
	}
	why, asks := p.rule.objection(p.reply.Post, p.words.Comment, now)
	if asks { // the service said so
		return ""
	}
	return why
}

// obstacle is what ends a reply, or lets it wait.
func (s *Service) obstacle(tx *store.Tx, org string, p *prepared) (code string, end Status, until time.Time, err error) {
	r, now := &p.reply, tx.DB().Now()
	acc, err := channel.Get(tx, org, r.Account)
	switch {
	case err != nil:
		return codeAuth, Failed, until, store.IgnoreNotFound(err)
	case acc.Status == channel.AuthRequired:
		return codeAuth, Failed, until, nil
	case !acc.Sends() || !acc.MayMessage():
		return codeAuth, Failed, until, nil
	case now.Sub(r.At) >= within:
		return codeExpired, Skipped, until, nil
	}
	if stopped, err := stoppedPerson(tx, org, &acc, r.Person); err != nil || stopped {
		return codeStopped, Skipped, until, err
	}
	if !p.decide {
		if p.rule, err = rules.Get(tx, org, r.Rule); err != nil || !p.rule.Enabled {
			return codeNoRule, Skipped, until, store.IgnoreNotFound(err)
		}
	}
	if until = acc.NotBefore(channel.Replying, now); until.After(now) {
		return "", "", until, nil
	}
	// The hour's allowance.
	hour := store.Tuple(store.Text(r.Account))
	list, _, err := sentAt.Walk(tx, org, store.Range{Span: store.Between(store.Tuple(store.Text(r.Account), store.Time(now.Add(-time.Hour))), append(hour, 0xff)), Limit: hourly})
	if len(list) >= hourly {
		until = list[0].SentAt.Add(time.Hour)
	}
	return "", "", until, err
}

// decide asks the decision service whether the comment shows that somebody wants to buy, once.
func (s *Service) decide(ctx context.Context, org string, p *prepared) error {
	interested := false
	answer, _, err := s.jev.Ask(ctx, org, &decide.JEVRequest{
		RequestID: s.db.NewID("req"), Stage: "NEW", Stages: []string{"NEW"}, Offers: []decide.JEVOffer{}, Scenarios: decide.Choice(decide.Scenario, nil),
		Messages: []decide.JEVMessage{{Author: "CUSTOMER", Text: p.words.Comment, At: p.reply.At}},
	})
	if err == nil {
		threshold := answer.Thresholds[decide.Interest]
		if threshold == 0 {
			threshold = 0.6
		}
		got := answer.Fields[decide.Interest]
		interested = got.Confidence >= threshold && (got.Value == decide.InterestMedium || got.Value == decide.InterestHigh)
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := replies.Get(tx, org, p.reply.ID)
		if err != nil || r.Status != Pending || r.Rule != "" {
			return store.IgnoreNotFound(err)
		}
		list, _, err := ofAccount.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(r.Account))), Limit: mostRules})
		if err != nil {
			return err
		}
		for i := range list {
			why, asks := list[i].objection(r.Post, p.words.Comment, tx.DB().Now())
			if why != "" && !(asks && interested) {
				continue
			}
			there, err := r.claim(tx, org, &list[i])
			if err != nil {
				return err
			}
			if !there {
				return replies.Put(tx, org, &r)
			}
			break
		}
		return replies.Delete(tx, org, r.ID) // no rule acts
	})
}

// write lets the seller answer the comment.
func (s *Service) write(ctx context.Context, org string, p *prepared) error {
	text, send, err := s.answer(ctx, org, p.reply.Account, p.words.Comment, mostText)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := replies.Get(tx, org, p.reply.ID)
		if err != nil || r.Status != Pending {
			return store.IgnoreNotFound(err)
		}
		if text == "" {
			return s.end(tx, org, &r, Skipped, codeNoAnswer)
		}
		r.Drafted = !send
		p.words.Text = text
		return errors.Join(sealed.SetJSON(tx, org, &r, p.words), replies.Put(tx, org, &r))
	})
}

const (
	askAgain = 20 * time.Second // an uncertain request
	mostAsks = 2
)

// send makes the request and stores what became of it.
func (s *Service) send(ctx context.Context, org string, p *prepared) error {
	sp, err := s.channels.Speak(ctx, org, p.reply.Account)
	if err != nil {
		return err
	}
	sent, err := sp.PrivateReply(ctx, sp.Access, p.reply.Comment, p.words.Text)
	err = s.channels.Done(ctx, sp, err)
	e := platform.As(err)
	if err != nil && e == nil {
		e = &platform.Error{Fault: platform.Uncertain}
	}
	var wait time.Duration
	err = s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		r, err := replies.Get(tx, org, p.reply.ID)
		if err != nil || r.Status != Pending {
			return store.IgnoreNotFound(err)
		}
		before := p.reply.Asked // an earlier request may have arrived
		wait, err = s.answered(tx, org, &r, p, sent, e, before)
		return err
	})
	if err == nil && wait > 0 {
		return queue.Snooze(wait)
	}
	return err
}

// answered stores what became of a request.
func (s *Service) answered(tx *store.Tx, org string, r *Reply, p *prepared, sent platform.Sent, e *platform.Error, before bool) (time.Duration, error) {
	switch {
	case e == nil:
		return 0, s.wasSent(tx, org, r, p, sent.ID)
	case e.Fault == platform.NotAnswerable && before:
		return 0, s.wasSent(tx, org, r, p, "")
	case e.Fault == platform.Uncertain && r.Attempts < mostAsks:
		return askAgain, nil // it stays asked: one more try is safe, the network takes one
	case e.Fault == platform.Uncertain:
		return 0, s.end(tx, org, r, Failed, inbox.Transport)
	case e.Fault == platform.Limited, e.Fault == platform.Unsent, e.Fault == platform.Restricted:
		r.Asked = before
		r.Attempts--
		return max(e.Wait, time.Minute), replies.Put(tx, org, r)
	case e.Fault == platform.TokenInvalid && r.Attempts < mostAsks:
		r.Asked = before
		return time.Second, replies.Put(tx, org, r)
	case e.Fault == platform.TokenInvalid:
		return 0, s.end(tx, org, r, Failed, codeAuth)
	case e.Fault == platform.Gone:
		return 0, s.end(tx, org, r, Skipped, codeDeleted)
	}
	return 0, s.end(tx, org, r, Failed, channel.Code(e))
}

// wasSent stores the message in its conversation, which it opens no window in.
func (s *Service) wasSent(tx *store.Tx, org string, r *Reply, p *prepared, mid string) error {
	acc, err := channel.Get(tx, org, r.Account)
	if err != nil {
		return err
	}
	c := api.System(context.Background(), org, tx.DB().Now())
	at := inbox.At{Org: org, Account: acc.ID, Owner: acc.ExternalID, Channel: inbox.Name(acc.Platform)}
	person := inbox.Person{ID: r.Person, Username: p.words.Name}
	if known, err := conversation.Of(tx, org, at.Channel, at.Owner, r.Person); err == nil {
		person = known.Person
	}
	k, _, err := conversation.Find(tx, org, at, person)
	if err != nil {
		return err
	}
	m, err := conversation.Write(tx, c, &k, conversation.Written{Author: conversation.AI, Text: p.words.Text, Notice: true})
	if err != nil {
		return err
	}
	o := conversation.Outcome{Event: conversation.WasSent, At: c.Now}
	if mid != "" {
		o.Part = conversation.Part{ID: mid, Seq: r.AskedAt.UnixMilli()}
	}
	if err := conversation.Settle(tx, org, &k, &m, o); err != nil {
		return err
	}
	r.Message, r.SentAt = m.ID, c.Now
	if err := s.end(tx, org, r, Sent, ""); err != nil || p.rule.Public == "" || !acc.MayComment() {
		return err
	}
	_, err = queue.Add(tx, thanking{org, r.ID}, time.Time{}, queue.Once(r.ID), queue.InLane(r.Account), queue.For(org, r.ID))
	return err
}

// thank answers the comment in public, once; that it fails changes nothing.
func (s *Service) thank(ctx context.Context, _ queue.Job, a thanking) error {
	r, text, err := s.thanks(ctx, a, false)
	if err != nil || text == "" {
		return err
	}
	sp, err := s.channels.Speak(ctx, a.Org, r.Account)
	if err != nil {
		return nil //nolint:nilerr // the account is not connected any more: the answer below the comment is let go
	}
	if wait := sp.Wait(channel.Replying, s.db.Now()); wait > 0 {
		return queue.Snooze(wait)
	}
	if r, text, err = s.thanks(ctx, a, true); err != nil || text == "" {
		return err
	}
	id, err := sp.PublicReply(ctx, sp.Access, r.Comment, text)
	if err := s.channels.Done(ctx, sp, err); err != nil {
		s.log.Warn("automation: a public reply was not sent", "reply", r.ID, "error", err)
		return nil
	}
	return s.db.Update(ctx, func(tx *store.Tx) error {
		_, err := replies.Edit(tx, a.Org, r.ID, func(r *Reply) error { r.PublicID = id; return nil })
		return store.IgnoreNotFound(err)
	})
}

// thanks is what stands below a comment that was answered, "" where there is nothing or it was asked
// for already. ask: it is noted as asked for, before the request, so that it is never made twice.
func (s *Service) thanks(ctx context.Context, a thanking, ask bool) (r Reply, text string, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) (err error) {
		text = ""
		if r, err = replies.Get(tx, a.Org, a.Reply); err != nil || r.PublicID != "" {
			return store.IgnoreNotFound(err)
		}
		rule, err := rules.Get(tx, a.Org, r.Rule)
		if err != nil || !ask {
			text = rule.Public
			return store.IgnoreNotFound(err)
		}
		text, r.PublicID = rule.Public, "asked"
		return replies.Put(tx, a.Org, &r)
	})
	return r, text, err
}
