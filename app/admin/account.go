package admin

import (
	"time"

	"svc/app/account"
	"svc/app/account/proxy"
	"svc/app/api"
	"svc/store"
)

// checkWithin bounds a request that asks a proxy.
const checkWithin = 60 * time.Second

func (s *Service) accountEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/accounts", "list_accounts", "List the messenger accounts of all organizations, newest first.", s.listAccounts),
		e("POST /admin/accounts/{id}/disable", "disable_account", "Keep a messenger account from being used; an active one is paused.",
			reasonRequired(s, adminAction[account.Shown, Account]{"account.disabled", "account", account.Find, s.o.Accounts.Disable, withOwner}), api.Errors(api.ErrState)),
		e("POST /admin/accounts/{id}/enable", "enable_account", "Let a disabled messenger account be used again; its organization resumes it.",
			reasonOptional(s, adminAction[account.Shown, Account]{"account.enabled", "account", account.Find, s.o.Accounts.Enable, withOwner}), api.Errors(account.ErrNotDisabled)),

		e("GET /admin/proxies", "list_proxies", "List the proxies of all organizations, newest first.", s.listProxies),
		e("GET /admin/proxies/{id}", "get_proxy", "Read a proxy.", read(s, proxy.Find, s.o.Accounts.Proxies().Read, proxyWithOwner)),
		e("POST /admin/proxies/{id}/check", "check_proxy", "Check a proxy now.", s.checkProxy, api.Timeout(checkWithin), api.Errors(proxy.ErrDisabled)),
		e("POST /admin/proxies/{id}/disable", "disable_proxy", "Keep a proxy from being used; the account behind it stops.",
			reasonRequired(s, adminAction[proxy.ShownProxy, Proxy]{"proxy.disabled", "proxy", proxy.Find, s.o.Accounts.Proxies().Disable, proxyWithOwner}), api.Errors(api.ErrState)),
		e("POST /admin/proxies/{id}/enable", "enable_proxy", "Let a disabled proxy be used again; it is checked soon.",
			reasonOptional(s, adminAction[proxy.ShownProxy, Proxy]{"proxy.enabled", "proxy", proxy.Find, s.o.Accounts.Proxies().Enable, proxyWithOwner}), api.Errors(account.ErrNotDisabled)),
	}
}

// Account is a messenger account with whose it is.
type Account struct {
	account.Shown
	Organization OrgName `json:"organization"`
}

// Proxy is a proxy with whose it is.
type Proxy struct {
	proxy.ShownProxy
	Organization OrgName `json:"organization"`
}

func withOwner(a account.Shown, o OrgName) Account       { return Account{a, o} }
func proxyWithOwner(p proxy.ShownProxy, o OrgName) Proxy { return Proxy{p, o} }

type listAccountsIn struct {
	api.PageIn
	AcrossIn
	Status account.Status `query:"status" enum:"ACTIVE,PAUSED,AUTH_REQUIRED,RESTRICTED,DISCONNECTED,ERROR"`
}

func (s *Service) listAccounts(c *api.Call, in listAccountsIn) (api.Page[Account], error) {
	return across(s, c, in.AcrossIn, in.PageIn, func(tx *store.Tx) (api.Page[store.Of[account.Shown]], error) {
		return s.o.Accounts.PageAcross(tx, in.OrganizationID, in.Status, in.PageIn)
	}, withOwner)
}

type listProxiesIn struct {
	api.PageIn
	AcrossIn
	Status proxy.Status `query:"status" enum:"UNCHECKED,ACTIVE,UNREACHABLE,AUTH_FAILED,DISABLED"`
}

func (s *Service) listProxies(c *api.Call, in listProxiesIn) (api.Page[Proxy], error) {
	return across(s, c, in.AcrossIn, in.PageIn, func(tx *store.Tx) (api.Page[store.Of[proxy.ShownProxy]], error) {
		return s.o.Accounts.Proxies().PageAcross(tx, in.OrganizationID, in.Status, in.PageIn)
	}, proxyWithOwner)
}

// checkProxy asks the proxy outside of any transaction; what was found is written, and
// noted, after it.
func (s *Service) checkProxy(c *api.Call, body idIn) (out Proxy, err error) {
	err = s.db.View(c, func(tx *store.Tx) (err error) {
		orgID, err := proxy.Find(tx, body.ID)
		if err == nil {
			out.Organization, err = nameOf(tx, orgID)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	orgID := out.Organization.ID
	out.ShownProxy, err = s.o.Accounts.Proxies().Check(in(c, orgID), orgID, body.ID)
	return out, err
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
