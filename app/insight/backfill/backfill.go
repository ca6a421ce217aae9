// Package backfill analyses conversations of the past: what it would cost first, then newest
// first, in batches, until it is done, cancelled, or the budget ends.
//
// It promises one run of an organization at a time; that a run which was interrupted goes on
// behind what is done, and pays for nothing twice; that it stops at the budget with what is
// done kept; and that an import of a history starts one by itself (contract 15.7).
package backfill

import (
	"time"

	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/inbox/history"
	"svc/app/insight/analysis"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Status is where a run is (contract 60.59).
type Status string

// The statuses.
const (
	Queued    Status = "QUEUED"
	Running   Status = "RUNNING"
	Done      Status = "DONE"
	Failed    Status = "FAILED"
	Cancelled Status = "CANCELLED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Queued, Running, Done, Failed, Cancelled} }

// Event is what happens to a run.
type Event string

// The events.
const (
	Began    Event = "began"
	Finished Event = "finished"
	GaveUp   Event = "gave up"
	Stopped  Event = "stopped by a person"
)

// Events lists them.
func Events() []Event { return []Event{Began, Finished, GaveUp, Stopped} }

// life is the life of a run. Began twice: its process died, or a batch ended.
var life = api.Table[Status, Event]{
	{From: []Status{Queued, Running}, On: Began, To: Running},
	{From: []Status{Running}, On: Finished, To: Done},
	{From: []Status{Queued, Running}, On: GaveUp, To: Failed},
	{From: []Status{Queued, Running}, On: Stopped, To: Cancelled},
}

// Source says who asked for a run.
type Source string

// The sources.
const (
	ByRequest Source = "REQUEST"
	ByImport  Source = "IMPORT"
)

// record is a run as it is kept.
type record struct {
	ID       string    `json:"id"`
	Source   Source    `json:"source"`
	Status   Status    `json:"status"`
	Business string    `json:"business,omitempty"` // "" for all
	Channel  string    `json:"channel,omitempty"`
	Account  string    `json:"account,omitempty"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`

	Total     int          `json:"total,omitempty"`
	Processed int          `json:"processed,omitempty"`
	Analysed  int          `json:"analyzed,omitempty"`
	Skipped   int          `json:"skipped,omitempty"`
	Cost      catalog.Nano `json:"cost,omitempty"`
	Estimated catalog.Nano `json:"estimated,omitempty"`
	ErrorCode string       `json:"error_code,omitempty"`

	After      store.Cursor `json:"after,omitempty"` // behind what is done
	EmittedAt  time.Time    `json:"told_at,omitzero"`
	CreatedBy  string       `json:"created_by,omitempty"`
	StartedAt  time.Time    `json:"started_at"`
	FinishedAt time.Time    `json:"finished_at,omitzero"`
}

var (
	table     = store.NewTable("insight_backfill", "bkf", func(r *record) string { return r.ID })
	byStarted = table.Index("started", func(r *record) store.Key { return store.Time(r.StartedAt) })
	underWay  = table.Multi("under_way", func(r *record) []store.Key {
		if r.Status != Queued && r.Status != Running {
			return nil
		}
		return []store.Key{store.Time(r.StartedAt)}
	})
)

// Tables are what a store that holds runs is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Service does the operations of the package.
type Service struct {
	db       *store.DB
	runs     *execution.Service
	analyses *analysis.Service
}

// New makes the service. It starts nothing; see Work and Subscribe.
func New(db *store.DB, runs *execution.Service, analyses *analysis.Service) *Service {
	return &Service{db, runs, analyses}
}

func (r *record) apply(on Event) error {
	to, ok := life.Next(r.Status, on)
	if !ok {
		return api.ErrState
	}
	r.Status = to
	return nil
}

func (r *record) resource() audit.Resource { return audit.On("backfill", r.ID, "") }

// errBusy says that another run is under way.
var errBusy = api.ErrState.WithMessage("Conversations of the past are being analysed already; wait, or cancel that.")

// begin stores a run and asks for its job.
func begin(tx *store.Tx, org string, r *record) error {
	if _, err := underWay.First(tx, org, store.All()); !store.IsNotFound(err) {
		if err == nil {
			err = errBusy
		}
		return err
	}
	r.Status, r.StartedAt = Queued, tx.DB().Now()
	if err := table.Insert(tx, org, r); err != nil {
		return err
	}
	return ask(tx, org, r.ID)
}

// end ends a run and lets those know who follow it.
func (r *record) end(tx *store.Tx, org string, on Event, code string) error {
	if err := r.apply(on); err != nil {
		return err
	}
	r.FinishedAt, r.ErrorCode = tx.DB().Now(), code
	return r.saveAndEmit(tx, org)
}

// saveAndEmit saves a run and emits how far it is.
func (r *record) saveAndEmit(tx *store.Tx, org string) error {
	r.EmittedAt = tx.DB().Now()
	if err := table.Put(tx, org, r); err != nil {
		return err
	}
	return event.Emit(tx, org, event.InsightsBackfill, struct {
		BackfillID string  `json:"backfill_id"`
		BusinessID *string `json:"business_id"`
		Status     Status  `json:"status"`
		Total      int     `json:"total"`
		Processed  int     `json:"processed"`
		Analysed   int     `json:"analyzed"`
		Skipped    int     `json:"skipped"`
		CostUSD    float64 `json:"cost_usd"`
		ErrorCode  *string `json:"error_code"`
	}{r.ID, api.Optional(r.Business), r.Status, r.Total, r.Processed, r.Analysed, r.Skipped, r.Cost.USD(), api.Optional(r.ErrorCode)})
}

// takes says whether a run is about a conversation.
func (r *record) takes(tx *store.Tx, org string, k *conversation.Conversation, accounts map[string]string) (takes, needs bool, err error) {
	if r.Channel != "" && string(k.Channel) != r.Channel || r.Account != "" && k.AccountID != r.Account {
		return false, false, nil
	}
	id, known := accounts[k.AccountID]
	if !known {
		ids, err := business.IDsOf(tx, org, []string{k.AccountID})
		if err != nil {
			return false, false, err
		}
		id = ids[k.AccountID]
		accounts[k.AccountID] = id
	}
	if id == "" || r.Business != "" && id != r.Business {
		return false, false, nil
	}
	return analysis.Needs(tx, org, k)
}

const (
	readAtOnce = 500
	sampled    = 100 // conversations by which the price is estimated
)

// estimate counts the conversations of a run, and says what it would cost by a sample of them.
func (s *Service) estimate(c *api.Call, org string, r *record) error {
	accounts := map[string]string{}
	var sample []sampledConversation
	needing := 0
	var after store.Cursor
	for {
		err := s.db.View(c, func(tx *store.Tx) error {
			list, next, err := conversation.Between(tx, org, r.From, r.To, after, readAtOnce)
			if err != nil {
				return err
			}
			for i := range list {
				takes, needs, err := r.takes(tx, org, &list[i], accounts)
				if err != nil {
					return err
				}
				if takes {
					r.Total++
				}
				if !needs {
					continue
				}
				x := sampledConversation{list[i].ID, accounts[list[i].AccountID]}
				// Every one has the same chance to be in the sample, and the same ones are each time.
				if needing++; len(sample) < sampled {
					sample = append(sample, x)
				} else if at := needing * 7919 % (needing + 1); at < sampled {
					sample[at] = x
				}
			}
			after = next
			return nil
		})
		if err != nil {
			return err
		}
		if after == nil {
			return s.price(c, org, r, sample, needing)
		}
	}
}

type sampledConversation struct{ id, business string }

// price is what analysing so many conversations costs.
func (s *Service) price(c *api.Call, org string, r *record, sample []sampledConversation, needing int) error {
	if len(sample) == 0 {
		return nil
	}
	return s.db.View(c, func(tx *store.Tx) error {
		var all catalog.Nano
		for _, x := range sample {
			in, out, err := analysis.Size(tx, org, x.business, x.id)
			if err != nil {
				return err
			}
			if in == 0 {
				continue
			}
			n, err := s.runs.Estimate(tx, org, execution.Asked{Agent: agent.Analysis}, in, out)
			if err != nil {
				return err
			}
			all += n
		}
		r.Estimated = all * catalog.Nano(needing) / catalog.Nano(len(sample))
		return nil
	})
}

// Subscribe subscribes to what starts runs.
func Subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, x history.Imported) error {
		if on, err := analysis.On(tx, x.Org); err != nil || !on {
			return err
		}
		ids, err := business.IDsOf(tx, x.Org, []string{x.Account})
		if err != nil || ids[x.Account] == "" {
			return err
		}
		_, err = queue.Add(tx, imported{x.Org, x.Account, x.Run}, time.Time{}, queue.Once(x.Run), queue.For(x.Org, x.Account))
		return err
	})
}
