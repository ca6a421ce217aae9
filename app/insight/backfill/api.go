package backfill

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/insight/analysis"
	"svc/app/org"
	"svc/app/seller/figure"
	"svc/store"
)

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	busy := api.Errors(api.ErrState)
	return []api.Endpoint{
		api.E("GET /ai/insights/backfill", "backfill.get", perm.AIRead, "Read the last run over conversations of the past.", s.get),
		api.E("POST /ai/insights/backfill", "backfill.start", perm.AIManage,
			"Analyse conversations of the past, in the background; with dry_run only say what that would cost.", s.start, busy),
		api.E("POST /ai/insights/backfill/cancel", "backfill.cancel", perm.AIManage, "Stop the run; what is done stays.", s.cancel, busy),
	}
}

// Shown is a run as the API answers it.
type Shown struct {
	ID           *string    `json:"id" doc:"null of an estimate, and where there was no run yet."`
	Status       *Status    `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED,CANCELLED" doc:"null likewise."`
	Source       Source     `json:"source" enum:"REQUEST,IMPORT" doc:"IMPORT: the history of an account was imported."`
	BusinessID   *string    `json:"business_id" doc:"null: every business."`
	Business     *api.Named `json:"business"`
	Channel      *string    `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	AccountID    *string    `json:"account_id" doc:"Of an import."`
	Account      *api.Named `json:"account"`
	From         *time.Time `json:"from"`
	To           *time.Time `json:"to" doc:"Exclusive. Conversations whose last message lies between."`
	Total        int        `json:"total" doc:"Conversations."`
	Processed    int        `json:"processed"`
	Analysed     int        `json:"analyzed"`
	Skipped      int        `json:"skipped" doc:"Analysed before, or without anything to read."`
	CostUSD      float64    `json:"cost_usd"`
	EstimatedUSD float64    `json:"estimated_cost_usd"`
	ErrorCode    *string    `json:"error_code"`
	StartedAt    *time.Time `json:"started_at"`
	FinishedAt   *time.Time `json:"finished_at"`
}

func (r *record) shown(org string) Shown {
	return Shown{
		ID: api.Optional(r.ID), Status: api.Optional(r.Status), Source: r.Source, BusinessID: api.Optional(r.Business), Business: api.Ref(org, r.Business), Channel: api.Optional(r.Channel),
		AccountID: api.Optional(r.Account), Account: api.Ref(org, r.Account), From: api.Optional(r.From.UTC()), To: api.Optional(r.To.UTC()), Total: r.Total, Processed: r.Processed,
		Analysed: r.Analysed, Skipped: r.Skipped, CostUSD: r.Cost.USD(), EstimatedUSD: r.Estimated.USD(), ErrorCode: api.Optional(r.ErrorCode),
		StartedAt: api.Optional(r.StartedAt), FinishedAt: api.Optional(r.FinishedAt),
	}
}

func (s *Service) get(c *api.Call, _ struct{}) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		r, err := byStarted.Last(tx, c.Org, store.All())
		if store.IsNotFound(err) {
			r.Source, err = ByRequest, nil
		}
		out = r.shown(c.Org)
		return err
	})
	return out, err
}

type startIn struct {
	Body struct {
		From       string  `json:"from" required:"true" maxLength:"40" doc:"A date (YYYY-MM-DD) or a time (RFC 3339); its day counts whole."`
		To         string  `json:"to" required:"true" maxLength:"40" doc:"Likewise, exclusive."`
		BusinessID *string `json:"business_id" maxLength:"64"`
		Channel    *string `json:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
		DryRun     bool    `json:"dry_run" doc:"Only say how many conversations there are, and what it would cost."`
	}
}

// run is the run that is asked for.
func (in *startIn) run(tx *store.Tx, c *api.Call) (r record, err error) {
	if err := analysis.Allowed(tx, c.Org); err != nil {
		return r, err
	}
	r = record{Source: ByRequest, CreatedBy: c.Caller.ID}
	span := figure.SpanIn{From: in.Body.From, To: in.Body.To}
	if in.Body.BusinessID != nil {
		r.Business = *in.Body.BusinessID
	}
	if in.Body.Channel != nil {
		r.Channel = *in.Body.Channel
	}
	if r.Business != "" {
		if _, err := business.Named(tx, c.Org, r.Business); err != nil {
			return r, err
		}
	}
	zone, err := zoneOf(tx, c.Org)
	if err != nil {
		return r, err
	}
	days, err := span.Days(c.Now, zone)
	r.From, r.To = days.From, days.To
	return r, err
}

func zoneOf(tx *store.Tx, orgID string) (*time.Location, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	return time.LoadLocation(o.Timezone)
}

func (s *Service) start(c *api.Call, in startIn) (out api.MaybeAccepted[Shown], err error) {
	var r record
	err = s.db.View(c, func(tx *store.Tx) error {
		r, err = in.run(tx, c)
		return err
	})
	if err != nil {
		return out, err
	}
	if err := s.estimate(c, c.Org, &r); err != nil {
		return out, err
	}
	if in.Body.DryRun {
		return api.MaybeAccepted[Shown]{Value: r.shown(c.Org)}, nil
	}
	r.ID = s.db.NewID("bkf")
	err = s.db.Update(c, func(tx *store.Tx) error {
		out, err = started(tx, c, r)
		return err
	})
	return out, err
}

// started stores a run that begins, and shows it.
func started(tx *store.Tx, c *api.Call, r record) (out api.MaybeAccepted[Shown], err error) {
	if err := begin(tx, c.Org, &r); err != nil {
		return out, err
	}
	out = api.MaybeAccepted[Shown]{Later: true, Value: r.shown(c.Org)}
	return out, audit.Write(tx, c, "backfill.started", r.resource(), audit.Changed("total", nil, r.Total))
}

func (s *Service) cancel(c *api.Call, _ struct{}) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		r, err := underWay.First(tx, c.Org, store.All())
		if store.IsNotFound(err) {
			return api.ErrState.WithMessage("Nothing is being analysed.")
		}
		if err != nil {
			return err
		}
		if err := r.end(tx, c.Org, Stopped, ""); err != nil {
			return err
		}
		out = r.shown(c.Org)
		return audit.Write(tx, c, "backfill.cancelled", r.resource())
	})
	return out, err
}
