package engine

import (
	"sync"
	"sync/atomic"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
)

// figures are what this process counts for metrics.
type figures struct {
	refused atomic.Int64
	coolOn  atomic.Int64

	mu    sync.Mutex
	calls map[Call]int64
	cost  map[string]catalog.Nano
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
	out := Figures{Calls: map[Call]int64{}, CostUSD: map[string]float64{}, CoolOffs: f.coolOn.Load(), Refused: f.refused.Load()}
	for k, n := range f.calls {
		out.Calls[k] = n
	}
	for k, n := range f.cost {
		out.CostUSD[k] = n.USD()
	}
	return out
}

func (f *figures) coolOff(s router.State) {
	if s.Level > 0 {
		f.coolOn.Add(1)
	}
}

// ran counts an execution that was settled.
func (f *figures) ran(e *execution, kinds map[string]string, steps []router.Step) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls == nil {
		f.calls, f.cost = map[Call]int64{}, map[string]catalog.Nano{}
	}
	for i := range steps {
		if x := &steps[i]; x.Asked {
			kind := kinds[x.Provider]
			f.calls[Call{kind, x.Fault}]++
			f.cost[kind] += e.Steps[i].Cost
		}
	}
}
