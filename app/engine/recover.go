package engine

import (
	"context"
	"time"

	"svc/store"
	"svc/store/coord"
)

// ended finds executions that run on nodes which are not alive any more.
func (s *Service) ended(tx *store.Tx) (out []store.Of[execution], err error) {
	living := coord.Living(tx)
	var after store.Cursor
	for {
		list, next, err := runningOn.Walk(tx, store.Range{After: after, Limit: recoverChunk})
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			alive, err := living(x.Record.Node)
			if err != nil {
				return nil, err
			}
			if !alive && len(out) < recoverChunk {
				out = append(out, x)
			}
		}
		if after = next; after == nil || len(out) == recoverChunk {
			return out, nil
		}
	}
}

// Watch settles what nodes that ended left behind, until the context ends: at once, when
// it hears of one, and every minute.
func (s *Service) Watch(ctx context.Context) error {
	news, end := coord.Subscribe(s.db, coord.NodesTopic)
	defer end()
	tick := time.NewTicker(recoverEvery)
	defer tick.Stop()
	for {
		if err := s.recoverEnded(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("executions of a node that ended cannot be settled; they are tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-news:
		case <-tick.C:
		}
	}
}
