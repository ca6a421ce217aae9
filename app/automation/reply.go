package automation

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"svc/ai/decide"
	"svc/app/api"
	"svc/app/channel"
	"svc/app/event"
	inbox "svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/jev"
	"svc/app/seller"
	"svc/app/signal"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Status is where a private reply is (contract 60.34).
type Status string

// The statuses.
const (
	Pending Status = "PENDING"
	Sent    Status = "SENT"
	Failed  Status = "FAILED"
	Skipped Status = "SKIPPED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Pending, Sent, Failed, Skipped} }

// life is that of a private reply.
var life = api.Table[Status, Status]{
	{From: []Status{Pending}, On: Sent, To: Sent},
	{From: []Status{Pending}, On: Failed, To: Failed},
	{From: []Status{Pending}, On: Skipped, To: Skipped},
}

// Reply is the private reply to one comment.
type Reply struct {
	ID      string    `json:"id"`
	Account string    `json:"account"`
	Comment string    `json:"comment"`
	Post    string    `json:"post,omitempty"`
	Person  string    `json:"person"`
	Rule    string    `json:"rule,omitempty"`
	Trigger Trigger   `json:"trigger,omitempty"`
	Mode    ReplyMode `json:"mode,omitempty"`
	Once    bool      `json:"once,omitempty"`
	Status  Status    `json:"status"`
	Code    string    `json:"code,omitempty"`
	Message string    `json:"message,omitempty"`
	// Asked: the request was made and nobody knows what became of it.
	Asked    bool      `json:"asked,omitempty"`
	AskedAt  time.Time `json:"asked_at,omitzero"`
	Attempts int       `json:"attempts,omitempty"`
	// Drafted: the seller wrote a text that a person must approve; Approved: somebody did.
	Drafted   bool         `json:"drafted,omitempty"`
	Approved  bool         `json:"approved,omitempty"`
	PublicID  string       `json:"public_id,omitempty"`
	At        time.Time    `json:"at"` // of the comment
	CreatedAt time.Time    `json:"created_at"`
	SentAt    time.Time    `json:"sent_at,omitzero"`
	Words     store.Sealed `json:"words,omitzero"`
}

// words are what is sealed of a private reply.
type words struct {
	Comment string `json:"comment,omitempty"`
	Name    string `json:"name,omitempty"`
	Text    string `json:"text,omitempty"` // what goes out
}

var (
	replies = store.NewTable("private_reply", "prr", func(r *Reply) string { return r.ID })
	sealed  = replies.Sealed("words", func(r *Reply) *store.Sealed { return &r.Words })
	// byComment lets one reply exist for each comment, byPerson one of a rule for each person.
	byComment = replies.Unique("comment", func(r *Reply) store.Key { return store.Tuple(store.Text(r.Account), store.Text(r.Comment)) })
	byPerson  = replies.Unique("person", func(r *Reply) store.Key {
		if !r.Once || r.Rule == "" || r.Status != Pending && r.Status != Sent {
			return nil
		}
		return store.Tuple(store.Text(r.Rule), store.Text(r.Person))
	})
	repliesOf = replies.Facet("account", func(r *Reply) []string { return []string{r.Account} })
	statusOf  = replies.Facet("status", func(r *Reply) []string { return []string{string(r.Status)} })
	figures   = replies.Tally("rule", func(r *Reply) []string {
		if r.Rule == "" {
			return nil
		}
		return []string{figure(r.Rule, r.Status)}
	})
	sentAt = replies.Multi("sent", func(r *Reply) []store.Key {
		if r.Status != Sent {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(r.Account), store.Time(r.SentAt))}
	})
)

func figure(rule string, s Status) string { return rule + " " + string(s) }

// Bounds of private replies.
const (
	within   = 7*24*time.Hour - 10*time.Minute // of the comment
	hourly   = 700                             // of an account; the network takes 750
	mostText = 1000                            // bytes
)

// Codes of replies that were not sent.
const (
	codeAuth     = "ACCOUNT_AUTH_REQUIRED"
	codeExpired  = "EXPIRED"
	codeStopped  = "OPTED_OUT"
	codeDeleted  = "COMMENT_DELETED"
	codeNoRule   = "AUTOMATION_OFF"
	codeNoAnswer = "NOT_WANTED"
)

// Service answers comments.
type Service struct {
	db       *store.DB
	channels *channel.Service
	jev      *jev.Service
	bus      *signal.Bus
	log      *slog.Logger
	answer   seller.AnswerComment
}

// heard takes a comment.
func (s *Service) heard(tx *store.Tx, _ *api.Call, x channel.Commented) error {
	now, c := tx.DB().Now(), &x.Comment
	if c.Verb == "remove" {
		return s.removed(tx, x.Org, x.Account.ID, c.ID)
	}
	if c.Verb != "add" || c.Live || c.From == "" || now.Sub(c.At) >= within || !x.Account.MayMessage() {
		return nil
	}
	if _, err := byComment.ID(tx, x.Org, store.Tuple(store.Text(x.Account.ID), store.Text(c.ID))); !store.IsNotFound(err) {
		return err
	}
	if stopped, err := stoppedPerson(tx, x.Org, &x.Account, c.From); err != nil || stopped {
		return err
	}
	rule, asks, err := s.choose(tx, x.Org, x.Account.ID, c.Post, c.Text)
	if err != nil || rule == nil && !asks {
		return err
	}
	r := Reply{
		ID: tx.DB().NewID("prr"), Account: x.Account.ID, Comment: c.ID, Post: c.Post, Person: c.From, Status: Pending, At: c.At, CreatedAt: now,
	}
	if !asks {
		if there, err := r.claim(tx, x.Org, rule); err != nil || there {
			return err
		}
	}
	if err := sealed.SetJSON(tx, x.Org, &r, words{Comment: c.Text, Name: c.FromName}); err != nil {
		return err
	}
	if err := replies.Insert(tx, x.Org, &r); err != nil {
		return err
	}
	return ask(tx, x.Org, &r)
}

// claim makes a reply one of a rule; there is true when the person had one of it already.
func (r *Reply) claim(tx *store.Tx, org string, rule *Rule) (there bool, err error) {
	if rule.Once {
		_, err := byPerson.ID(tx, org, store.Tuple(store.Text(rule.ID), store.Text(r.Person)))
		if !store.IsNotFound(err) {
			return err == nil, err
		}
	}
	r.Rule, r.Trigger, r.Mode, r.Once = rule.ID, rule.Trigger, rule.Mode, rule.Once
	return false, nil
}

// choose is the oldest rule that acts on a comment. asks: before it stands one that only the
// decision service can judge.
func (s *Service) choose(tx *store.Tx, org, account, post, text string) (rule *Rule, asks bool, err error) {
	list, _, err := ofAccount.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(account))), Limit: mostRules})
	for i := range list {
		why, jev := list[i].objection(post, text, tx.DB().Now())
		if jev {
			return nil, true, err
		}
		if why == "" {
			return &list[i], false, err
		}
	}
	return nil, false, err
}

// stoppedPerson says whether somebody asked to stop, or blocks the account.
func stoppedPerson(tx *store.Tx, org string, a *channel.Account, person string) (bool, error) {
	k, err := conversation.Of(tx, org, inbox.Name(a.Platform), a.ExternalID, person)
	return err == nil && (k.AIState == conversation.Stopped || k.Blocked), store.IgnoreNotFound(err)
}

// removed ends the reply to a comment that is gone.
func (s *Service) removed(tx *store.Tx, org, account, comment string) error {
	r, err := byComment.Find(tx, org, store.Tuple(store.Text(account), store.Text(comment)))
	if err != nil || r.Status != Pending {
		return store.IgnoreNotFound(err)
	}
	return s.end(tx, org, &r, Skipped, codeDeleted)
}

// end gives a private reply its outcome, the one place that does.
func (s *Service) end(tx *store.Tx, org string, r *Reply, to Status, code string) error {
	next, ok := life.Next(r.Status, to)
	if !ok {
		return api.ErrState
	}
	r.Status, r.Code, r.Asked = next, code, false
	if to != Sent && r.Rule == "" { // no rule was chosen: nothing happened
		return replies.Put(tx, org, r)
	}
	if err := errors.Join(sealed.Set(tx, org, r, nil), replies.Put(tx, org, r)); err != nil {
		return err
	}
	a, err := channel.Get(tx, org, r.Account)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	data := map[string]any{
		"private_reply_id": r.ID, "account_id": r.Account, "platform": a.Platform, "comment_id": r.Comment, "trigger": r.Trigger, "reply_mode": r.Mode,
		"automation_id": r.Rule, "message_id": api.Optional(r.Message), "error_code": api.Optional(code),
	}
	if r.Post != "" {
		data["post_external_id"] = r.Post
	}
	if to == Failed {
		data["reply_mode"] = ""
	}
	types := map[Status]event.Type{Sent: event.ChannelPrivateReplySent, Failed: event.ChannelPrivateReplyFailed, Skipped: event.ChannelPrivateReplySkipped}
	return event.Emit(tx, org, types[to], data)
}

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
	if until = acc.NotBefore(false, now); until.After(now) {
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
	var r Reply
	var text string
	err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
		text = ""
		if r, err = replies.Get(tx, a.Org, a.Reply); err != nil || r.PublicID != "" {
			return store.IgnoreNotFound(err)
		}
		rule, err := rules.Get(tx, a.Org, r.Rule)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		text, r.PublicID = rule.Public, "asked" // before the request: it is never made twice
		return replies.Put(tx, a.Org, &r)
	})
	if err != nil || text == "" {
		return err
	}
	sp, err := s.channels.Speak(ctx, a.Org, r.Account)
	if err != nil {
		return nil
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
