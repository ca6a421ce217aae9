package cases

import (
	"context"
	"errors"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/insight/dimension"
	"svc/store"
	"svc/store/queue"
)

// GenerationStatus is where a generation is (contract 60.57).
type GenerationStatus string

// The statuses.
const (
	Queued  GenerationStatus = "QUEUED"
	Running GenerationStatus = "RUNNING"
	Done    GenerationStatus = "DONE"
	Failed  GenerationStatus = "FAILED"
)

// Generation is the search for cases of a business: the last one is kept.
type Generation struct {
	BusinessID string                `json:"business_id"`
	Status     *GenerationStatus     `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED" doc:"null where nobody asked for one yet."`
	Dimensions []dimension.Dimension `json:"dimensions" nullable:"false" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY"`
	SampleSize int                   `json:"sample_size"`
	Sampled    int                   `json:"sampled" doc:"Conversations that were read."`
	Added      int                   `json:"added" doc:"Cases that were not there."`
	Total      int                   `json:"total" doc:"Active cases of the dimensions afterwards."`
	CostUSD    float64               `json:"cost_usd"`
	ErrorCode  *string               `json:"error_code"`
	StartedAt  *time.Time            `json:"started_at"`
	FinishedAt *time.Time            `json:"finished_at"`
}

// generation is a Generation as it is kept.
type generation struct {
	Generation
	Run string `json:"run"` // tells the runs of a business apart
}

func at(s GenerationStatus) *GenerationStatus { return &s }

func (g *Generation) underWay() bool {
	return g.Status != nil && (*g.Status == Queued || *g.Status == Running)
}

var generations = store.NewTable("insight_generation", "bus", func(g *generation) string { return g.BusinessID })

// The bounds of a generation.
const (
	leastSample   = 50
	mostSample    = 500
	usualSample   = 200
	leastTexts    = 8
	nearest       = 8 // of a group that are named
	alike         = 0.9
	maxTermsRead  = 120
	generateTries = 3
	generateTime  = 10 * time.Minute
	nameTokens    = 600
)

// notEnough is the code of a generation that found too few conversations.
const notEnough = "not_enough_conversations"

type generateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Dimensions []dimension.Dimension `json:"dimensions" required:"true" minItems:"1" maxItems:"5" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY"`
		SampleSize *int                  `json:"sample_size" minimum:"50" maximum:"500" doc:"200 when left out."`
	}
}

func (s *Service) generate(c *api.Call, in generateIn) (out Generation, err error) {
	dims := slices.Compact(slices.Sorted(slices.Values(in.Body.Dimensions)))
	g := generation{Generation{BusinessID: in.ID, Status: at(Queued), Dimensions: dims, SampleSize: in.size(), StartedAt: &c.Now}, s.db.NewID("tsk")}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := s.o.Allowed(tx, c.Org); err != nil {
			return err
		}
		b, err := business.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := g.enqueue(tx, c.Org); err != nil {
			return err
		}
		out = g.Generation
		return audit.Write(tx, c, "cases.generation_started", audit.On("business", b.ID, b.Name), audit.Changed("dimensions", nil, dims))
	})
	return out, err
}

func (in *generateIn) size() int {
	if in.Body.SampleSize == nil {
		return usualSample
	}
	return *in.Body.SampleSize
}

// enqueue stores a generation and its job, unless one of the business is under way.
func (g *generation) enqueue(tx *store.Tx, org string) error {
	before, err := generations.Get(tx, org, g.BusinessID)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	if before.underWay() {
		return api.ErrState.WithMessage("Cases of this business are being generated already.")
	}
	if err := generations.Put(tx, org, g); err != nil {
		return err
	}
	_, err = queue.Add(tx, generating{org, g.BusinessID, g.Run}, time.Time{}, queue.Once(g.BusinessID), queue.For(org, g.BusinessID), queue.Attempts(generateTries))
	return err
}

func (s *Service) generation(c *api.Call, in idIn) (out Generation, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if _, err := business.Get(tx, c.Org, in.ID); err != nil {
			return err
		}
		g, err := generations.Get(tx, c.Org, in.ID)
		if out = g.Generation; store.IsNotFound(err) {
			out, err = Generation{BusinessID: in.ID, Dimensions: []dimension.Dimension{}}, nil
		}
		return err
	})
	return out, err
}

// generating is the job that generates cases.
type generating struct {
	Org      string `json:"org"`
	Business string `json:"business"`
	Run      string `json:"run"`
}

// Kind implements queue.Args.
func (generating) Kind() string { return "insight.cases" }

// Queue implements queue.Args.
func (generating) Queue() queue.Name { return queue.Analysis }

// Work registers the job.
func (s *Service) Work(w *queue.Workers) { queue.Register(w, s.run, queue.WithTimeout(generateTime)) }

func (s *Service) run(ctx context.Context, j queue.Job, a generating) error {
	var g generation
	var sample []Sampled
	err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
		if g, err = generations.Get(tx, a.Org, a.Business); err != nil || g.Run != a.Run {
			return errors.Join(err, store.ErrNotFound)
		}
		if !g.underWay() {
			return store.ErrNotFound
		}
		g.Status = at(Running)
		return generations.Put(tx, a.Org, &g)
	})
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		sample, err = s.o.Sample(tx, a.Org, a.Business, g.SampleSize)
		return err
	})
	if err != nil {
		return err
	}
	found, w, err := s.name(ctx, a.Org, &g, sample)
	if w != nil {
		defer w.Close()
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && j.Attempts < j.MaxAttempts && !final(err) {
		if w != nil {
			err = errors.Join(err, w.Finish(ctx, execution.Outcome{Err: err}))
		}
		return err
	}
	return s.end(ctx, a, len(sample), found, w, err)
}

// final says that another try would end the same: nothing is allowed, or there is too little.
func final(err error) bool {
	e := api.From(err)
	return errors.Is(err, errFew) || e.Kind == api.Forbidden || e.Kind == api.Conflict
}

var errFew = errors.New("cases: too few conversations")

// end stores what was found, or why nothing was.
func (s *Service) end(ctx context.Context, a generating, sampled int, found []named, w *execution.Work, failed error) error {
	return s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if w != nil {
			if err := w.Settle(tx, execution.Outcome{Err: failed}); err != nil {
				return err
			}
		}
		g, err := generations.Get(tx, a.Org, a.Business)
		if err != nil || g.Run != a.Run {
			return store.IgnoreNotFound(err)
		}
		now := tx.DB().Now()
		g.Status, g.FinishedAt, g.Sampled, g.Added, g.Total = at(Done), &now, sampled, 0, 0
		if w != nil {
			g.CostUSD = w.Spent().USD()
		}
		if failed != nil {
			g.Status, g.ErrorCode = at(Failed), api.Optional(codeOf(failed))
			return generations.Put(tx, a.Org, &g)
		}
		if err := g.keep(tx, a.Org, found); err != nil {
			return err
		}
		if err := generations.Put(tx, a.Org, &g); err != nil {
			return err
		}
		c := api.System(ctx, a.Org, now)
		if err := audit.WriteTo(tx, a.Org, c, "cases.generated", audit.On("business", a.Business, ""), audit.Changed("added", nil, g.Added)); err != nil {
			return err
		}
		return event.Emit(tx, a.Org, event.CasesGenerated, struct {
			BusinessID string                `json:"business_id"`
			Dimensions []dimension.Dimension `json:"dimensions"`
			Added      int                   `json:"added"`
			Total      int                   `json:"total"`
		}{a.Business, g.Dimensions, g.Added, g.Total})
	})
}

func codeOf(err error) string {
	if errors.Is(err, errFew) {
		return notEnough
	}
	return api.From(err).Code
}

// keep stores the new cases, as many as there is room for.
func (g *generation) keep(tx *store.Tx, org string, found []named) error {
	for _, d := range g.Dimensions {
		have, err := allOf(tx, org, g.BusinessID, d)
		if err != nil {
			return err
		}
		active := 0
		for i := range have {
			if have[i].Status == Active {
				active++
			}
		}
		mine := slices.DeleteFunc(slices.Clone(found), func(n named) bool { return n.dimension != d })
		for _, n := range fresh(mine, have) {
			if active >= MaxActive || len(have) >= maxAll {
				break
			}
			k := Case{
				ID: tx.DB().NewID("cas"), Business: g.BusinessID, Dimension: d, Key: n.Key, Name: Names{n.UZ, n.RU, n.EN}, Description: n.Description,
				Examples: n.Examples, Source: Generated, Status: Active, CreatedAt: tx.DB().Now(), UpdatedAt: tx.DB().Now(),
			}
			if err := table.Insert(tx, org, &k); err != nil {
				return err
			}
			active++
			g.Added++
		}
		g.Total += active
	}
	return nil
}
