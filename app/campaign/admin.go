package campaign

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// ByStatusAcross counts the campaigns of all organizations by status.
func ByStatusAcross(tx *store.Tx) (map[Status]int, error) {
	return store.CountsOf(tx, statusAcross, Statuses())
}

// PageAcross lists the campaigns of all organizations, or of one, newest first; status
// "" is any.
func (s *Service) PageAcross(tx *store.Tx, orgID string, status Status, in api.PageIn) (out api.Page[store.Of[Shown]], err error) {
	find := pageAcross
	if orgID != "" {
		find = pageOf
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

func pageAcross(tx *store.Tx, _ string, status Status, in api.PageIn) (list []store.Of[Campaign], total int, next store.Cursor, err error) {
	counts, err := statusAcross.Counts(tx)
	if err != nil {
		return nil, 0, nil, err
	}
	for value, n := range counts {
		if status == "" || value == string(status) {
			total += n
		}
	}
	of := store.Is(store.Tuple(store.Text(string(status))))
	list, next, err = across.Walk(tx, store.Range{Span: of, Limit: in.Offset + in.Limit, After: in.Behind(), Reverse: true})
	return list[min(in.Offset, len(list)):], total, next, err
}

func pageOf(tx *store.Tx, orgID string, status Status, in api.PageIn) (list []store.Of[Campaign], total int, next store.Cursor, err error) {
	q := store.Query[Campaign]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if status != "" {
		q.Where = []store.Cond[Campaign]{statusFacet.Any(string(status))}
	}
	page, err := campaigns.Page(tx, orgID, q)
	for _, k := range page.Data {
		list = append(list, store.Of[Campaign]{Org: orgID, Record: k})
	}
	return list, page.Total, page.Next, err
}

// takeOver makes a pause of the organization, or of the service, one of the
// administrator.
func (s *Service) takeOver(tx *store.Tx, c *api.Call, orgID string, k *Campaign, reason string) error {
	was := k.PauseReason
	k.PauseReason, k.PauseAccount, k.AdminReason, k.UpdatedAt = ByAdmin, "", &reason, tx.DB().Now()
	if err := campaigns.Put(tx, orgID, k); err != nil {
		return err
	}
	if err := audit.WriteTo(tx, orgID, c, actions[EventPaused], k.resource(), audit.Changed("pause_reason", was, ByAdmin), audit.Because(reason)); err != nil {
		return err
	}
	return publishStatusChange(tx, orgID, k, transition{event: EventPaused, reason: ByAdmin})
}

// Find says whose campaign an id is: store.ErrNotFound when there is none.
func Find(tx *store.Tx, id string) (orgID string, err error) {
	_, orgID, err = byID.Find(tx, store.Text(id))
	return orgID, err
}

// AdminPause pauses a campaign for an administrator of the platform: its organization
// cannot resume it. One that is paused already is from then on paused by the
// administrator.
func (s *Service) AdminPause(tx *store.Tx, c *api.Call, orgID, id, reason string) (Shown, error) {
	return s.administer(tx, orgID, id, func(k *Campaign) error {
		if k.Status != Paused {
			return s.apply(tx, c, orgID, k, transition{event: EventPaused, reason: ByAdmin, words: reason})
		}
		if k.PauseReason == ByAdmin {
			return api.ErrState
		}
		return s.takeOver(tx, c, orgID, k, reason)
	})
}

// AdminCancel ends a campaign for an administrator of the platform.
func (s *Service) AdminCancel(tx *store.Tx, c *api.Call, orgID, id, reason string) (Shown, error) {
	return s.administer(tx, orgID, id, func(k *Campaign) error {
		return s.apply(tx, c, orgID, k, transition{event: EventCancelled, words: reason})
	})
}

func (s *Service) administer(tx *store.Tx, orgID, id string, do func(*Campaign) error) (Shown, error) {
	k, err := campaigns.Get(tx, orgID, id)
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
	k, err := view(c, s.db, func(tx *store.Tx) (Campaign, error) {
		k, err := campaigns.Get(tx, orgID, id)
		if err != nil {
			return k, err
		}
		if k.Status != Paused || k.PauseReason != ByAdmin {
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
