package admin

import (
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
)

// checkWithin bounds a request that asks a proxy.
const checkWithin = 60 * time.Second

func (s *Service) accountEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/accounts", "list_accounts", "List the messenger accounts of all organizations, newest first.", s.listAccounts),
		e("POST /admin/accounts/{id}/disable", "disable_account", "Keep a messenger account from being used; an active one is paused.", s.disableAccount, api.Errors(api.ErrState)),
		e("POST /admin/accounts/{id}/enable", "enable_account", "Let a disabled messenger account be used again; its organization resumes it.", s.enableAccount, api.Errors(account.ErrNotDisabled)),

		e("GET /admin/proxies", "list_proxies", "List the proxies of all organizations, newest first.", s.listProxies),
		e("GET /admin/proxies/{id}", "get_proxy", "Read a proxy.", s.getProxy),
		e("POST /admin/proxies/{id}/check", "check_proxy", "Check a proxy now.", s.checkProxy, api.Timeout(checkWithin), api.Errors(account.ErrProxyDisabled)),
		e("POST /admin/proxies/{id}/disable", "disable_proxy", "Keep a proxy from being used; the account behind it stops.", s.disableProxy, api.Errors(api.ErrState)),
		e("POST /admin/proxies/{id}/enable", "enable_proxy", "Let a disabled proxy be used again; it is checked soon.", s.enableProxy, api.Errors(account.ErrNotDisabled)),
	}
}

// Account is a messenger account with whose it is.
type Account struct {
	account.Shown
	Organization OrgName `json:"organization"`
}

// Proxy is a proxy with whose it is.
type Proxy struct {
	account.ShownProxy
	Organization OrgName `json:"organization"`
}

// OrgName names an organization beside what belongs to it.
type OrgName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// nameOf names an organization; one that is gone has no name.
func nameOf(tx *store.Tx, orgID string) (OrgName, error) {
	o, err := org.Get(tx, orgID)
	if missing(err) {
		err = nil
	}
	return OrgName{orgID, o.Name}, err
}

// named makes rows of records with whose they are.
func named[T, R any](tx *store.Tx, page api.Page[store.Of[T]], row func(T, OrgName) R) (out api.Page[R], err error) {
	names := map[string]OrgName{}
	out = api.Page[R]{Data: []R{}, Total: page.Total, Limit: page.Limit, Offset: page.Offset}
	for _, of := range page.Data {
		name, known := names[of.Org]
		if !known {
			if name, err = nameOf(tx, of.Org); err != nil {
				return out, err
			}
			names[of.Org] = name
		}
		out.Data = append(out.Data, row(of.Record, name))
	}
	return out, nil
}

type listAccountsIn struct {
	api.PageIn
	Status account.Status `query:"status" enum:"ACTIVE,PAUSED,AUTH_REQUIRED,RESTRICTED,DISCONNECTED,ERROR"`
}

func (s *Service) listAccounts(c *api.Call, in listAccountsIn) (out api.Page[Account], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := s.o.Accounts.PageAcross(tx, in.Status, in.PageIn)
		if err == nil {
			out, err = named(tx, page, func(a account.Shown, o OrgName) Account { return Account{a, o} })
		}
		return err
	})
	return out, err
}

// turn is what disabling and enabling have in common: find whose the thing is, change
// it in the name of the platform, and note that on the platform too.
func turn[T any](s *Service, c *api.Call, id, action, kind, reason string, find func(*store.Tx, string) (string, error),
	change func(tx *store.Tx, c *api.Call, orgID string) (T, error)) (out T, name OrgName, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		orgID, err := find(tx, id)
		if err != nil {
			return err
		}
		if out, err = change(tx, in(c, orgID), orgID); err != nil {
			return err
		}
		if name, err = nameOf(tx, orgID); err != nil {
			return err
		}
		return note(tx, c, action, audit.On(kind, id, ""), orgID, audit.Because(reason))
	})
	return out, name, err
}

func (s *Service) disableAccount(c *api.Call, body reasonIn) (Account, error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return Account{}, err
	}
	a, name, err := turn(s, c, body.ID, "account.disabled", "account", reason, account.Find, func(tx *store.Tx, c *api.Call, orgID string) (account.Shown, error) {
		return s.o.Accounts.Disable(tx, c, orgID, body.ID, reason)
	})
	return Account{a, name}, err
}

func (s *Service) enableAccount(c *api.Call, body mayReasonIn) (Account, error) {
	a, name, err := turn(s, c, body.ID, "account.enabled", "account", body.reason(), account.Find, func(tx *store.Tx, c *api.Call, orgID string) (account.Shown, error) {
		return s.o.Accounts.Enable(tx, c, orgID, body.ID, body.reason())
	})
	return Account{a, name}, err
}

type listProxiesIn struct {
	api.PageIn
	Status account.ProxyStatus `query:"status" enum:"UNCHECKED,ACTIVE,UNREACHABLE,AUTH_FAILED,DISABLED"`
}

func (s *Service) listProxies(c *api.Call, in listProxiesIn) (out api.Page[Proxy], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := account.ProxiesAcross(tx, in.Status, in.PageIn)
		if err == nil {
			out, err = named(tx, page, func(p account.ShownProxy, o OrgName) Proxy { return Proxy{p, o} })
		}
		return err
	})
	return out, err
}

func (s *Service) getProxy(c *api.Call, in idIn) (out Proxy, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		orgID, err := account.FindProxy(tx, in.ID)
		if err != nil {
			return err
		}
		if out.ShownProxy, err = account.ReadProxy(tx, orgID, in.ID); err != nil {
			return err
		}
		out.Organization, err = nameOf(tx, orgID)
		return err
	})
	return out, err
}

// checkProxy asks the proxy outside of any transaction; what was found is written, and
// noted, after it.
func (s *Service) checkProxy(c *api.Call, body idIn) (out Proxy, err error) {
	err = s.db.View(c, func(tx *store.Tx) (err error) {
		orgID, err := account.FindProxy(tx, body.ID)
		if err == nil {
			out.Organization, err = nameOf(tx, orgID)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	orgID := out.Organization.ID
	out.ShownProxy, err = s.o.Accounts.CheckProxy(in(c, orgID), orgID, body.ID)
	return out, err
}

func (s *Service) disableProxy(c *api.Call, body reasonIn) (Proxy, error) {
	reason, err := checkReason(body.Body.Reason)
	if err != nil {
		return Proxy{}, err
	}
	p, name, err := turn(s, c, body.ID, "proxy.disabled", "proxy", reason, account.FindProxy, func(tx *store.Tx, c *api.Call, orgID string) (account.ShownProxy, error) {
		return s.o.Accounts.DisableProxy(tx, c, orgID, body.ID, reason)
	})
	return Proxy{p, name}, err
}

func (s *Service) enableProxy(c *api.Call, body mayReasonIn) (Proxy, error) {
	p, name, err := turn(s, c, body.ID, "proxy.enabled", "proxy", body.reason(), account.FindProxy, func(tx *store.Tx, c *api.Call, orgID string) (account.ShownProxy, error) {
		return s.o.Accounts.EnableProxy(tx, c, orgID, body.ID, body.reason())
	})
	return Proxy{p, name}, err
}

// wrongAccount says what is wrong with the account that a report names, "" for
// nothing.
func (s *Service) wrongAccount(tx *store.Tx, r *Report) (string, error) {
	orgID, err := account.Find(tx, *r.AccountID)
	switch {
	case missing(err):
		return "is no messenger account", nil
	case err == nil && r.OrganizationID != nil && *r.OrganizationID != orgID:
		return "belongs to another organization", nil
	}
	return "", err
}
