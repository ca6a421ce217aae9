package turn

import (
	"context"
	"errors"
	"time"

	"svc/ai/signals"
	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/store"
	"svc/store/queue"
)

// followUp writes into the silence of one customer. When, stands in the record of the turn.
type followUp struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation"`
}

// Kind implements queue.Args.
func (followUp) Kind() string { return "seller.follow_up" }

// Queue implements queue.Args.
func (followUp) Queue() queue.Name { return queue.AI }

// followLater notes when the customer is written to again who does not answer: after the
// delay of the settings, out of quiet hours, and within the reply window. When that has been
// done as often as the settings say, it is then told that nothing follows. The caller saves the
// turn.
func (a *acting) followLater() error {
	a.t.FollowAt = time.Time{}
	set := &a.v.settings
	if set.FollowUp.Limit == 0 || a.out.Signals.Closing || a.out.Signals.Stop.Certainty != signals.No {
		return nil
	}
	at := a.tx.DB().Now().Add(time.Duration(set.FollowUp.Delay) * time.Minute)
	at = afterQuiet(at, set.FollowUp.Quiet, a.v.business.Location())
	if !at.Before(a.v.windowEnds) {
		return nil
	}
	a.t.FollowAt = at
	return wakeLater(a.tx, a.org, a.k.ID, at)
}

// wakeLater asks for a look into a silence. One that is at work may have seen a turn that was
// owed, and ends for that.
func wakeLater(tx *store.Tx, org, conversation string, at time.Time) error {
	_, err := queue.Add(tx, followUp{org, conversation}, at, queue.Coalesced(conversation), queue.For(org, conversation))
	return err
}

// afterQuiet is a time, or when the quiet hours end that it lies in.
func afterQuiet(at time.Time, quiet *business.QuietHours, zone *time.Location) time.Time {
	if quiet == nil {
		return at
	}
	start, err1 := time.Parse("15:04", quiet.Start)
	end, err2 := time.Parse("15:04", quiet.End)
	if err1 != nil || err2 != nil {
		return at
	}
	local := at.In(zone)
	minute := func(t time.Time) int { return t.Hour()*60 + t.Minute() }
	now, from, to := minute(local), minute(start), minute(end)
	day := 0
	switch {
	case from <= to && (now < from || now >= to), from > to && now < from && now >= to:
		return at
	case from > to && now >= from:
		day = 1
	}
	return time.Date(local.Year(), local.Month(), local.Day()+day, end.Hour(), end.Minute(), 0, 0, zone)
}

// follow is one try at writing into a silence.
func (s *Service) follow(ctx context.Context, j queue.Job, a followUp) error {
	var seen look
	var wait time.Duration
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		seen, wait, err = s.silence(tx, a)
		return err
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return queue.Snooze(wait)
	case !seen.now:
		return s.db.Update(ctx, func(tx *store.Tx) error {
			if err := s.enough(tx, a); err != nil {
				return err
			}
			return queue.Finish(tx, j)
		})
	}
	work, err := s.o.Runs.Begin(ctx, plan(job(a), &seen))
	if err != nil {
		return err
	}
	defer work.Close()
	if err := work.Start(ctx); err != nil {
		return s.giveUp(ctx, j, err)
	}
	out := answer.Run(ctx, work, seen.situation)
	if errors.Is(out.Err, context.Canceled) && ctx.Err() != nil {
		return ctx.Err()
	}
	err = s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if err := s.followed(tx, a, &seen, work, &out); err != nil {
			return err
		}
		now, err := of(tx, a.Org, a.Conversation)
		if wait = now.FollowAt.Sub(tx.DB().Now()); err == nil && wait <= 0 {
			err = queue.Finish(tx, j)
		}
		return err
	})
	if err == nil && wait > 0 {
		return queue.Snooze(wait) // into the same silence, unless somebody writes
	}
	return err
}

// giveUp ends a follow-up that no execution can be opened for; only trouble of our own is
// tried again.
func (s *Service) giveUp(ctx context.Context, j queue.Job, err error) error {
	var refused *api.Error
	if !errors.As(err, &refused) {
		return err
	}
	return s.db.Update(ctx, func(tx *store.Tx) error { return queue.Finish(tx, j) })
}

// silence reads whether a customer is to be written to now who did not answer.
func (s *Service) silence(tx *store.Tx, a followUp) (l look, wait time.Duration, err error) {
	if l.turn, err = of(tx, a.Org, a.Conversation); err != nil || l.turn.FollowAt.IsZero() || l.turn.owed() {
		return l, 0, err
	}
	if wait = l.turn.FollowAt.Sub(tx.DB().Now()); wait > 0 {
		return l, wait, nil
	}
	if l.k, err = conversation.Get(tx, a.Org, a.Conversation); err != nil {
		return l, 0, store.IgnoreNotFound(err)
	}
	if l.verdict, err = s.gate(tx, a.Org, &l.k); err != nil || l.verdict.ends || l.verdict.advise {
		return l, 0, err
	}
	if unproven, err := s.o.Replies.Unproven(tx, a.Org, &l.k); err != nil || unproven {
		return l, untilProven, err
	}
	if l.situation, err = s.load(tx, a.Org, &l.k, &l.verdict); err != nil {
		return l, 0, err
	}
	list, most := l.situation.Messages, l.verdict.settings.FollowUp.Limit
	l.situation.FollowUp = true
	silent := len(list) > 0 && list[len(list)-1].From == answer.Seller
	l.now, l.enough = silent && l.turn.FollowUps < most, silent && most > 0 && l.turn.FollowUps >= most
	return l, 0, nil
}

// enough tells, once a silence, that the customer would be written to again if that had not been
// done as often as the settings say.
func (s *Service) enough(tx *store.Tx, a followUp) error {
	l, _, err := s.silence(tx, a)
	if err != nil || !l.enough {
		return err
	}
	l.turn.FollowAt = time.Time{}
	if err := turns.Put(tx, a.Org, &l.turn); err != nil {
		return err
	}
	return s.withhold(tx, a.Org, &l.k, followUpLimit)
}

// followed acts on what was written, unless somebody wrote meanwhile.
func (s *Service) followed(tx *store.Tx, f followUp, seen *look, work *execution.Work, out *answer.Outcome) (err error) {
	a := &acting{
		s: s, tx: tx, org: f.Org, out: out, call: systemCall(tx, f.Org),
		c: &claimed{turn: seen.turn, situation: seen.situation, work: work},
	}
	if a.t, err = of(tx, f.Org, f.Conversation); err != nil {
		return err
	}
	if a.k, err = conversation.Get(tx, f.Org, f.Conversation); err != nil {
		return err
	}
	if a.v, err = s.gate(tx, f.Org, &a.k); err != nil {
		return err
	}
	if out.Err != nil || a.t.Want != seen.turn.Want || a.t.FollowAt.IsZero() || a.v.ends || out.Action == execution.Handoff || out.Action == execution.Block {
		return work.Settle(tx, execution.Outcome{Err: out.Err, Action: execution.None, Validators: out.Checked()})
	}
	byPerson, err := lastByPerson(tx, f.Org, a.k.ID)
	if err != nil {
		return err
	}
	a.t.FollowUps++
	a.settleOn(byPerson)
	if err := a.perform(); err != nil {
		return err
	}
	if err := a.recordOutcome(); err != nil {
		return err
	}
	if err := a.execution(); err != nil {
		return err
	}
	return turns.Put(tx, f.Org, &a.t)
}
