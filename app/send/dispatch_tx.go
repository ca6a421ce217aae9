package send

import (
	"context"
	"fmt"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
)

// dispatch serves account queues in one transaction: it settles and claims. messages are
// to be sent once it returned; next is the soonest time at which one of the other queues
// is due, zero for none.
func (s *Service) dispatch(work []item) (messages []*outboundMessage, next time.Time, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	err = s.db.Update(context.Background(), func(tx *store.Tx) error {
		messages, next = nil, time.Time{}
		t := newDispatchTx(s, tx)
		for i := range work {
			m, l, err := t.serve(&work[i])
			if err != nil {
				return err
			}
			if m != nil {
				messages = append(messages, m)
			} else if !l.NextAt.IsZero() && (next.IsZero() || l.NextAt.Before(next)) {
				next = l.NextAt
			}
		}
		return queue.Counted(tx, queue.Send, t.took, t.failed)
	})
	if err != nil {
		return nil, next, err
	}
	return messages, next, nil
}

// dispatchTx is one transaction that settles and claims, with what its queues read in common.
type dispatchTx struct {
	s        *Service
	tx       *store.Tx
	now      time.Time
	calls    map[string]*api.Call
	stopped  map[string]bool // organizations that are suspended
	policies map[key]*CampaignPolicy
	set      *setting.Settings

	// What the figures of the queue hear of: how long messages that were taken were in
	// flight, and how many tries failed.
	took   []time.Duration
	failed int
}

func newDispatchTx(s *Service, tx *store.Tx) *dispatchTx {
	return &dispatchTx{s: s, tx: tx, now: tx.DB().Now(), calls: map[string]*api.Call{}, stopped: map[string]bool{}, policies: map[key]*CampaignPolicy{}}
}

// serve settles and claims for one account.
func (t *dispatchTx) serve(it *item) (m *outboundMessage, l *accountQueue, err error) {
	work := func(l *accountQueue) (err error) {
		m, err = t.work(it, l)
		return err
	}
	done, err := accountQueues.Edit(t.tx, it.key.org, it.key.account, work)
	if store.IsNotFound(err) {
		done = accountQueue{ID: it.key.account}
		if err = work(&done); err == nil {
			err = accountQueues.Insert(t.tx, it.key.org, &done)
		}
	}
	return m, &done, err
}

func (t *dispatchTx) work(it *item, l *accountQueue) (*outboundMessage, error) {
	if it.outcome != nil {
		if err := t.settle(it.key.org, l, it.outcome); err != nil {
			return nil, err
		}
	}
	if l.NextAt = t.now; !it.claim || l.InFlight != nil {
		return nil, nil
	}
	return t.claim(it.key.org, l, it.poison)
}

// call is the service's own call in an organization.
func (t *dispatchTx) call(orgID string) *api.Call {
	c := t.calls[orgID]
	if c == nil {
		c = api.System(context.Background(), orgID, t.now)
		t.calls[orgID] = c
	}
	return c
}

// suspended says whether an organization may not send. One that is gone may not.
func (t *dispatchTx) suspended(orgID string) (bool, error) {
	if stopped, known := t.stopped[orgID]; known {
		return stopped, nil
	}
	o, err := org.Get(t.tx, orgID)
	stopped := o.Status != org.Active
	if store.IsNotFound(err) {
		stopped, err = true, nil
	}
	t.stopped[orgID] = stopped
	return stopped, err
}

// policy reads a campaign; one that nobody wrote down does not run.
func (t *dispatchTx) policy(orgID, id string) (*CampaignPolicy, error) {
	k := key{orgID, id}
	if b := t.policies[k]; b != nil {
		return b, nil
	}
	b, err := policies.Get(t.tx, orgID, id)
	if store.IsNotFound(err) {
		b, err = CampaignPolicy{ID: id}, nil
	}
	t.policies[k] = &b
	return &b, err
}

func (t *dispatchTx) settings() (*setting.Settings, error) {
	if t.set == nil {
		set, err := setting.Get(t.tx)
		if err != nil {
			return nil, err
		}
		t.set = &set
	}
	return t.set, nil
}
