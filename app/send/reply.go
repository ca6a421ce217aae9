package send

import (
	"svc/store"
)

// Cancel ends a job CANCELLED that waits and is not on its way, tells its Source, and says
// whether it did.
func (s *Service) Cancel(tx *store.Tx, orgID, id string) (bool, error) {
	j, err := jobs.Get(tx, orgID, id)
	if err != nil || j.Status.Ended() {
		return false, store.IgnoreNotFound(err)
	}
	if now, err := InFlight(tx, orgID, j.AccountID); err != nil || now == id {
		return false, err
	}
	return true, newDispatchTx(s, tx).finish(orgID, &j, Cancelled)
}

// InFlight is the job that an account sends now, "" for none.
func InFlight(tx *store.Tx, orgID, account string) (job string, err error) {
	l, err := accountQueueOf(tx, orgID, account)
	if err != nil || l.InFlight == nil {
		return "", err
	}
	return l.InFlight.Job, nil
}
