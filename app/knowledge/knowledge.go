// Package knowledge is what businesses know, for the seller to answer from, and puts together
// the parts below it:
//
//	source    texts, questions with answers, offers, files and web pages, in versions
//	ingest    reads sources into chunks, in the background
//	research  looks something up in the web for people
//	vector    vectors of chunks and questions, where a provider makes them
//	gap       questions of customers that nothing answered
//	index     finds the chunks that answer a question
//
// It promises what they promise. It refuses to answer customers: package seller does, with
// what [Service.Find] finds.
package knowledge

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"svc/ai/search"
	"svc/ai/web"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/knowledge/gap"
	"svc/app/knowledge/index"
	"svc/app/knowledge/ingest"
	"svc/app/knowledge/research"
	"svc/app/knowledge/source"
	"svc/app/knowledge/vector"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
)

// Query asks for chunks of one business.
type Query = index.Query

// Hit is a chunk that was found.
type Hit = index.Hit

// Options of New.
type Options struct {
	// Vault has the files of sources.
	Vault *vault.Vault
	// Pages fetches pages of the web; nil: those at public addresses.
	Pages *web.Client
	// Searcher finds pages for research; nil: none.
	Searcher search.Searcher
	// Runs asks language models; nil: there are none.
	Runs *execution.Service
	// Log hears of what fails on our side; nil: nobody does.
	Log *slog.Logger
}

// ErrNotGranted says that an agent is not granted the tool knowledge_search: nothing was searched.
var ErrNotGranted = errors.New("knowledge: the agent may not search")

// Service is the parts of the slice.
type Service struct {
	Sources  *source.Service
	db       *store.DB
	ingest   *ingest.Service
	index    *index.Index
	research *research.Service
	vectors  *vector.Service
	gaps     *gap.Service
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	if o.Pages == nil {
		o.Pages = web.New(web.Options{})
	}
	pages := o.Pages.Paced(ingest.Pace(db))
	sources := source.New(db, source.Options{Vault: o.Vault, Log: o.Log})
	return &Service{
		Sources: sources, db: db, ingest: ingest.New(db, sources, pages, o.Log), index: index.New(db),
		vectors: vector.New(db, o.Runs, o.Log), gaps: gap.New(db), research: research.New(db, research.Options{Pages: pages, Searcher: o.Searcher, Runs: o.Runs, Log: o.Log}),
	}
}

// Tables are what a store that holds knowledge is opened with.
func Tables() []store.AnyTable {
	return slices.Concat(source.Tables(), ingest.Tables(), research.Tables(), vector.Tables(), gap.Tables())
}

// Find answers the chunks of a business that answer a question, the best first. relevant is
// false when none is about the question: then the hits are what comes nearest. by makes the
// vector of the question; nil: an execution of its own. The execution of an agent that may not
// search knowledge (contract 12.1) gets ErrNotGranted.
func (s *Service) Find(ctx context.Context, q Query, by vector.Embedder) (hits []Hit, relevant bool, err error) {
	if w, ok := by.(*execution.Work); ok && w != nil {
		if may, err := s.maySearch(ctx, q.Org, w.Agent(), q.Business); err != nil || !may {
			return nil, false, cmp.Or(err, ErrNotGranted)
		}
	}
	q.Vector, q.Space = s.vectors.Of(ctx, q.Org, q.Text, by)
	return s.index.Find(ctx, q)
}

// maySearch says whether an agent is granted the tool knowledge_search for a business.
func (s *Service) maySearch(ctx context.Context, org string, who agent.Agent, business string) (may bool, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		c, _, err := agent.Effective(tx, org, who, business)
		may = c.Tools.KnowledgeSearch
		return err
	})
	return may, err
}

// Answers are the approved answers of a business (sources of the type FAQ), for what is sent
// word for word; the oldest first.
func (s *Service) Answers(ctx context.Context, org, business string, limit int) ([]Hit, error) {
	return s.index.Answers(ctx, org, business, limit)
}

// Work registers the jobs.
func (s *Service) Work(w *queue.Workers) {
	s.Sources.Work(w)
	s.ingest.Work(w)
	s.research.Work(w)
	s.vectors.Work(w)
	s.gaps.Work(w)
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return slices.Concat(s.Sources.Endpoints(), s.research.Endpoints(), s.gaps.Endpoints(), []api.Endpoint{
		api.E("GET /ai/knowledge/search", "knowledge.search", perm.AIRead, "Search the knowledge of a business as the seller does.", s.search),
	})
}

type searchIn struct {
	Q          string `query:"q" required:"true" minLength:"2" maxLength:"1000" example:"yetkazib berish bormi"`
	BusinessID string `query:"business_id" required:"true" maxLength:"64"`
	Limit      int    `query:"limit" minimum:"1" maximum:"50" default:"10"`
	Language   string `query:"language" enum:"uz,ru,en" doc:"Of the customer; that of the question when left out."`
}

// Found is a chunk that was found, as the API answers it.
type Found struct {
	SourceID string      `json:"source_id"`
	Type     source.Type `json:"type" enum:"TEXT,FAQ,OFFERS,FILE,WEB_PAGE"`
	Version  int         `json:"version"`
	Chunk    int         `json:"chunk"`
	Title    string      `json:"title"`
	Text     string      `json:"text"`
	Language *string     `json:"language"`
	Score    float64     `json:"score"`
	Matched  []string    `json:"matched" enum:"KEYWORD,SEMANTIC"`
}

// Results is what a search found.
type Results struct {
	Data     []Found `json:"data"`
	Relevant bool    `json:"relevant" doc:"false: nothing is about the question, and the seller answers from none of it."`
}

func (s *Service) search(c *api.Call, in searchIn) (out Results, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		_, err := business.Named(tx, c.Org, in.BusinessID)
		return err
	})
	if err != nil {
		return out, err
	}
	hits, relevant, err := s.Find(c, Query{Org: c.Org, Business: in.BusinessID, Text: in.Q, Language: in.Language, Limit: in.Limit}, nil)
	out = Results{Data: make([]Found, len(hits)), Relevant: relevant}
	for i, h := range hits {
		out.Data[i] = Found{h.SourceID, h.Type, h.Version, h.Chunk, h.Title, h.Text, api.Optional(h.Language), h.Score, h.Matched}
	}
	return out, err
}
