package proxy

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/notify"
	"svc/store"
)

// Status says whether a proxy can be used.
type Status string

// The statuses (contract 7.3).
const (
	Unchecked   Status = "UNCHECKED"
	Active      Status = "ACTIVE"
	Unreachable Status = "UNREACHABLE"
	AuthFailed  Status = "AUTH_FAILED"
	Disabled    Status = "DISABLED"
)

// event is what happens to a proxy.
type event string

const (
	checkPassed        event = "check passed"
	checkFailed        event = "check did not get through"
	credentialsRefused event = "credentials refused"
	edited             event = "address or credentials changed"
	disabled           event = "disabled by an administrator"
	enabled            event = "enabled by an administrator"
)

// usable are the statuses of a proxy that is not disabled.
var usable = []Status{Unchecked, Active, Unreachable, AuthFailed}

// transitions is the life of a proxy.
var transitions = api.Table[Status, event]{
	{From: usable, On: checkPassed, To: Active},
	{From: usable, On: checkFailed, To: Unreachable},
	{From: usable, On: credentialsRefused, To: AuthFailed},
	{From: usable, On: edited, To: Unchecked},
	{From: usable, On: disabled, To: Disabled},
	{From: []Status{Disabled}, On: enabled, To: Unchecked},
}

// apply changes the status of a proxy, with everything that follows, and saves
// it. reason is what an administrator gave, or what a check found.
func (s *Service) apply(tx *store.Tx, c *api.Call, org string, p *Proxy, on event, reason string) error {
	to, ok := transitions.Next(p.Status, on)
	if !ok {
		return api.ErrState
	}
	from, now := p.Status, tx.DB().Now()
	p.Status, p.DisabledReason = to, nil
	if to == Disabled {
		p.DisabledReason = api.Optional(reason)
	}
	if from != to {
		p.UpdatedAt = now
	}
	if err := proxies.Put(tx, org, p); err != nil {
		return err
	}
	if from != to {
		if err := notify.Settle(tx, org, p.ID); err != nil {
			return err
		}
		err := audit.WriteTo(tx, org, c, "proxy."+auditActions[on], p.resource(), audit.Changed("status", from, to), audit.Because(reason))
		if err != nil {
			return err
		}
	}
	bad := to == Unreachable || to == AuthFailed
	if bad && from != to {
		err := notify.Send(tx, org, notify.Notice{
			Kind: "PROXY_UNREACHABLE", Title: "A proxy cannot be used", Body: p.name() + ": " + reason,
			Resource: &notify.Resource{Type: "proxy", ID: p.ID}, Link: "/proxies/" + p.ID,
		})
		if err != nil {
			return err
		}
	}
	if s.o.Changed == nil {
		return nil
	}
	return s.o.Changed(tx, c, org, p)
}

// Fails says whether it is known that nothing gets through the proxy.
func (p *Proxy) Fails() bool {
	return p.Status == Unreachable || p.Status == AuthFailed || p.Status == Disabled
}

var auditActions = map[event]string{
	checkPassed: "reachable", checkFailed: "unreachable", credentialsRefused: "auth_failed",
	edited: "edited", disabled: "disabled", enabled: "enabled",
}
