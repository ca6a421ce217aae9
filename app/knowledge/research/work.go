package research

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/execution"
	"svc/store"
	"svc/store/queue"
)

// working is the job that does research.
type working struct {
	Org      string `json:"org"`
	Research string `json:"research"`
}

func (working) Kind() string      { return "knowledge.research" }
func (working) Queue() queue.Name { return queue.Imports }

// Bounds of research (contract 13.24).
const (
	tries       = 3
	maxSearches = 5
	maxPages    = 15
	maxOwn      = 4 // pages that the site of the business links
	perSearch   = 6
	readTime    = 2 * time.Minute
	tryTime     = 6 * time.Minute
	maxChunks   = 14
	maxFindings = 12
	perQuestion = 3
	// leastQuote is how long a quote is at least, in characters.
	leastQuote = 12
)

// The codes of research that failed, beside those of pages, documents and the API.
const (
	noSearch       = "SEARCH_NOT_CONFIGURED"
	noSearchAnswer = "SEARCH_FAILED"
	noPages        = "NO_PAGES"
	noAnswer       = "NOTHING_FOUND"
)

// Work registers the job.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.run, queue.WithTimeout(tryTime))
	queue.Register(w, s.forget)
}

// forgetting is the job that removes the research of a business that is gone.
type forgetting struct {
	Org      string `json:"org"`
	Business string `json:"business"`
}

func (forgetting) Kind() string      { return "knowledge.forget_research" }
func (forgetting) Queue() queue.Name { return queue.Maintenance }

// BusinessDeleted asks for that job.
func BusinessDeleted(tx *store.Tx, _ *api.Call, d business.Deleted) error {
	_, err := queue.Add(tx, forgetting{d.Org, d.Business}, time.Time{}, queue.Once(d.Business), queue.For(d.Org, d.Business))
	return err
}

func (s *Service) forget(ctx context.Context, _ queue.Job, f forgetting) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			p, err := records.Page(tx, f.Org, store.Query[record]{Where: []store.Cond[record]{ofBusiness.Any(f.Business)}, Limit: 200})
			more = p.Total > len(p.Data)
			for i := range p.Data {
				if err == nil {
					err = records.Delete(tx, f.Org, p.Data[i].ID)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) run(ctx context.Context, j queue.Job, a working) error {
	r, site, ok, err := s.begin(ctx, a)
	if err != nil || !ok {
		return err
	}
	err = s.db.View(ctx, func(tx *store.Tx) error { return s.mayResearch(tx, a.Org, r.BusinessID) })
	if err != nil { // it was taken away since
		code := api.From(err).Code
		if code != api.ErrForbidden.Code {
			return err
		}
		return s.end(ctx, a.Org, &r, nil, func(now *record) { now.ErrorCode = code })
	}
	pages, code := s.gather(ctx, &r, site)
	if errors.Is(ctx.Err(), context.Canceled) { // this node stops
		return ctx.Err()
	}
	if len(pages) == 0 {
		return s.end(ctx, a.Org, &r, nil, func(now *record) { now.ErrorCode = code })
	}
	err = s.answer(ctx, a.Org, &r, pages)
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) && j.Attempts >= j.MaxAttempts {
		s.o.Log.Warn("research failed", "research", r.ID, "error", err)
		return s.end(ctx, a.Org, &r, nil, func(now *record) { now.ErrorCode = api.From(err).Code })
	}
	return err
}

// begin notes that research runs. site is that of the business.
func (s *Service) begin(ctx context.Context, a working) (r record, site string, ok bool, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		r, err = records.Get(tx, a.Org, a.Research)
		if ok = err == nil && (r.Status == Queued || r.Status == Running); !ok {
			return store.IgnoreNotFound(err)
		}
		b, err := business.Get(tx, a.Org, r.BusinessID)
		if ok = err == nil; !ok {
			return store.IgnoreNotFound(err) // it was deleted meanwhile
		}
		if site = ""; b.Website != nil {
			site = *b.Website
		}
		if err := r.apply(begun); err != nil {
			return err
		}
		if err := records.Put(tx, a.Org, &r); err != nil {
			return err
		}
		return emitUpdated(tx, a.Org, &r)
	})
	return r, site, ok, err
}

// end stores how research ended, with the execution that answered it; nil: none did. set fills
// the record: one with an error code has failed.
func (s *Service) end(ctx context.Context, org string, r *record, w *execution.Work, set func(*record)) error {
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := records.Get(tx, org, r.ID)
		if store.IsNotFound(err) && w != nil {
			return w.Settle(tx, execution.Outcome{})
		}
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if w != nil {
			if err := w.Settle(tx, execution.Outcome{}); err != nil {
				return err
			}
			now.Cost, now.ExecutionID = w.Spent(), w.ID()
		}
		set(&now)
		on := answered
		if now.ErrorCode != "" {
			on = gaveUp
		}
		if err := now.apply(on); err != nil {
			return err
		}
		at := tx.DB().Now()
		now.FinishedAt = &at
		if err := records.Put(tx, org, &now); err != nil {
			return err
		}
		return emitUpdated(tx, org, &now)
	})
}
