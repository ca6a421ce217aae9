package execution

import (
	"svc/ai"
	"svc/ai/catalog"
	"svc/store"
)

// Estimate is what a question would cost, with the first model of the agent's chain that can be
// asked: input and output in tokens, without the prompt of the agent. Its errors are those of
// Begin: the agent is switched off, nobody can be asked.
func (s *Service) Estimate(tx *store.Tx, org string, a Asked, input, output int64) (catalog.Nano, error) {
	l, err := s.line(tx, org, "", &a)
	if err != nil {
		return 0, err
	}
	for i := range l.links {
		if k := &l.links[i]; k.Entry.Skip == "" {
			return k.Price.Cost(ai.Usage{Input: input + ai.EstimateText(l.prompt), Output: output}), nil
		}
	}
	return 0, nil
}
