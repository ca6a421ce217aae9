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

// turn serves lanes in one transaction: it settles and claims. missions are what is
// to be sent once it returned; next is the soonest time at which one of the others
// is due, zero for none.
func (s *Service) turn(work []item) (missions []*mission, next time.Time, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	err = s.db.Update(context.Background(), func(tx *store.Tx) error {
		missions, next = nil, time.Time{}
		t := newTurn(s, tx)
		for i := range work {
			m, l, err := t.serve(&work[i])
			if err != nil {
				return err
			}
			if m != nil {
				missions = append(missions, m)
			} else if !l.NextAt.IsZero() && (next.IsZero() || l.NextAt.Before(next)) {
				next = l.NextAt
			}
		}
		return queue.Counted(tx, queue.Send, t.took, t.failed)
	})
	if err != nil {
		return nil, next, err
	}
	return missions, next, nil
}

// turn is one transaction at work, with what its lanes read in common.
type turn struct {
	s       *Service
	tx      *store.Tx
	now     time.Time
	calls   map[string]*api.Call
	stopped map[string]bool // organizations that are suspended
	batches map[key]*Batch
	set     *setting.Settings

	// What the figures of the queue hear of: how long messages that were taken were in
	// hand, and how many tries failed.
	took   []time.Duration
	failed int
}

func newTurn(s *Service, tx *store.Tx) *turn {
	return &turn{s: s, tx: tx, now: tx.DB().Now(), calls: map[string]*api.Call{}, stopped: map[string]bool{}, batches: map[key]*Batch{}}
}

// serve settles and claims for one lane.
func (t *turn) serve(it *item) (m *mission, l *lane, err error) {
	work := func(l *lane) (err error) {
		m, err = t.work(it, l)
		return err
	}
	done, err := lanes.Edit(t.tx, it.key.org, it.key.account, work)
	if store.IsNotFound(err) {
		done = lane{ID: it.key.account}
		if err = work(&done); err == nil {
			err = lanes.Insert(t.tx, it.key.org, &done)
		}
	}
	return m, &done, err
}

func (t *turn) work(it *item, l *lane) (*mission, error) {
	if it.outcome != nil {
		if err := t.settle(it.key.org, l, it.outcome); err != nil {
			return nil, err
		}
	}
	if l.NextAt = t.now; !it.claim || l.Hand != nil {
		return nil, nil
	}
	return t.claim(it.key.org, l, it.poison)
}

// call is the service's own call in an organization.
func (t *turn) call(orgID string) *api.Call {
	c := t.calls[orgID]
	if c == nil {
		c = api.System(context.Background(), orgID, t.now)
		t.calls[orgID] = c
	}
	return c
}

// suspended says whether an organization may not send. One that is gone may not.
func (t *turn) suspended(orgID string) (bool, error) {
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

// batch reads a campaign; one that nobody wrote down does not run.
func (t *turn) batch(orgID, id string) (*Batch, error) {
	k := key{orgID, id}
	if b := t.batches[k]; b != nil {
		return b, nil
	}
	b, err := batches.Get(t.tx, orgID, id)
	if store.IsNotFound(err) {
		b, err = Batch{ID: id}, nil
	}
	t.batches[k] = &b
	return &b, err
}

func (t *turn) settings() (*setting.Settings, error) {
	if t.set == nil {
		set, err := setting.Get(t.tx)
		if err != nil {
			return nil, err
		}
		t.set = &set
	}
	return t.set, nil
}
