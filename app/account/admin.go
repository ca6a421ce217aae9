package account

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/store"
)

// Disable keeps an account from being used, by an administrator of the platform. An
// ACTIVE one is paused (contract 20.6).
func (s *Service) Disable(tx *store.Tx, c *api.Call, org, id, reason string) (Shown, error) {
	a, err := accounts.Get(tx, org, id)
	switch {
	case err != nil:
		return Shown{}, err
	case a.DisabledByAdmin:
		return Shown{}, api.ErrState
	}
	a.DisabledByAdmin, a.DisabledReason, a.UpdatedAt = true, &reason, tx.DB().Now()
	if why := "An administrator disabled the account: " + reason; a.Status == Active {
		err = s.apply(tx, c, org, &a, transition{event: TurnedOff, reason: why})
	} else {
		err = s.saveDisabled(tx, org, &a, why)
	}
	if err != nil {
		return Shown{}, err
	}
	if err := audit.WriteTo(tx, org, c, "account.disabled", a.resource(), audit.Because(reason)); err != nil {
		return Shown{}, err
	}
	return s.show(tx, org, &a)
}

// Enable lets an account be used again that an administrator disabled; its people
// resume it.
func (s *Service) Enable(tx *store.Tx, c *api.Call, org, id, reason string) (Shown, error) {
	a, err := accounts.Get(tx, org, id)
	switch {
	case err != nil:
		return Shown{}, err
	case !a.DisabledByAdmin:
		return Shown{}, ErrNotDisabled
	}
	a.DisabledByAdmin, a.DisabledReason, a.UpdatedAt = false, nil, tx.DB().Now()
	why := "An administrator enabled the account again."
	if a.Status == Paused {
		why = "An administrator enabled the account again; resume it to let it send."
	}
	if err := s.saveDisabled(tx, org, &a, why); err != nil {
		return Shown{}, err
	}
	if err := checkBack(tx, org, &a); err != nil {
		return Shown{}, err
	}
	if err := audit.WriteTo(tx, org, c, "account.enabled", a.resource(), audit.Because(reason)); err != nil {
		return Shown{}, err
	}
	return s.show(tx, org, &a)
}

// saveDisabled saves an account that an administrator disabled or enabled without a change
// of its status. Why it stands PAUSED is told, for that has changed; the other statuses
// come from the platform or the proxy, and keep their reason and have no event.
func (s *Service) saveDisabled(tx *store.Tx, org string, a *Account, why string) error {
	if a.Status == Paused {
		a.StatusReason = &why
	}
	if err := accounts.Put(tx, org, a); err != nil {
		return err
	}
	s.pool.AdjustAfter(tx, org, a.ID)
	if err := note(tx, org, a.ID, activity{Kind: StatusChanged, Message: why}); err != nil || a.Status != Paused {
		return err
	}
	return event.Emit(tx, org, event.AccountPaused, changeData{AccountID: a.ID, Status: a.Status, Reason: &why})
}

// PageAcross lists the accounts of all organizations, or of one, newest first; status
// "" means all.
func (s *Service) PageAcross(tx *store.Tx, org string, status Status, in api.PageIn) (api.Page[store.Of[Shown]], error) {
	return api.ListAcross(tx, lists, org, string(status), in, func(org string, a *Account) (Shown, error) { return s.show(tx, org, a) })
}

// lists are the indexes of PageAcross.
var lists = api.Lists[Account]{Table: accounts, Status: statusFacet, Across: across, Tally: statusAcross}

// ByStatus counts the accounts of all organizations.
func ByStatus(tx *store.Tx) (map[Status]int, error) {
	return store.CountsOf(tx, statusAcross, Statuses())
}

// Find says which organization has an account.
func Find(tx *store.Tx, id string) (org string, err error) {
	_, org, err = owner.Find(tx, store.Text(id))
	return org, err
}

var owner = accounts.UniqueAcross("id", func(a *Account) store.Key { return store.Text(a.ID) })

// Totals are the accounts of an organization as its dashboard shows them (contract 9.3).
type Totals struct {
	Total          int `json:"total"`
	Active         int `json:"active"`
	CoolingDown    int `json:"cooling_down"`
	NeedsAttention int `json:"needs_attention" doc:"To sign in again, restricted, disconnected or without their proxy."`
}

// TotalsOf reads the totals.
func TotalsOf(tx *store.Tx, org string) (t Totals, err error) {
	by, err := statusFacet.Counts(tx, org)
	if err != nil {
		return t, err
	}
	for _, n := range by {
		t.Total += n
	}
	t.Active = by[string(Active)]
	t.NeedsAttention = t.Total - t.Active - by[string(Paused)]
	ids, _, err := cooling.IDs(tx, org, store.Range{Span: store.Between(store.Time(tx.DB().Now()), nil), Limit: 1000})
	t.CoolingDown = len(ids)
	return t, err
}
