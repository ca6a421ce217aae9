package turn

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/business/price"
	"svc/app/calendar"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/reply"
	"svc/app/jev"
	"svc/app/org"
	"svc/app/seller/answer"
	"svc/app/seller/figure"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Options of New.
type Options struct {
	Runs      *execution.Service
	Replies   *reply.Service
	Knowledge answer.Knowledge  // nil: there is none
	JEV       *jev.Service      // nil: there is none
	Calendar  *calendar.Service // nil: nothing is booked
	// Memory is what is known of the customer of a conversation, and its summary.
	Memory func(tx *store.Tx, org, conversation string) ([]answer.Known, string, error)
	// Missed keeps a question that nothing answered; nil: nothing does.
	Missed func(tx *store.Tx, org, conversation string, about *answer.Situation, o *answer.Outcome) error
	// StopWords are the words that opt the customer of a conversation out.
	StopWords func(tx *store.Tx, o *org.Organization, k *conversation.Conversation) ([]string, error)
	// Lead notes what a turn says of a sale, and moves the stage of the conversation; nil:
	// nothing does.
	Lead func(tx *store.Tx, org string, k *conversation.Conversation, about *answer.Situation, o *answer.Outcome) error
	// Interests are the ids of offers that the customer of a conversation is interested in; nil:
	// nobody knows.
	Interests func(tx *store.Tx, org, conversation, business string) ([]string, error)
	// Worth is what the lead of a conversation is worth before and after an answer, in the
	// currency of the lead; nil: nobody knows.
	Worth func(tx *store.Tx, org string, k *conversation.Conversation, about *answer.Situation, o *answer.Outcome) (before, after price.Amount, err error)
}

// Service answers customers.
type Service struct {
	db       *store.DB
	o        Options
	bus      *signal.Bus // nil: nobody hears of turns
	variants []Variants
}

// New makes the service. It starts nothing: see Subscribe and Work.
func New(db *store.DB, o Options) *Service {
	if o.Memory == nil {
		o.Memory = func(*store.Tx, string, string) ([]answer.Known, string, error) { return nil, "", nil }
	}
	if o.Interests == nil {
		o.Interests = func(*store.Tx, string, string, string) ([]string, error) { return nil, nil }
	}
	return &Service{db: db, o: o}
}

// Work registers the job that answers.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.work, queue.WithTimeout(jobTime))
	queue.Register(w, s.follow, queue.WithTimeout(jobTime))
	queue.Register(w, s.shadow, queue.WithTimeout(jobTime))
	queue.Register(w, s.sweep)
}

// jobTime bounds one turn with all its calls.
const jobTime = 5 * time.Minute

// claimed is a turn that this process answers.
type claimed struct {
	turn      Turn
	situation *answer.Situation
	work      *execution.Work
}

// errAgain: what was read for the answer is not what it was; the worker reads it again.
var errAgain = errors.New("turn: the conversation changed while it was claimed")

// work is one try at the turn of a conversation.
func (s *Service) work(ctx context.Context, j queue.Job, a job) error {
	c, err := s.claim(ctx, j, a)
	if errors.Is(err, errAgain) {
		return queue.Snooze(time.Second)
	}
	if err != nil || c == nil {
		return err
	}
	defer c.work.Close()
	out := answer.Run(ctx, c.work, c.situation)
	if errors.Is(out.Err, context.Canceled) && ctx.Err() != nil {
		return ctx.Err() // the node stops; another goes on when the execution is taken for dead
	}
	var wait time.Duration
	err = s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		wait, err = s.act(tx, a.Org, c, &out)
		if err == nil && wait == 0 {
			err = queue.Finish(tx, j)
		}
		return err
	})
	if err == nil && wait > 0 {
		return queue.Snooze(wait)
	}
	return err
}

// claim makes the turn this worker's, with an open execution. Its answer is nil when there
// is nothing to do: then the job ended, or the error says when it is due.
func (s *Service) claim(ctx context.Context, j queue.Job, a job) (c *claimed, err error) {
	var seen look
	if err := s.db.View(ctx, func(tx *store.Tx) error {
		seen, err = s.look(tx, a)
		return err
	}); err != nil {
		return nil, err
	}
	if !seen.now {
		return nil, s.later(ctx, j, a, &seen)
	}
	work, err := s.o.Runs.Begin(ctx, plan(a, &seen))
	if err != nil {
		return nil, err
	}
	var wait time.Duration
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		wait, err = s.open(tx, a, j, &seen, work)
		return err
	})
	switch {
	case err != nil:
		work.Close()
		return nil, err
	case wait > 0:
		work.Close()
		return nil, queue.Snooze(wait)
	case wait < 0:
		work.Close()
		return nil, nil
	}
	return &claimed{turn: seen.turn, situation: seen.situation, work: work}, nil
}

// look is a conversation as a worker finds it.
type look struct {
	turn      Turn
	k         conversation.Conversation
	verdict   verdict
	situation *answer.Situation
	now       bool // it can be answered now
	enough    bool // of a silence: nothing more is written into it
	until     time.Time
	why       Event // until is when it is looked at again
}

// look reads what is owed and what an answer depends on.
func (s *Service) look(tx *store.Tx, a job) (l look, err error) {
	if l.turn, err = of(tx, a.Org, a.Conversation); err != nil || !l.turn.owed() {
		return l, err
	}
	if now := tx.DB().Now(); l.turn.Due.After(now) && l.turn.Phase != Running {
		l.until = l.turn.Due
		return l, nil
	}
	if l.k, err = conversation.Get(tx, a.Org, a.Conversation); err != nil {
		return l, store.IgnoreNotFound(err)
	}
	if l.verdict, err = s.gate(tx, a.Org, &l.k); err != nil || l.verdict.ends {
		return l, err
	}
	if l.verdict.settings.OutsideHours == "HOLD" {
		if open, next := l.verdict.business.Open(tx.DB().Now()); !open && !next.IsZero() {
			l.until, l.why = next, Closed
			return l, nil
		}
	}
	if unproven, err := s.o.Replies.Unproven(tx, a.Org, &l.k); err != nil || unproven && l.turn.Phase != Running {
		l.until, l.why = tx.DB().Now().Add(untilProven), Unproven
		return l, err
	}
	if l.situation, err = s.load(tx, a.Org, &l.k, &l.verdict); err != nil {
		return l, err
	}
	l.now = l.situation.Burst > 0
	return l, nil
}

func plan(a job, l *look) execution.Plan {
	return execution.Plan{
		Org: a.Org, Agent: sellerAgent, Mode: live, Conversation: a.Conversation, Business: l.verdict.business.ID, Trigger: l.k.LastID,
		Questions: answer.Foreseen(l.situation),
	}
}

// later ends a try that has nothing to answer now.
func (s *Service) later(ctx context.Context, j queue.Job, a job, seen *look) error {
	var wait time.Duration
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		now, err := of(tx, a.Org, a.Conversation)
		if err != nil {
			return err
		}
		if now.Want != seen.turn.Want || now.Phase != seen.turn.Phase {
			return errAgain
		}
		if wait = seen.until.Sub(tx.DB().Now()); now.owed() && wait > 0 {
			if seen.until.Equal(now.Due) {
				return nil
			}
			now.Due = seen.until
			return now.apply(tx, a.Org, seen.why)
		}
		wait = 0
		if now.owed() {
			if err := s.withdraw(tx, a.Org, &now, &seen.k, seen.verdict.code); err != nil {
				return err
			}
		}
		return queue.Finish(tx, j)
	})
	if err == nil && wait > 0 {
		return queue.Snooze(wait)
	}
	return err
}

// open reserves the cost and makes the turn RUNNING. Its answer is 0 to go on, a time to
// wait, or -1 when the turn ended here.
func (s *Service) open(tx *store.Tx, a job, j queue.Job, seen *look, work *execution.Work) (time.Duration, error) {
	now, err := of(tx, a.Org, a.Conversation)
	if err != nil {
		return 0, err
	}
	if now.Want != seen.turn.Want || now.Phase != seen.turn.Phase || now.Execution != seen.turn.Execution {
		return 0, errAgain
	}
	if now.Phase == Running { // this job is alone, so whoever had the turn is dead
		now.Deaths++
		if err := now.apply(tx, a.Org, Died); err != nil {
			return 0, err
		}
		if now.Deaths >= mostDeaths {
			return s.give(tx, a, j, &now, &seen.k, handoff.RepeatedFailures, "The answer was begun three times and never ended.")
		}
	}
	if err := work.Open(tx); err != nil {
		return s.refused(tx, a, j, &now, &seen.k, err)
	}
	now.Execution = work.ID()
	if err := now.apply(tx, a.Org, Claimed); err != nil {
		return 0, err
	}
	seen.turn = now
	return 0, nil
}

// mostDeaths is how often a node may end under a turn before a person is asked, and
// mostFailures how often no model may answer.
const (
	mostDeaths   = 3
	mostFailures = 2
)

// What tells the team why they have a conversation.
const (
	noModel  = "No language model answered twice."
	noBudget = "budget_exceeded: the AI budget is used up."
)

// refused is a turn whose execution could not be opened: a budget is used up, AI is switched
// off, or no provider is there.
func (s *Service) refused(tx *store.Tx, a job, j queue.Job, t *Turn, k *conversation.Conversation, err error) (time.Duration, error) {
	var full *execution.RefusedError
	var refused *api.Error
	switch {
	case errors.As(err, &full):
		if err := full.Notify(tx); err != nil {
			return 0, err
		}
		return s.give(tx, a, j, t, k, handoff.Custom, noBudget)
	case errors.As(err, &refused) && refused.Kind == api.Forbidden:
		if err := s.withdraw(tx, a.Org, t, k, ""); err != nil {
			return 0, err
		}
		return -1, queue.Finish(tx, j)
	case errors.As(err, &refused):
		wait, err := s.unavailable(tx, a.Org, t, k, refused.RetryAfter)
		if err == nil && wait == 0 {
			return -1, queue.Finish(tx, j)
		}
		return wait, err
	}
	return 0, err
}

// give hands a turn that never began to a person, and ends it.
func (s *Service) give(tx *store.Tx, a job, j queue.Job, t *Turn, k *conversation.Conversation, why handoff.Trigger, reason string) (time.Duration, error) {
	if err := s.toPerson(tx, a.Org, t, k, why, reason); err != nil {
		return 0, err
	}
	return -1, queue.Finish(tx, j)
}

// toPerson hands a turn that has no answer to a person.
func (s *Service) toPerson(tx *store.Tx, org string, t *Turn, k *conversation.Conversation, why handoff.Trigger, reason string) error {
	id, err := s.handOver(tx, org, k, why, handoff.High, reason)
	if err != nil {
		return err
	}
	t.Done = t.Want
	if err := t.apply(tx, org, Withdrawn); err != nil {
		return err
	}
	return emitCompleted(tx, org, k, ending{action: execution.Handoff, handoff: id})
}

// withdraw ends a turn of which nothing is to be answered, for a reason of the gate.
func (s *Service) withdraw(tx *store.Tx, org string, t *Turn, k *conversation.Conversation, code string) error {
	t.Done = t.Want
	if err := t.apply(tx, org, Withdrawn); err != nil || !blocks(code) || k.ID == "" {
		return err
	}
	return s.withhold(tx, org, k, code)
}

// withhold tells and counts that nothing is written, for the reason of a code.
func (s *Service) withhold(tx *store.Tx, org string, k *conversation.Conversation, code string) error {
	if err := emitCompleted(tx, org, k, ending{action: execution.Block}); err != nil {
		return err
	}
	if !k.Personal {
		if err := figure.Withheld(tx, org, k.AccountID, code); err != nil {
			return err
		}
	}
	return s.blocked(tx, org, k, []string{code}, "")
}

// unavailable notes that no model answered: it is tried again, the second time a person is
// asked. 0: the turn ended.
func (s *Service) unavailable(tx *store.Tx, org string, t *Turn, k *conversation.Conversation, after time.Duration) (time.Duration, error) {
	t.Failures++
	if t.Failures >= mostFailures {
		return 0, s.toPerson(tx, org, t, k, handoff.RepeatedFailures, noModel)
	}
	wait := max(after, afterFailure)
	t.Due = tx.DB().Now().Add(wait)
	return wait, t.apply(tx, org, Failed)
}
