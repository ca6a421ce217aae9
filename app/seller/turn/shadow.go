package turn

import (
	"context"
	"errors"
	"strconv"
	"time"

	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/app/seller/shadow"
	"svc/store"
	"svc/store/queue"
)

const (
	// maxShadowed is the highest level whose turns are judged: from the next one on the seller
	// answers everything by itself.
	maxShadowed = 3
	// firstSending is the lowest level that sends anything.
	firstSending = 3
)

// judgedAs is the level as which turns of one are judged: the next that sends anything.
func judgedAs(level int) int { return max(level+1, firstSending) }

// judge keeps a reply that a person decides on and the next level that sends would have sent. At
// level 0 nothing is written: a job writes it afterwards.
func (a *acting) judge() error {
	set := &a.v.settings
	if !set.Shadow.Enabled || a.v.ends || a.v.advise || set.Level > maxShadowed || answer.Allowed(set, judgedAs(set.Level), a.out.Scenario) != execution.Send {
		return nil
	}
	if set.Level == 0 {
		return askShadow(a.tx, shadowed{a.org, a.k.ID, a.c.turn.Want})
	}
	if a.out.Reply == "" || a.out.Action == execution.Send || a.out.May(set, judgedAs(set.Level)) != execution.Send {
		return nil
	}
	return shadow.Note(a.tx, a.org, a.k.ID, would(a.c.situation, a.out))
}

func would(about *answer.Situation, o *answer.Outcome) shadow.Would {
	return shadow.Would{Business: about.Business.ID, Scenario: o.Scenario, Language: o.Tongue.Tag(), Text: o.Reply, Signature: about.Signature()}
}

// shadowed writes what level 1 would have written to a conversation whose seller only decides.
type shadowed struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation"`
	Seq          int64  `json:"seq"` // the message of the customer that is answered
}

// askShadow asks for one text of each message: that of an older one, which may be at work, ends
// by itself.
func askShadow(tx *store.Tx, of shadowed) error {
	once := of.Conversation + " " + strconv.FormatInt(of.Seq, 10)
	_, err := queue.Add(tx, of, time.Time{}, queue.Once(once), queue.For(of.Org, of.Conversation))
	return err
}

// Kind implements queue.Args.
func (shadowed) Kind() string { return "seller.shadow" }

// Queue implements queue.Args.
func (shadowed) Queue() queue.Name { return queue.AI }

// shadow writes one text, within the budgets of the organization. Where a budget has no room
// or no model answers, there is none.
func (s *Service) shadow(ctx context.Context, j queue.Job, a shadowed) error {
	var seen look
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		seen, err = s.silent(tx, a)
		return err
	})
	if err != nil || !seen.now {
		return err
	}
	p := plan(job{a.Org, a.Conversation}, &seen)
	p.Mode = agent.Background
	work, err := s.o.Runs.Begin(ctx, p)
	if err != nil {
		return err
	}
	defer work.Close()
	if err := work.Start(ctx); err != nil {
		var refused *api.Error
		if errors.As(err, &refused) {
			return nil
		}
		return err
	}
	out := answer.Run(ctx, work, seen.situation)
	if errors.Is(out.Err, context.Canceled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		o := execution.Outcome{Err: out.Err, Action: execution.None, Decision: out.Decided(), Knowledge: out.Chunks(), Validators: out.Checked()}
		if err := work.Settle(tx, o); err != nil {
			return err
		}
		now, err := s.silent(tx, a)
		if set := &now.verdict.settings; err == nil && now.now && out.Reply != "" && out.May(set, judgedAs(set.Level)) == execution.Send {
			err = shadow.Note(tx, a.Org, a.Conversation, would(seen.situation, &out))
		}
		if err != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
}

// silent reads a conversation in which the seller decided and wrote nothing, as level 1 would
// answer it. now is false when something came since, or the level is another.
func (s *Service) silent(tx *store.Tx, a shadowed) (l look, err error) {
	if l.turn, err = of(tx, a.Org, a.Conversation); err != nil || l.turn.Want != a.Seq || l.turn.owed() {
		return l, err
	}
	if l.k, err = conversation.Get(tx, a.Org, a.Conversation); err != nil {
		return l, store.IgnoreNotFound(err)
	}
	if l.verdict, err = s.gate(tx, a.Org, &l.k); err != nil || l.verdict.ends || l.verdict.advise {
		return l, err
	}
	if set := &l.verdict.settings; set.Level != 0 || !set.Shadow.Enabled {
		return l, nil
	}
	if l.situation, err = s.load(tx, a.Org, &l.k, &l.verdict); err != nil {
		return l, err
	}
	l.situation.Level, l.situation.Notice = 1, ""
	l.now = l.situation.Burst > 0
	return l, nil
}
