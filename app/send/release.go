package send

import (
	"errors"
	"time"

	"svc/app/recipient"
	"svc/store"
)

// release releases what an account has in flight, whose outcome nobody will hear of: the
// job waits, and is sent with the same numbers.
func (s *Service) release(tx *store.Tx, orgID string, l *accountQueue) error {
	t := newDispatchTx(s, tx)
	h := l.InFlight
	l.InFlight, l.NextAt = nil, t.now
	if h.Recipient != "" {
		if err := recipient.MarkSending(tx, orgID, h.Recipient, time.Time{}); err != nil {
			return err
		}
	}
	j, err := jobs.Edit(tx, orgID, h.Job, func(j *Job) error {
		if j.Status.Ended() {
			return errEnded
		}
		return t.unlessDropped(orgID, j)
	})
	if err == nil {
		err = t.recordOutcome(orgID, &j)
	}
	if err != nil && !errors.Is(err, errEnded) && !store.IsNotFound(err) {
		return err
	}
	return accountQueues.Put(tx, orgID, l)
}
