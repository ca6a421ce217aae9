package campaign

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/record"
	"svc/store"
)

// PageAcross lists the campaigns of all organizations, or of one, newest first; status
// "" is any.
func (s *Service) PageAcross(tx *store.Tx, orgID string, status record.Status, in api.PageIn) (out api.Page[store.Of[Shown]], err error) {
	find := record.PageAcross
	if orgID != "" {
		find = record.PageOf
	}
	list, total, next, err := find(tx, orgID, status, in)
	if err != nil {
		return out, err
	}
	rows := make([]store.Of[Shown], len(list))
	for i := range list {
		shown, err := s.show(tx, list[i].Org, &list[i].Record, listedPicks)
		if err != nil {
			return out, err
		}
		rows[i] = store.Of[Shown]{Org: list[i].Org, Record: shown}
	}
	return api.NewPage(rows, total, in, next), nil
}

// takeOver makes a pause of the organization, or of the service, one of the
// administrator.
func (s *Service) takeOver(tx *store.Tx, c *api.Call, orgID string, k *record.Campaign, reason string) error {
	was := k.PauseReason
	k.PauseReason, k.PauseAccount, k.AdminReason, k.UpdatedAt = record.ByAdmin, "", &reason, tx.DB().Now()
	if err := record.Put(tx, orgID, k); err != nil {
		return err
	}
	if err := audit.WriteTo(tx, orgID, c, actions[EventPaused], k.Resource(), audit.Changed("pause_reason", was, record.ByAdmin), audit.Because(reason)); err != nil {
		return err
	}
	return publishStatusChange(tx, orgID, k, transition{event: EventPaused, reason: record.ByAdmin})
}

// AdminPause pauses a campaign for an administrator of the platform: its organization
// cannot resume it. One that is paused already is from then on paused by the
// administrator.
func (s *Service) AdminPause(tx *store.Tx, c *api.Call, orgID, id, reason string) (Shown, error) {
	return s.administer(tx, orgID, id, func(k *record.Campaign) error {
		if k.Status != record.Paused {
			return s.apply(tx, c, orgID, k, transition{event: EventPaused, reason: record.ByAdmin, words: reason})
		}
		if k.PauseReason == record.ByAdmin {
			return api.ErrState
		}
		return s.takeOver(tx, c, orgID, k, reason)
	})
}

// AdminCancel ends a campaign for an administrator of the platform.
func (s *Service) AdminCancel(tx *store.Tx, c *api.Call, orgID, id, reason string) (Shown, error) {
	return s.administer(tx, orgID, id, func(k *record.Campaign) error {
		return s.apply(tx, c, orgID, k, transition{event: EventCancelled, words: reason})
	})
}

func (s *Service) administer(tx *store.Tx, orgID, id string, do func(*record.Campaign) error) (Shown, error) {
	k, err := record.Get(tx, orgID, id)
	if err != nil {
		return Shown{}, err
	}
	if err := do(&k); err != nil {
		return Shown{}, err
	}
	return s.show(tx, orgID, &k, listedPicks)
}

// AdminResume goes on with a campaign that an administrator of the platform paused. It
// opens its own transactions, because a campaign that never began is checked first; also
// is done in the one that resumes it.
func (s *Service) AdminResume(c *api.Call, orgID, id, reason string, also func(*store.Tx) error) (Shown, error) {
	k, err := record.View(c, s.db, func(tx *store.Tx) (record.Campaign, error) {
		k, err := record.Get(tx, orgID, id)
		if err != nil {
			return k, err
		}
		if k.Status != record.Paused || k.PauseReason != record.ByAdmin {
			return k, ErrNotByAdmin
		}
		return k, s.resumable(tx, orgID, &k)
	})
	if err != nil {
		return Shown{}, err
	}
	own := *c
	own.Org = orgID
	return s.goOn(c, &own, &k, reason, also)
}
