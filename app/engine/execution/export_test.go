package execution

import (
	"context"
	"slices"

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
