package account

import (
	"svc/app/account/proxy"
	"svc/app/api"
	"svc/store"
)

// Proxies are the proxies of every organization.
func (s *Service) Proxies() *proxy.Service { return s.proxies }

// ProxyOf reads the proxy of an account; found is false when it has none.
func ProxyOf(tx *store.Tx, org string, a *Account) (p proxy.Proxy, found bool, err error) {
	if a.ProxyID == "" {
		return p, false, nil
	}
	p, err = proxy.Get(tx, org, a.ProxyID)
	return p, err == nil, store.IgnoreNotFound(err)
}

// userOfProxy is the account that uses a proxy, "" for none.
func userOfProxy(tx *store.Tx, org, id string) (account string, err error) {
	account, err = byProxy.ID(tx, org, store.Text(id))
	return account, store.IgnoreNotFound(err)
}

// changeProxy gives an account another proxy, or none. The caller saves it and writes
// the audit entry.
func (s *Service) changeProxy(tx *store.Tx, c *api.Call, a *Account, id string) error {
	if err := s.proxies.CheckUse(tx, c.Org, id, a.ID); err != nil {
		return err
	}
	a.ProxyID = id
	message := "The account connects directly."
	if id != "" {
		message = "The account connects through " + id + "."
	}
	if err := note(tx, c.Org, a.ID, activity{Kind: ProxyChanged, Message: message}); err != nil {
		return err
	}
	s.pool.AdjustAfter(tx, c.Org, a.ID)
	return checkBack(tx, c.Org, a)
}

// proxyChanged does what the state of a proxy means for the account that uses it.
func (s *Service) proxyChanged(tx *store.Tx, c *api.Call, org string, p *proxy.Proxy) error {
	a, err := byProxy.Find(tx, org, store.Text(p.ID))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	s.pool.AdjustAfter(tx, org, a.ID)
	if p.Status == proxy.Active {
		return checkBack(tx, org, &a)
	}
	return s.failBehind(tx, c, org, &a, p)
}

// failBehindProxy is failBehind for the proxy that an account has, if it has one.
func (s *Service) failBehindProxy(tx *store.Tx, c *api.Call, org string, a *Account) error {
	p, found, err := ProxyOf(tx, org, a)
	if err != nil || !found {
		return err
	}
	return s.failBehind(tx, c, org, a, &p)
}

// failBehind makes an ACTIVE account ERROR whose proxy fails (contract 20.6).
func (s *Service) failBehind(tx *store.Tx, c *api.Call, org string, a *Account, p *proxy.Proxy) error {
	if a.Status != Active || !p.Fails() {
		return nil
	}
	reason := "The proxy of this account cannot be used."
	if p.Status == proxy.Disabled {
		reason = "The proxy of this account was disabled by an administrator."
	}
	return s.apply(tx, c, org, a, transition{event: RouteFailed, reason: reason, lastError: "PROXY_" + string(p.Status)})
}
