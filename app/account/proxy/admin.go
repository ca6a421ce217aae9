package proxy

import (
	"svc/app/api"
	"svc/store"
)

// Disable keeps a proxy from being used; the ACTIVE account behind it becomes ERROR.
func (s *Service) Disable(tx *store.Tx, c *api.Call, org, id, reason string) (ShownProxy, error) {
	p, err := proxies.Get(tx, org, id)
	if err == nil {
		err = s.apply(tx, c, org, &p, disabled, reason)
	}
	if err != nil {
		return ShownProxy{}, err
	}
	return s.show(tx, org, &p)
}

// Enable lets a proxy be used again that an administrator disabled; it is checked soon.
func (s *Service) Enable(tx *store.Tx, c *api.Call, org, id, reason string) (ShownProxy, error) {
	p, err := proxies.Get(tx, org, id)
	switch {
	case err != nil:
		return ShownProxy{}, err
	case p.Status != Disabled:
		return ShownProxy{}, ErrNotDisabled
	}
	if err := s.apply(tx, c, org, &p, enabled, reason); err != nil {
		return ShownProxy{}, err
	}
	if err := checkLater(tx, org, id); err != nil {
		return ShownProxy{}, err
	}
	return s.show(tx, org, &p)
}

var (
	lists = api.Lists[Proxy]{Table: proxies, Status: statusFacet, Across: across, Tally: statusAcross}
	owner = proxies.UniqueAcross("id", func(p *Proxy) store.Key { return store.Text(p.ID) })
)

// PageAcross lists the proxies of all organizations, or of one, newest first; status ""
// means all.
func (s *Service) PageAcross(tx *store.Tx, org string, status Status, in api.PageIn) (api.Page[store.Of[ShownProxy]], error) {
	return api.ListAcross(tx, lists, org, string(status), in, func(org string, p *Proxy) (ShownProxy, error) { return s.show(tx, org, p) })
}

// Find says which organization has a proxy.
func Find(tx *store.Tx, id string) (org string, err error) {
	_, org, err = owner.Find(tx, store.Text(id))
	return org, err
}
