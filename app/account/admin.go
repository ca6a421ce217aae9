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
		err = s.steered(tx, org, &a, why)
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
	if err := s.steered(tx, org, &a, why); err != nil {
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

// steered saves an account that an administrator disabled or enabled without a change
// of its status. Why it stands PAUSED is told, for that has changed; the other statuses
// come from the platform or the proxy, and keep their reason and have no event.
func (s *Service) steered(tx *store.Tx, org string, a *Account, why string) error {
	if a.Status == Paused {
		a.StatusReason = &why
	}
	if err := accounts.Put(tx, org, a); err != nil {
		return err
	}
	s.pool.touchAfter(tx, org, a.ID)
	if err := note(tx, org, a.ID, activity{Kind: StatusChanged, Message: why}); err != nil || a.Status != Paused {
		return err
	}
	return event.Emit(tx, org, event.AccountPaused, changeData{AccountID: a.ID, Status: a.Status, Reason: &why})
}

// DisableProxy keeps a proxy from being used; the ACTIVE account behind it becomes
// ERROR.
func (s *Service) DisableProxy(tx *store.Tx, c *api.Call, org, id, reason string) (ShownProxy, error) {
	return s.turnProxy(tx, c, org, id, proxyTurnedOff, reason)
}

// EnableProxy lets a proxy be used again that an administrator disabled; it is
// checked soon.
func (s *Service) EnableProxy(tx *store.Tx, c *api.Call, org, id, reason string) (ShownProxy, error) {
	return s.turnProxy(tx, c, org, id, proxyTurnedOn, reason)
}

func (s *Service) turnProxy(tx *store.Tx, c *api.Call, org, id string, on proxyEvent, reason string) (ShownProxy, error) {
	p, err := proxies.Get(tx, org, id)
	if err != nil {
		return ShownProxy{}, err
	}
	if on == proxyTurnedOn && p.Status != ProxyDisabled {
		return ShownProxy{}, ErrNotDisabled
	}
	if err := s.applyProxy(tx, c, org, &p, on, reason); err != nil {
		return ShownProxy{}, err
	}
	if on == proxyTurnedOn {
		if err := checkLater(tx, org, id); err != nil {
			return ShownProxy{}, err
		}
	}
	return showProxy(tx, org, &p)
}

// PageAcross lists the accounts of all organizations, or of one, newest first; status
// "" means all.
func (s *Service) PageAcross(tx *store.Tx, org string, status Status, in api.PageIn) (api.Page[store.Of[Shown]], error) {
	return listAcross(tx, accountLists, org, string(status), in, func(org string, a *Account) (Shown, error) { return s.show(tx, org, a) })
}

// ProxiesAcross lists the proxies of all organizations, or of one, newest first; status
// "" means all.
func ProxiesAcross(tx *store.Tx, org string, status ProxyStatus, in api.PageIn) (api.Page[store.Of[ShownProxy]], error) {
	return listAcross(tx, proxyLists, org, string(status), in, func(org string, p *Proxy) (ShownProxy, error) { return showProxy(tx, org, p) })
}

// lists are what the lists over all organizations walk.
type lists[T any] struct {
	table  *store.Table[T]
	status *store.Facet[T]
	across *store.IndexAcross[T]
	tally  *store.TallyAcross[T]
}

var (
	accountLists = lists[Account]{accounts, statusFacet, across, statusAcross}
	proxyLists   = lists[Proxy]{proxies, proxyFacet, proxiesAcross, proxyTally}
)

func listAcross[T, S any](tx *store.Tx, l lists[T], org, status string, in api.PageIn, show func(org string, it *T) (S, error)) (out api.Page[store.Of[S]], err error) {
	found, total, next, err := l.page(tx, org, status, in)
	rows := make([]store.Of[S], len(found))
	for i := range found {
		if err == nil {
			rows[i].Org = found[i].Org
			rows[i].Record, err = show(found[i].Org, &found[i].Record)
		}
	}
	return api.NewPage(rows, total, in, next), err
}

func (l lists[T]) page(tx *store.Tx, org, status string, in api.PageIn) (out []store.Of[T], total int, next store.Cursor, err error) {
	if org == "" {
		if total, err = totalAcross(tx, l.tally, status); err == nil {
			out, next, err = pageAcross(tx, l.across, status, in)
		}
		return out, total, next, err
	}
	q := store.Query[T]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if status != "" {
		q.Where = []store.Cond[T]{l.status.Any(status)}
	}
	page, err := l.table.Page(tx, org, q)
	for _, it := range page.Data {
		out = append(out, store.Of[T]{Org: org, Record: it})
	}
	return out, page.Total, page.Next, err
}

// pageAcross reads a page of what all organizations have, newest first. It costs what
// lies before it: administrators look at the first pages.
func pageAcross[T any](tx *store.Tx, x *store.IndexAcross[T], status string, in api.PageIn) ([]store.Of[T], store.Cursor, error) {
	skip, after := in.Offset, in.Behind()
	for {
		most := in.Limit
		if skip > 0 {
			most = min(skip, peersAtATime)
		}
		page, next, err := x.Walk(tx, store.Range{Span: store.Is(store.Tuple(store.Text(status))), After: after, Limit: most, Reverse: true})
		if err != nil || skip == 0 {
			return page, next, err
		}
		if next == nil {
			return nil, nil, nil
		}
		skip, after = skip-len(page), next
	}
}

func totalAcross[T any](tx *store.Tx, y *store.TallyAcross[T], status string) (n int, err error) {
	if status != "" {
		return y.Count(tx, status)
	}
	all, err := y.Counts(tx)
	for _, k := range all {
		n += k
	}
	return n, err
}

// ByStatus counts the accounts of all organizations.
func ByStatus(tx *store.Tx) (map[Status]int, error) {
	return store.CountsOf(tx, statusAcross, Statuses())
}

// Find says which organization has an account.
func Find(tx *store.Tx, id string) (org string, err error) { return ownerOf(tx, accountOwner, id) }

// FindProxy says which organization has a proxy.
func FindProxy(tx *store.Tx, id string) (org string, err error) { return ownerOf(tx, proxyOwner, id) }

var (
	accountOwner = accounts.UniqueAcross("id", func(a *Account) store.Key { return store.Text(a.ID) })
	proxyOwner   = proxies.UniqueAcross("id", func(p *Proxy) store.Key { return store.Text(p.ID) })
)

func ownerOf[T any](tx *store.Tx, x *store.UniqueAcross[T], id string) (string, error) {
	_, org, err := x.Find(tx, store.Text(id))
	return org, err
}

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
