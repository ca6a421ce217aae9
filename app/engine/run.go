package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/api"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
)

// Job is one run of an agent for an organization.
type Job struct {
	Org     string
	Agent   Agent
	Mode    Mode
	Request ai.Request
	// Language chooses the default prompt; "" is English.
	Language string
	// Chain replaces that of the agent; nil: that one.
	Chain []ChainEntry
	// Accept says whether an answer can be used.
	Accept func(ai.Response) error
}

// Result is what a run gave.
type Result struct {
	Response    ai.Response
	ExecutionID string
	TokensIn    int64
	TokensOut   int64
	Cost        catalog.Nano
	Demo        bool
}

// run is an execution at work in this process.
type run struct {
	s      *Service
	job    *Job
	id     string
	begun  time.Time
	links  []link
	prompt string // the name of the prompt version, "" for the default
	hash   string

	mu    sync.Mutex
	lease catalog.Nano // reserved in the store
	drawn catalog.Nano // by attempts that were made or are
}

// Run asks the models of an agent. It is two transactions: the first reserves what the run
// may cost and refuses what no budget has room for (ErrBudget), the last settles it. A run
// that nobody answered is ErrUnavailable; the steps of both are stored.
func (s *Service) Run(ctx context.Context, job Job) (out Result, err error) {
	session, err := s.node.Enter(ctx) // it is alive as long as this one
	if err != nil {
		return out, err
	}
	defer session.Leave()
	r, err := s.open(ctx, &job, session.ID())
	if err != nil {
		return out, err
	}
	chain := make([]router.Entry, len(r.links))
	for i := range r.links {
		chain[i] = r.links[i].entry
	}
	res, steps, failed := s.router.Run(ctx, router.Plan{Chain: chain, Request: job.Request, Draw: r.draw(ctx), Accept: job.Accept})
	after, cancel := afterwards(ctx)
	defer cancel()
	e, err := r.settle(after, steps, failed)
	if err != nil {
		return out, err
	}
	out = Result{Response: res, ExecutionID: e.ID, TokensIn: e.TokensIn, TokensOut: e.TokensOut, Cost: e.Cost, Demo: e.Demo}
	return out, r.refusal(failed)
}

// open is the first transaction.
func (s *Service) open(ctx context.Context, job *Job, node string) (*run, error) {
	base := job.Request
	var r *run
	var full *refusal
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		full, job.Request = nil, base // the closure may run twice
		r = &run{s: s, job: job, id: s.db.NewID("exe"), begun: s.db.Now()}
		if err := r.plan(tx); err != nil {
			return err
		}
		need := r.worst()
		var err error
		if full, err = fits(tx, job.Org, job.Agent, r.begun, need); err != nil || full != nil {
			return err
		}
		r.lease = need
		e := execution{
			ID: r.id, Mode: job.Mode, Agent: job.Agent, Status: Running, StartedAt: r.begun, Lease: need, Node: node, Demo: r.demo(),
		}
		if err := executionTable.Insert(tx, job.Org, &e); err != nil {
			return err
		}
		return meterAdd(tx, job.Org, r.begun, job.Agent, 0, need)
	})
	if err == nil && full != nil {
		err = s.refuse(ctx, job.Org, full, r.begun)
	}
	return r, err
}

// refuse tells that a budget has no room, and answers so.
func (s *Service) refuse(ctx context.Context, orgID string, full *refusal, at time.Time) error {
	s.figures.refused.Add(1)
	err := s.db.Update(ctx, func(tx *store.Tx) error { return refused(tx, orgID, full, at) })
	return errors.Join(err, full.error(at))
}

// plan finds the chain and the prompt.
func (r *run) plan(tx *store.Tx) error {
	job := r.job
	if on, err := switchedOn(tx, job.Org); err != nil || !on {
		return errors.Join(err, api.ErrForbidden.WithMessage("AI is switched off for this organization or for the platform."))
	}
	c, _, err := configOf(tx, job.Org, job.Agent, "")
	if err != nil {
		return err
	}
	if !c.Enabled {
		return api.ErrState.WithMessage("The agent %s is switched off; switch it on in its configuration.", job.Agent)
	}
	chain := job.Chain
	if chain == nil {
		chain = c.Chain
	}
	if len(chain) == 0 {
		if chain, err = r.s.defaultChain(tx, job.Org, job.Agent); err != nil {
			return err
		}
	}
	if len(chain) == 0 {
		return ErrUnavailable.WithMessage("No AI provider is connected; add one, or enable one, and describe its models if they have no price.")
	}
	if r.links, err = r.s.links(tx, job.Org, chain); err != nil {
		return err
	}
	if err := r.s.learn(tx, job.Org, r.links); err != nil {
		return err
	}
	body, name, err := promptOf(tx, job.Org, job.Agent, "", job.Language)
	if err != nil {
		return err
	}
	r.prompt = name
	job.Request.System = strings.TrimSpace(body + "\n\n" + job.Request.System)
	if job.Request.CacheKey, err = tx.Hash("ai cache key", job.Org+"\n"+string(job.Agent)+"\n"+name); err != nil {
		return err
	}
	job.Request.CacheKey = job.Request.CacheKey[:min(len(job.Request.CacheKey), 32)]
	r.hash, err = tx.Hash("ai input", inputOf(&job.Request))
	return err
}

// switchedOn says whether the organization and the platform have AI on.
func switchedOn(tx *store.Tx, orgID string) (bool, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return false, err
	}
	settings, err := setting.Get(tx)
	return o.AIEnabled && settings.AIEnabled, err
}

// inputOf is a request as a text, for its hash and for people who look at a step.
func inputOf(r *ai.Request) string {
	type message struct {
		Role ai.Role `json:"role"`
		Text string  `json:"text"`
	}
	var list []message
	for _, m := range r.Messages {
		list = append(list, message{m.Role, m.Text})
	}
	b, err := json.Marshal(map[string]any{"system": r.System, "messages": list})
	if err != nil {
		return ""
	}
	return string(b)
}

func (r *run) demo() bool { return len(r.links) > 0 && r.links[0].provider.Kind == ai.Demo }

// worst is the most that one call of the run can cost: that of the dearest entry.
func (r *run) worst() (most catalog.Nano) {
	estimated := r.job.Request.Estimate()
	for i := range r.links {
		if l := &r.links[i]; l.entry.Skip == "" {
			most = max(most, l.price.Worst(estimated, l.tokens(r.job.Request.MaxTokens)))
		}
	}
	return most
}

// tokens is the output that an entry is asked for.
func (l *link) tokens(asked int) int {
	if l.entry.MaxTokens > 0 {
		asked = l.entry.MaxTokens
	}
	return max(asked, l.entry.Least, 1)
}

// draw takes the worst case of an attempt out of the lease, and puts back what was not
// used. A lease that is too small is extended by one more transaction.
func (r *run) draw(ctx context.Context) func(*router.Entry, *ai.Request) (func(ai.Usage), error) {
	return func(e *router.Entry, asked *ai.Request) (func(ai.Usage), error) {
		price := r.price(e)
		worst := price.Worst(asked.Estimate(), asked.MaxTokens)
		r.mu.Lock()
		lacks := r.drawn + worst - r.lease
		r.mu.Unlock()
		if lacks > 0 {
			if err := r.extend(ctx, lacks); err != nil {
				return nil, err
			}
		}
		r.mu.Lock()
		r.drawn += worst
		r.mu.Unlock()
		return func(u ai.Usage) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.drawn += price.Cost(u) - worst
		}, nil
	}
}

func (r *run) price(e *router.Entry) catalog.Price {
	for i := range r.links {
		if l := &r.links[i]; l.entry.Provider == e.Provider && l.entry.Model == e.Model {
			return l.price
		}
	}
	return catalog.Price{}
}

// extend reserves more for a run.
func (r *run) extend(ctx context.Context, more catalog.Nano) error {
	var full *refusal
	err := r.s.db.Update(ctx, func(tx *store.Tx) (err error) {
		if full, err = fits(tx, r.job.Org, r.job.Agent, r.begun, more); err != nil || full != nil {
			return err
		}
		_, err = executionTable.Edit(tx, r.job.Org, r.id, func(e *execution) error {
			if e.Status != Running {
				return fmt.Errorf("engine: execution %s was settled by another", r.id)
			}
			e.Lease += more
			return nil
		})
		if err != nil {
			return err
		}
		return meterAdd(tx, r.job.Org, r.begun, r.job.Agent, 0, more)
	})
	if err == nil && full != nil {
		return r.s.refuse(ctx, r.job.Org, full, r.begun)
	}
	if err == nil {
		r.mu.Lock()
		r.lease += more
		r.mu.Unlock()
	}
	return err
}

// refusal is what the caller of a run hears of its failure.
func (r *run) refusal(failed error) error {
	var none *router.ExhaustedError
	var fault *ai.Error
	switch {
	case failed == nil:
		return nil
	case errors.As(failed, &none):
		e := ErrUnavailable.WithCause(failed)
		if wait := none.Until.Sub(r.s.db.Now()); !none.Until.IsZero() && wait > 0 {
			return e.After(wait)
		}
		return e
	case errors.As(failed, &fault) && fault.Fault == ai.Cancelled:
		return context.Canceled
	case errors.As(failed, &fault):
		return ErrUnavailable.WithMessage("%s", fault.Fault.Sentence()).WithCause(failed)
	}
	return failed
}
