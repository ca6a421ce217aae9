package execution

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"svc/ai"
	"svc/ai/router"
	"svc/app/engine/agent"
	"svc/app/engine/chain"
	"svc/store"
)

// ErrNoEmbedder says that no provider of the organization makes vectors.
var ErrNoEmbedder = errors.New("engine: no provider makes vectors")

// Vectors are those of texts, of length 1, in the order of the texts.
type Vectors struct {
	// Space names what they can be compared with: the kind of provider, the model, the length.
	Space  string
	Values [][]float32
}

// embedding is a model that makes vectors, as the router asks it.
type embedding struct {
	of    ai.Embedder
	dims  int
	texts []string
	query bool
	out   ai.Vectors
}

// Generate implements ai.Model: what it answers is in out.
func (e *embedding) Generate(ctx context.Context, r ai.Request) (res ai.Response, err error) {
	e.out, err = e.of.Embed(ctx, r.Model, e.dims, e.texts, e.query)
	return ai.Response{Usage: e.out.Usage, RequestID: e.out.RequestID}, err
}

// Texts are what vectors are made of, at most ai.MaxTexts.
type Texts struct {
	Texts []string
	Query bool // the texts are questions
	// Space is the one that the vectors are compared in: its model makes them. "": that of the
	// organization's embedder.
	Space string
}

// Embed makes vectors of texts, with a step. Its errors are those of Ask, and ErrNoEmbedder.
func (w *Work) Embed(ctx context.Context, of Texts) (out Vectors, err error) {
	var l chain.Link
	var e embedding
	err = w.s.db.View(ctx, func(tx *store.Tx) error {
		var ok bool
		if l, e.dims, ok, err = w.s.chains.Embedder(tx, w.plan.Org, modelOf(of.Space)); err == nil && !ok {
			err = ErrNoEmbedder
		}
		return err
	})
	if err != nil {
		return out, err
	}
	ctx, cancel := w.session.Within(ctx)
	defer cancel()
	e.of, e.texts, e.query = l.Entry.Handle.(ai.Embedder), of.Texts, of.Query
	l.Entry.Handle, l.Entry.ContextTokens, l.Entry.Least = &e, 0, 0
	who := &line{agent: w.plan.Agent, links: []chain.Link{l}}
	var input ai.Request
	for _, t := range of.Texts {
		input.Messages = append(input.Messages, ai.Message{Role: ai.User, Text: t})
	}
	_, steps, failed := w.s.providers.Router().Run(ctx, router.Plan{Chain: []router.Entry{l.Entry}, Request: input, Draw: w.draw(ctx, who)})
	w.keep(&Question{Asked: Asked{Agent: w.plan.Agent}, Kind: Knowledge}, who, "", "", steps)
	if failed != nil {
		return out, w.s.publicError(failed)
	}
	out.Values = e.out.Values
	out.Space = SpaceOf(&l, len(out.Values[0]))
	return out, nil
}

// SpaceOf names the space of a model's vectors of a length.
func SpaceOf(l *chain.Link, dims int) string {
	return chain.SpaceModel(l.Provider.Kind, l.Entry.Model) + strconv.Itoa(dims)
}

// modelOf is the beginning of a space that names its model, "" of none.
func modelOf(space string) string { return space[:strings.LastIndexByte(space, '/')+1] }

// Embeds says whether a provider of the organization makes vectors, and what names its model:
// the beginning of the space of its vectors.
func (s *Service) Embeds(tx *store.Tx, org string) (model string, ok bool, err error) {
	l, _, ok, err := s.chains.Embedder(tx, org, "")
	if !ok || err != nil {
		return "", false, err
	}
	return chain.SpaceModel(l.Provider.Kind, l.Entry.Model), true, nil
}

// EmbedJob is an execution that only makes vectors.
type EmbedJob struct {
	Org   string
	Agent agent.Agent
	Texts
}

// Embed opens an execution, makes vectors and settles it.
func (s *Service) Embed(ctx context.Context, job EmbedJob) (out Vectors, err error) {
	w, err := s.Begin(ctx, Plan{Org: job.Org, Agent: job.Agent, Mode: agent.Background})
	if err != nil {
		return out, err
	}
	defer w.Close()
	if err := w.Start(ctx); err != nil {
		return out, err
	}
	out, failed := w.Embed(ctx, job.Texts)
	if err := w.Finish(ctx, Outcome{Err: failed}); err != nil {
		return out, err
	}
	return out, failed
}
