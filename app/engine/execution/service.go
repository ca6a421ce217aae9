package execution

import (
	"log/slog"
	"sync"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/engine/chain"
	"svc/app/engine/provider"
	"svc/store"
	"svc/store/coord"
)

// Service runs models for other slices, and does the operations about executions.
type Service struct {
	db        *store.DB
	chains    *chain.Service
	providers *provider.Service
	log       *slog.Logger
	node      *coord.Node
	figures   figures
}

// New makes the service. It starts nothing: see Watch.
func New(db *store.DB, chains *chain.Service, p *provider.Service, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Service{db: db, chains: chains, providers: p, log: log, node: coord.Of(db)}
}

// figures are what this process counts for metrics.
type figures struct {
	mu      sync.Mutex
	refused int64
	calls   map[Call]int64
	cost    map[string]catalog.Nano
}

// Call is a kind of call: the kind of provider, and the fault, "" for an answer.
type Call struct {
	Kind  string
	Fault ai.Fault
}

// Figures are counts since the process began.
type Figures struct {
	// Calls are attempts; CostUSD is by kind of provider.
	Calls   map[Call]int64
	CostUSD map[string]float64
	// CoolOffs began; Refused are runs that no budget had room for.
	CoolOffs, Refused int64
}

// Figures are those of this process.
func (s *Service) Figures() Figures {
	f := &s.figures
	f.mu.Lock()
	defer f.mu.Unlock()
	out := Figures{Calls: map[Call]int64{}, CostUSD: map[string]float64{}, CoolOffs: s.providers.CoolOffs(), Refused: f.refused}
	for k, n := range f.calls {
		out.Calls[k] = n
	}
	for k, n := range f.cost {
		out.CostUSD[k] = n.USD()
	}
	return out
}

func (f *figures) refusal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused++
}

// called counts a call that was made.
func (f *figures) called(c Call, cost catalog.Nano) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls == nil {
		f.calls, f.cost = map[Call]int64{}, map[string]catalog.Nano{}
	}
	f.calls[c]++
	f.cost[c.Kind] += cost
}
