package send

import (
	"errors"
	"time"

	"svc/app/recipient"
	"svc/store"
)

// release lets go of what a lane has in hand, whose outcome nobody will hear of: the
// job waits, and is sent with the same numbers.
func (s *Service) release(tx *store.Tx, orgID string, l *lane) error {
	t := newTurn(s, tx)
	h := l.Hand
	l.Hand, l.NextAt = nil, t.now
	if h.Recipient != "" {
		if err := recipient.Busy(tx, orgID, h.Recipient, time.Time{}); err != nil {
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
		err = t.told(orgID, &j)
	}
	if err != nil && !errors.Is(err, errEnded) && !store.IsNotFound(err) {
		return err
	}
	return lanes.Put(tx, orgID, l)
}
