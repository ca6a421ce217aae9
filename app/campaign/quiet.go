package campaign

import (
	"svc/app/campaign/record"
	"svc/app/org"
	"svc/app/policy"
	"svc/store"
)

// usualWindow gives a new campaign the sending hours that its organization has for those
// that name none (contract 21.1, Night). They become the campaign's own, at
// the clocks of its time zone: a later change of the organization's changes nothing that
// was made before, and a copy has those of its original.
func (s *Service) usualWindow(tx *store.Tx, orgID string, k *record.Campaign) error {
	if s.o.NoUsualHours {
		return nil
	}
	o, err := org.Get(tx, orgID)
	if err != nil {
		return err
	}
	h := o.SendingHours()
	if h == nil {
		return nil
	}
	k.Window = &record.Window{Start: h.Start, End: h.End}
	for _, d := range h.Weekdays {
		k.Window.Weekdays = append(k.Window.Weekdays, policy.Weekday(d))
	}
	return nil
}
