package org

import (
	"fmt"
	"time"

	"svc/app/notify"
	"svc/store"
)

// nearPercent of a limit is where people hear of it, once a week at most.
const (
	nearPercent = 90
	nearAgain   = 7 * 24 * time.Hour
)

// WarnNearLimits tells an organization of every limit of its plan that is nearly
// used up.
func (s *Service) WarnNearLimits(tx *store.Tx, orgID string) error {
	for _, key := range counted {
		limit, noLimit, err := Limit(tx, orgID, key)
		if err != nil {
			return err
		}
		if noLimit || limit == 0 {
			continue
		}
		used, err := s.Used(tx, orgID, key)
		if err != nil {
			return err
		}
		if used*100 < limit*nearPercent {
			continue
		}
		on := &notify.Resource{Type: "limit", ID: string(key)}
		notified, err := notify.Lately(tx, orgID, "PLAN_LIMIT_NEAR", on, tx.DB().Now().Add(-nearAgain))
		if err != nil {
			return err
		}
		if notified {
			continue
		}
		err = notify.Send(tx, orgID, notify.Notice{
			Kind: "PLAN_LIMIT_NEAR", Title: fmt.Sprintf("%d of %d %s are used", used, limit, key),
			Body:     fmt.Sprintf("Your plan includes %d (%s), and %d are used. At the limit nothing can be added.", limit, key, used),
			Resource: on, Link: "/settings/usage",
		})
		if err != nil {
			return err
		}
	}
	return nil
}
