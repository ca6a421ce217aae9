package analysis

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/jev"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// The cadence (contract 47, Case analysis).
const (
	liveAfter  = 3 * time.Minute  // the customer's last message
	liveEvery  = 15 * time.Minute // at most
	finalAfter = 12 * time.Hour   // the last message
	endedAfter = time.Minute      // a conversation that ended
)

// Service analyses conversations.
type Service struct {
	db   *store.DB
	runs *execution.Service
	jev  *jev.Service
	log  *slog.Logger
}

// New makes the service. It starts nothing; see Work and Subscribe. outside may be nil: nobody
// but models is asked.
func New(db *store.DB, runs *execution.Service, outside *jev.Service, log *slog.Logger) *Service {
	return &Service{db, runs, outside, log}
}

// On says whether conversations of an organization are analysed: the organization and the
// platform want it, and AI is switched on.
func On(tx *store.Tx, orgID string) (bool, error) {
	o, err := org.Get(tx, orgID)
	if err != nil || !o.ConversationIntelligence {
		return false, err
	}
	if on, err := o.AIOn(tx); err != nil || !on {
		return false, err
	}
	p, err := setting.Get(tx)
	return p.ConversationIntelligence, err
}

// Allowed refuses where conversations are not analysed.
func Allowed(tx *store.Tx, orgID string) error {
	on, err := On(tx, orgID)
	if err == nil && !on {
		return api.ErrForbidden.WithMessage("The analysis of conversations is switched off for this organization or for the platform.")
	}
	return err
}

// why says why a conversation is analysed.
type why string

const (
	live  why = "live"
	final why = "final"
	asked why = "asked"
)

// analysing is the job that analyses a conversation.
type analysing struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation"`
	Why          why    `json:"why"`
}

// Kind implements queue.Args.
func (analysing) Kind() string { return "insight.analyse" }

// Queue implements queue.Args.
func (analysing) Queue() queue.Name { return queue.Analysis }

const (
	tries   = 4
	jobTime = 3 * time.Minute
)

// Work registers the jobs.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.run, queue.WithTimeout(jobTime))
	queue.Register(w, s.recountAll, queue.WithTimeout(time.Hour))
}

// ask asks for the job, once for each conversation and reason; what changes while it is at
// work is looked at by another one behind it.
func ask(tx *store.Tx, org, id string, w why, at time.Time) error {
	_, err := queue.Add(tx, analysing{org, id, w}, at, queue.For(org, id), queue.Coalesced(string(w)+"/"+id), queue.Attempts(tries))
	return err
}

// Subscribe subscribes to what changes conversations.
func Subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, x intake.Arrived) error {
		if x.Conversation.Personal {
			return Forget(tx, x.Org, x.Conversation.ID)
		}
		if x.Message.Author != conversation.Customer || x.Message.Imported {
			return nil
		}
		return heard(tx, x.Org, &x.Conversation)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Stop) error { return ended(tx, x.Org, x.Conversation) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.WasDone) error { return ended(tx, x.Org, x.Conversation) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		return Forget(tx, x.Org, x.Conversation)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Unlinked) error {
		for _, id := range x.Conversations {
			r, err := table.Get(tx, x.Org, id)
			if store.IsNotFound(err) {
				continue
			}
			if err := errors.Join(err, forgetWords(tx, x.Org, &r)); err != nil {
				return err
			}
		}
		return nil
	})
}

// heard notes a message of a customer, and asks for what it makes due.
func heard(tx *store.Tx, org string, k *conversation.Conversation) error {
	_, ok, err := note(tx, org, k)
	if err != nil || !ok {
		return err
	}
	if on, err := On(tx, org); err != nil || !on {
		return err
	}
	now := tx.DB().Now()
	if err := ask(tx, org, k.ID, live, now.Add(liveAfter)); err != nil {
		return err
	}
	return ask(tx, org, k.ID, final, now.Add(finalAfter))
}

// ended asks for the last analysis of a conversation that is known here.
func ended(tx *store.Tx, org, id string) error {
	if has, err := table.Has(tx, org, id); err != nil || !has {
		return err
	}
	if on, err := On(tx, org); err != nil || !on {
		return err
	}
	return ask(tx, org, id, asked, tx.DB().Now().Add(endedAfter))
}

// over says that a conversation ended, or was quiet for so long that it counts as ended.
func over(k *conversation.Conversation, now time.Time) bool {
	return k.AIState == conversation.Stopped || !k.DoneAt.IsZero() || !now.Before(k.LastAt.Add(finalAfter))
}

// due says whether a conversation is analysed now, and how long to wait otherwise; both
// nothing: never.
func due(k *conversation.Conversation, r *Row, w why, now time.Time) (yes bool, wait time.Duration) {
	fresh := k.LastInAt.After(r.UpTo)
	switch w {
	case live:
		if !fresh {
			return false, 0
		}
		at := k.LastInAt.Add(liveAfter)
		if next := r.AnalysedAt.Add(liveEvery); next.After(at) {
			at = next
		}
		return !now.Before(at), at.Sub(now)
	case final:
		if r.Phase == Final && !fresh {
			return false, 0
		}
		at := k.LastAt.Add(finalAfter)
		return !now.Before(at), at.Sub(now)
	}
	return true, 0
}

func (s *Service) run(ctx context.Context, j queue.Job, a analysing) error {
	var wait time.Duration
	var yes bool
	err := s.db.View(ctx, func(tx *store.Tx) error {
		on, err := On(tx, a.Org)
		if err != nil || !on {
			return errors.Join(err, ErrNothing)
		}
		k, err := conversation.Get(tx, a.Org, a.Conversation)
		if err != nil || k.Personal {
			return errors.Join(store.IgnoreNotFound(err), ErrNothing)
		}
		r, err := table.Get(tx, a.Org, a.Conversation)
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		yes, wait = due(&k, &r, a.Why, tx.DB().Now())
		return nil
	})
	switch {
	case errors.Is(err, ErrNothing):
		return nil
	case err != nil:
		return err
	case !yes && wait > 0:
		return queue.Snooze(wait)
	case !yes:
		return nil
	}
	_, err = s.Analyse(ctx, a.Org, a.Conversation)
	if errors.Is(err, ErrNothing) {
		return nil
	}
	if err == nil || ctx.Err() != nil || j.Attempts < j.MaxAttempts && !Refused(err) {
		return err
	}
	return s.failed(ctx, a.Org, a.Conversation, api.From(err).Code)
}

// Refused says that an error is a refusal that another try would not change: AI or the agent
// is switched off, or a budget is used up.
func Refused(err error) bool {
	e := api.From(err)
	return e.Kind == api.Forbidden || e.Kind == api.Conflict
}

// failed keeps why the last try failed, beside the analysis that there is.
func (s *Service) failed(ctx context.Context, org, id, code string) error {
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		_, err := table.Edit(tx, org, id, func(r *Row) error { r.ErrorCode = code; return nil })
		return store.IgnoreNotFound(err)
	})
}

// Purge removes up to limit summaries and explanations that are older than the organization
// keeps messages, and says how many there were.
func Purge(tx *store.Tx, orgID string, limit int) (int, error) {
	o, err := org.Get(tx, orgID)
	if err != nil || o.Retention.MessagesDays == nil {
		return 0, store.IgnoreNotFound(err)
	}
	before := tx.DB().Now().AddDate(0, 0, -*o.Retention.MessagesDays)
	list, _, err := byAge.Walk(tx, orgID, store.Range{Span: store.During(time.Time{}, before), Limit: limit})
	for i := range list {
		if err == nil {
			err = forgetWords(tx, orgID, &list[i])
		}
	}
	return len(list), err
}

// ForgetBusiness removes up to limit conversations of a business that is gone, with what they
// add up, and says how many there were.
func ForgetBusiness(tx *store.Tx, org, id string, limit int) (int, error) {
	page, err := table.Page(tx, org, store.Query[Row]{Where: []store.Cond[Row]{businessFacet.Any(id)}, Limit: limit})
	for i := range page.Data {
		if err == nil {
			err = Forget(tx, org, page.Data[i].ID)
		}
	}
	return len(page.Data), err
}

var errUnmapped = api.ErrState.WithMessage("The account of this conversation answers for no business; choose one in the settings of the seller first.")

// ErrNothing says that there is nothing to analyse: no message of the customer with words, a personal
// chat, no business.
var ErrNothing = fmt.Errorf("analysis: there is nothing to analyse")
