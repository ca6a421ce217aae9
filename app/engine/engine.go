// Package engine gives the service access to language models: the providers of an
// organization, which model an agent asks, with which prompt, what each run did, what it
// cost, and budgets that hold.
//
// It promises that the key of a provider is sealed and shown to nobody, that what a run
// may cost at most is reserved before it begins and settled when it ends, so that no
// number of runs at once passes a budget (contract 12.3), that a run costs two commits,
// that a run of a process that died is settled by another when its lease has ended, and
// that the sums of costs are those of the executions.
//
// It refuses to speak to the network itself (package ai and its providers do), to let a
// model without a price into a chain, and to read anything of recipients.
package engine

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/router"
	"svc/app/api"
	"svc/store"
	"svc/store/coord"
)

// Agent is a job that language models do (contract 12).
type Agent string

// The agents.
const (
	Seller    Agent = "SELLER"
	Decision  Agent = "DECISION"
	Summary   Agent = "SUMMARY"
	Memory    Agent = "MEMORY"
	Cases     Agent = "CASES"
	Analysis  Agent = "ANALYSIS"
	Narrative Agent = "NARRATIVE"
	Calendar  Agent = "CALENDAR"
	Research  Agent = "RESEARCH"
	Composer  Agent = "COMPOSER"
	Social    Agent = "SOCIAL"
	Judge     Agent = "JUDGE"
)

// agents lists them in the order in which they are shown; the constants above and the
// enums of the API say the same.
var agents = []Agent{Seller, Decision, Summary, Memory, Cases, Analysis, Narrative, Calendar, Research, Composer, Social, Judge}

// Mode says what an execution was for.
type Mode string

// The modes.
const (
	Live       Mode = "LIVE"
	Playground Mode = "PLAYGROUND"
	Eval       Mode = "EVAL"
	Background Mode = "BACKGROUND"
)

// Options of New.
type Options struct {
	// Providers reaches them; nil: nobody is reached.
	Providers *providers.Opener
	// Demo: the messenger is a simulator, so there is a model for demonstrations.
	Demo bool
	// Log hears of what fails on our side; nil: nobody does.
	Log *slog.Logger
}

// Service does the operations of the slice, and runs models for other slices.
type Service struct {
	db      *store.DB
	o       Options
	log     *slog.Logger
	node    *coord.Node
	router  *router.Router
	figures figures

	mu     sync.Mutex
	opened map[string]opened // providers by id
}

// opened is a provider that is ready to be asked; made for one state of its record.
type opened struct {
	at     time.Time // UpdatedAt of the record
	handle ai.Provider
	org    string
}

// New makes the service. It starts nothing: see Run.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Providers == nil {
		o.Providers = providers.New(false)
	}
	s := &Service{db: db, o: o, log: o.Log, node: coord.Of(db), opened: map[string]opened{}}
	s.router = router.New(router.Options{Now: db.Now, OnChange: s.healthChanged})
	return s
}

// Tables are what a store that holds the engine is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{
		providerTable, listTable, modelTable, configTable, promptTable, versionTable, executionTable, textTable, budgetTable, meterTable, costTable,
		platformCosts, healthTable,
	}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() (out []api.Endpoint) {
	for _, group := range [][]api.Endpoint{
		s.providerEndpoints(), s.modelEndpoints(), s.composeEndpoints(), s.agentEndpoints(), s.promptEndpoints(), s.executionEndpoints(), s.budgetEndpoints(),
	} {
		out = append(out, group...)
	}
	return out
}

// settleWithin bounds how long a run that was cancelled has for its last transaction.
const settleWithin = 10 * time.Second

// afterwards is a context for what must be stored whatever happened to the call.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

// noBusiness refuses a business: there are none yet. Every key of a record holds its
// place already.
func noBusiness(field string, id *string) error {
	if id != nil && *id != "" {
		return api.Wrong(field, "names a business, and there are none yet; leave it out")
	}
	return nil
}
