package execution

import (
	"context"
	"fmt"
	"slices"
	"time"

	"svc/ai"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/store"
)

// Names for tests beside this package, which put the whole engine together.

// Record is an execution as it is kept.
type Record = execution

// Records are all of an organization, oldest first.
func Records(tx *store.Tx, org string) (out []Record, err error) {
	var after store.Cursor
	for {
		list, next, err := executionTable.Walk(tx, org, after, 500)
		if err != nil {
			return nil, err
		}
		if out = append(out, list...); next == nil {
			return slices.Clip(out), nil
		}
		after = next
	}
}

// MoveTo lets an execution run on another node.
func MoveTo(tx *store.Tx, org, id, node string) error {
	_, err := executionTable.Edit(tx, org, id, func(e *execution) error {
		e.Node = node
		return nil
	})
	return err
}

// RecoverEnded settles what nodes that ended left.
func (s *Service) RecoverEnded(ctx context.Context) error { return s.recoverEnded(ctx) }

// ErrTaken says that another process settled an execution.
var ErrTaken = errTaken

// Fill stores an execution that ended, with its sums, as a benchmark wants it.
func Fill(tx *store.Tx, org string, who agent.Agent, provider, business, conversation string, at time.Time, i int) error {
	usage := ai.Usage{Input: 900, Output: 120}
	if i%40 != 0 {
		business = fmt.Sprintf("bus_%026d", i%40)
	}
	e := execution{
		ID: tx.DB().NewID("exe"), Mode: []agent.Mode{agent.Live, agent.Live, agent.Live, agent.Playground}[i/7%4], Agent: who, ConversationID: conversation, BusinessID: business,
		Status: []ExecutionStatus{Succeeded, Failed}[i/100%2*(i%2)], TokensIn: 900, TokensOut: 120, Cost: 150_000, StartedAt: at, FinishedAt: at.Add(time.Second),
		Steps: []step{{
			ID: fmt.Sprintf("aex_%d", i), Kind: Generate, Provider: provider, Model: fmt.Sprint("model-", i%3), InputHash: "0123456789abcdef", Usage: usage,
			Cost: 150_000, StartedAt: at, LatencyMS: 900, Status: stepSucceeded,
		}},
	}
	if err := executionTable.Insert(tx, org, &e); err != nil {
		return err
	}
	return budget.Count(tx, org, at, budget.Place{Agent: who, Provider: provider, Kind: "OPENAI", Model: e.Steps[0].Model, Mode: e.Mode, Business: business},
		budget.Counters{Executions: 1, TokensIn: 900, TokensOut: 120, Cost: 150_000})
}
