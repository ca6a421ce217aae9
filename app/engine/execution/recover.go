package execution

import (
	"context"
	"errors"
	"maps"
	"time"

	"svc/app/engine/budget"
	"svc/app/org"
	"svc/store"
	"svc/store/coord"
)

// recoverChunk bounds the executions that are settled in one transaction.
const recoverChunk = 50

// recoverEvery is how often it is looked at without a message that a node ended.
const recoverEvery = time.Minute

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

// recoverEnded settles the executions of nodes that ended: what they cost is not known, so
// it is the reservation (contract 12.3).
func (s *Service) recoverEnded(ctx context.Context) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			list, err := ended(tx)
			more = len(list) == recoverChunk
			for i := range list {
				if err != nil {
					break
				}
				err = abandon(tx, list[i].Org, &list[i].Record)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ended finds executions that run on nodes which are not alive any more.
func ended(tx *store.Tx) (out []store.Of[execution], err error) {
	living := coord.Living(tx)
	for x, err := range runningOn.Each(tx, store.All()) {
		if err != nil {
			return nil, err
		}
		alive, err := living(x.Record.Node)
		if err != nil {
			return nil, err
		}
		if alive {
			continue
		}
		if out = append(out, *x); len(out) == recoverChunk {
			break
		}
	}
	return out, nil
}

// abandon ends an execution whose process is gone. Each agent pays what was reserved for it.
func abandon(tx *store.Tx, orgID string, e *execution) error {
	e.Status, e.ErrorCode, e.FinishedAt = Cancelled, codeInterrupted, tx.DB().Now()
	e.Cost, e.Estimated = e.Lease.Total(), true
	spent := budget.Amounts{e.Agent: 0} // it counts as one of its agent, whatever that paid
	maps.Copy(spent, e.Lease)
	for who, cost := range spent {
		p := budget.Place{Agent: who, Business: e.BusinessID, Mode: e.Mode}
		c := budget.Counters{Cost: cost}
		if who == e.Agent {
			c.Executions = 1
		}
		if err := budget.Count(tx, orgID, e.StartedAt, p, c); err != nil {
			return err
		}
	}
	return finish(tx, orgID, e, spent)
}

// Purge removes executions that are older than the organization keeps them, with their
// texts, at most limit records. Costs stay.
func Purge(tx *store.Tx, orgID string, limit int) (n int, err error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	before := tx.DB().Now().AddDate(0, 0, -o.Retention.ExecutionsDays)
	list, _, err := byStarted.Walk(tx, orgID, store.Range{Span: store.During(time.Time{}, before), Limit: limit})
	for i := range list {
		if err != nil || n >= limit {
			break
		}
		if list[i].Status == Running {
			continue
		}
		if err = list[i].forgetTexts(tx, orgID); err != nil {
			return n, err
		}
		n += len(list[i].Steps)
		err = executionTable.Delete(tx, orgID, list[i].ID)
		n++
	}
	return n, err
}

// forgetTexts removes what was asked and answered.
func (e *execution) forgetTexts(tx *store.Tx, orgID string) error {
	for _, x := range e.Steps {
		if err := store.IgnoreNotFound(textTable.Delete(tx, orgID, x.ID)); err != nil {
			return err
		}
	}
	return nil
}

// Hide removes the texts of the executions of a conversation that became a personal chat, and
// shows them only to who may read such chats (contract 10.1). Costs stay.
func Hide(tx *store.Tx, orgID, conversation string) error {
	for e, err := range byConversation.Each(tx, orgID, store.Is(store.Text(conversation))) {
		if err != nil {
			return err
		}
		if e.Personal {
			continue
		}
		e.Personal, e.Memory, e.Knowledge = true, nil, nil
		if err := errors.Join(e.forgetTexts(tx, orgID), executionTable.Put(tx, orgID, e)); err != nil {
			return err
		}
	}
	return nil
}
