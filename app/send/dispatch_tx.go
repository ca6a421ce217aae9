package send

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
)

// dispatchTx is one transaction that settles and claims, with what its queues read in common.
type dispatchTx struct {
	s        *Service
	tx       *store.Tx
	now      time.Time
	calls    map[string]*api.Call
	stopped  map[string]bool // organizations that are suspended
	policies map[key]*CampaignPolicy
	set      *setting.Settings
}

// key names a record of an organization.
type key struct{ org, id string }

func newDispatchTx(s *Service, tx *store.Tx) *dispatchTx {
	return &dispatchTx{s: s, tx: tx, now: tx.DB().Now(), calls: map[string]*api.Call{}, stopped: map[string]bool{}, policies: map[key]*CampaignPolicy{}}
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
