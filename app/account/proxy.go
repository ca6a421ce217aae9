package account

import (
	"encoding/json"
	"net"
	"strconv"
	"time"

	"svc/app/account/line"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/notify"
	"svc/messenger"
	"svc/store"
)

// ProxyStatus says whether a proxy can be used.
type ProxyStatus string

// The statuses (contract 7.3).
const (
	ProxyUnchecked   ProxyStatus = "UNCHECKED"
	ProxyActive      ProxyStatus = "ACTIVE"
	ProxyUnreachable ProxyStatus = "UNREACHABLE"
	ProxyAuthFailed  ProxyStatus = "AUTH_FAILED"
	ProxyDisabled    ProxyStatus = "DISABLED"
)

// proxyEvent is what happens to a proxy.
type proxyEvent string

const (
	proxyPassed      proxyEvent = "check passed"
	proxyNotReached  proxyEvent = "check did not get through"
	proxyNotAdmitted proxyEvent = "credentials refused"
	proxyEdited      proxyEvent = "address or credentials changed"
	proxyTurnedOff   proxyEvent = "disabled by an administrator"
	proxyTurnedOn    proxyEvent = "enabled by an administrator"
)

// usable are the statuses of a proxy that is not disabled.
var usable = []ProxyStatus{ProxyUnchecked, ProxyActive, ProxyUnreachable, ProxyAuthFailed}

// proxyTransitions is the life of a proxy.
var proxyTransitions = api.Table[ProxyStatus, proxyEvent]{
	{From: usable, On: proxyPassed, To: ProxyActive},
	{From: usable, On: proxyNotReached, To: ProxyUnreachable},
	{From: usable, On: proxyNotAdmitted, To: ProxyAuthFailed},
	{From: usable, On: proxyEdited, To: ProxyUnchecked},
	{From: usable, On: proxyTurnedOff, To: ProxyDisabled},
	{From: []ProxyStatus{ProxyDisabled}, On: proxyTurnedOn, To: ProxyUnchecked},
}

// Proxy is a proxy as it is kept.
type Proxy struct {
	ID   string              `json:"id"`
	Name *string             `json:"name,omitempty"`
	Type messenger.RouteKind `json:"type"`
	Host string              `json:"host"`
	Port int                 `json:"port"`
	// Secret holds who signs in to it, and with what (proxySecret); UserHash, a keyed hash of
	// who, tells proxies of one address apart.
	Secret         store.Sealed `json:"secret,omitzero"`
	UserHash       string       `json:"user_hash,omitempty"`
	HasPassword    bool         `json:"has_password,omitempty"`
	HasSecret      bool         `json:"has_secret,omitempty"`
	Status         ProxyStatus  `json:"status"`
	DisabledReason *string      `json:"disabled_reason,omitempty"`
	LastError      *string      `json:"last_error,omitempty"`
	LatencyMS      *int         `json:"latency_ms,omitempty"`
	LastCheckedAt  *time.Time   `json:"last_checked_at,omitempty"`
	CreatedBy      string       `json:"created_by"`
	CreatedAt      time.Time    `json:"created_at"`
	UpdatedAt      time.Time    `json:"updated_at"`
}

// proxySecret is what is sealed of a proxy.
type proxySecret struct {
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
	Secret   string `json:"secret,omitempty"`
}

var (
	proxies     = store.NewTable("proxy", "prx", func(p *Proxy) string { return p.ID })
	proxySealed = proxies.Sealed("secret", func(p *Proxy) *store.Sealed { return &p.Secret })
	// byAddress finds the proxy that is added again.
	byAddress = proxies.Unique("address", func(p *Proxy) store.Key {
		return store.Tuple(store.Text(string(p.Type)), store.Text(p.Host), store.Int(int64(p.Port)), store.Text(p.UserHash))
	}).Version(2) // 1 had the user itself
	proxyFacet    = proxies.Facet("status", func(p *Proxy) []string { return []string{string(p.Status)} })
	proxiesAcross = proxies.MultiAcross("across", func(p *Proxy) []store.Key {
		return []store.Key{
			store.Tuple(store.Text(""), store.Time(p.CreatedAt)),
			store.Tuple(store.Text(string(p.Status)), store.Time(p.CreatedAt)),
		}
	})
	proxyTally = proxies.TallyAcross("status_across", func(p *Proxy) []string { return []string{string(p.Status)} })
)

// twinOf finds the proxy of an organization that is the same one: store.ErrNotFound for
// none.
func twinOf(tx *store.Tx, org string, x line.Proxy) (Proxy, error) {
	p := Proxy{Type: x.Type, Host: x.Host, Port: x.Port}
	hash, err := userHash(tx, x.Username)
	if err != nil {
		return p, err
	}
	return byAddress.Find(tx, org, store.Tuple(store.Text(string(x.Type)), store.Text(x.Host), store.Int(int64(x.Port)), store.Text(hash)))
}

// userHash is "" for nobody.
func userHash(tx *store.Tx, username string) (string, error) {
	if username == "" {
		return "", nil
	}
	return tx.Hash("proxy user", username)
}

// ProxyMigration seals the users of proxies (contract 21.3, Keys).
var ProxyMigration = store.Migration{Name: "2026-11 proxies: users are sealed", Step: proxies.RewriteRecords(
	func(tx *store.Tx, org string, p *Proxy, old json.RawMessage) (bool, error) {
		var before struct {
			Username string `json:"username"`
		}
		if err := json.Unmarshal(old, &before); err != nil || before.Username == "" {
			return false, err
		}
		x, err := p.get(tx.DB(), org)
		if err != nil {
			return false, err
		}
		x.Username = before.Username
		return true, p.set(tx, org, x)
	})}

// name is what people call the proxy.
func (p *Proxy) name() string {
	if p.Name != nil {
		return *p.Name
	}
	return net.JoinHostPort(p.Host, strconv.Itoa(p.Port))
}

func (p *Proxy) resource() audit.Resource { return audit.On("proxy", p.ID, p.name()) }

// set takes over where the proxy is and what it wants.
func (p *Proxy) set(tx *store.Tx, org string, x line.Proxy) error {
	p.Type, p.Host, p.Port = x.Type, x.Host, x.Port
	p.HasPassword, p.HasSecret = x.Password != "", x.Secret != ""
	hash, err := userHash(tx, x.Username)
	if err != nil {
		return err
	}
	p.UserHash = hash
	data, err := json.Marshal(proxySecret{x.Username, x.Password, x.Secret})
	if err != nil {
		return err
	}
	if x.Username == "" && !p.HasPassword && !p.HasSecret {
		data = nil
	}
	return proxySealed.Set(tx, org, p, data)
}

// get is the proxy with its user and secrets.
func (p *Proxy) get(db *store.DB, org string) (x line.Proxy, err error) {
	data, err := proxySealed.Open(db, org, p)
	var s proxySecret
	if err == nil && data != nil {
		err = json.Unmarshal(data, &s)
	}
	return line.Proxy{Type: p.Type, Host: p.Host, Port: p.Port, Username: s.Username, Password: s.Password, Secret: s.Secret}, err
}

// ProxyOf reads the proxy of an account; found is false when it has none.
func ProxyOf(tx *store.Tx, org string, a *Account) (p Proxy, found bool, err error) {
	if a.ProxyID == "" {
		return p, false, nil
	}
	p, err = proxies.Get(tx, org, a.ProxyID)
	return p, err == nil, store.IgnoreNotFound(err)
}

// route is the way through a proxy; direct for "". A proxy that is disabled or gone
// is RouteFailed: there is no other way instead of it.
func (s *Service) route(tx *store.Tx, org, id string) (via messenger.Route, err error) {
	if id == "" {
		return via, nil
	}
	p, err := proxies.Get(tx, org, id)
	switch {
	case store.IsNotFound(err):
		return via, &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_GONE"}
	case err != nil:
		return via, err
	case p.Status == ProxyDisabled:
		return via, &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_DISABLED"}
	}
	return s.routeOf(tx, org, &p)
}

func (s *Service) routeOf(tx *store.Tx, org string, p *Proxy) (messenger.Route, error) {
	x, err := p.get(tx.DB(), org)
	return messenger.Route{
		Kind: x.Type, Host: x.Host, Port: x.Port, Username: x.Username, Password: x.Password, Secret: x.Secret, AllowPrivate: s.o.AllowPrivateProxies,
	}, err
}

// proxyFree refuses a proxy that an account may not take. account is whose it may be
// already, "" for a new one.
func proxyFree(tx *store.Tx, org, id, account string) error {
	if id == "" {
		return nil
	}
	p, err := proxies.Get(tx, org, id)
	switch {
	case store.IsNotFound(err):
		return api.Wrong("proxy_id", "names no proxy of this organization")
	case err != nil:
		return err
	case p.Status == ProxyDisabled:
		return ErrProxyDisabled
	}
	user, err := byProxy.ID(tx, org, store.Text(id))
	if err == nil && user != account {
		return ErrProxyInUse
	}
	return store.IgnoreNotFound(err)
}

// applyProxy changes the status of a proxy, with everything that follows, and saves
// it. reason is what an administrator gave, or what a check found.
func (s *Service) applyProxy(tx *store.Tx, c *api.Call, org string, p *Proxy, on proxyEvent, reason string) error {
	to, ok := proxyTransitions.Next(p.Status, on)
	if !ok {
		return api.ErrState
	}
	from, now := p.Status, tx.DB().Now()
	p.Status, p.DisabledReason = to, nil
	if to == ProxyDisabled {
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
		err := audit.WriteTo(tx, org, c, "proxy."+proxyActions[on], p.resource(), audit.Changed("status", from, to), audit.Because(reason))
		if err != nil {
			return err
		}
	}
	bad := to == ProxyUnreachable || to == ProxyAuthFailed
	if bad && from != to {
		err := notify.Send(tx, org, notify.Notice{
			Kind: "PROXY_UNREACHABLE", Title: "A proxy cannot be used", Body: p.name() + ": " + reason,
			Resource: &notify.Resource{Type: "proxy", ID: p.ID}, Link: "/proxies/" + p.ID,
		})
		if err != nil {
			return err
		}
	}
	return s.proxyChanged(tx, c, org, p)
}

// fails says whether it is known that nothing gets through the proxy.
func (p *Proxy) fails() bool {
	return p.Status == ProxyUnreachable || p.Status == ProxyAuthFailed || p.Status == ProxyDisabled
}

var proxyActions = map[proxyEvent]string{
	proxyPassed: "reachable", proxyNotReached: "unreachable", proxyNotAdmitted: "auth_failed",
	proxyEdited: "edited", proxyTurnedOff: "disabled", proxyTurnedOn: "enabled",
}

// proxyChanged does what the state of a proxy means for the account that uses it.
func (s *Service) proxyChanged(tx *store.Tx, c *api.Call, org string, p *Proxy) error {
	a, err := byProxy.Find(tx, org, store.Text(p.ID))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	s.pool.touchAfter(tx, org, a.ID)
	if p.Status == ProxyActive {
		return checkBack(tx, org, &a)
	}
	return s.behind(tx, c, org, &a, p)
}

// behindProxy is behind for the proxy that an account has, if it has one.
func (s *Service) behindProxy(tx *store.Tx, c *api.Call, org string, a *Account) error {
	p, found, err := ProxyOf(tx, org, a)
	if err != nil || !found {
		return err
	}
	return s.behind(tx, c, org, a, &p)
}

// behind makes an ACTIVE account ERROR whose proxy fails (contract 20.6).
func (s *Service) behind(tx *store.Tx, c *api.Call, org string, a *Account, p *Proxy) error {
	if a.Status != Active || !p.fails() {
		return nil
	}
	reason := "The proxy of this account cannot be used."
	if p.Status == ProxyDisabled {
		reason = "The proxy of this account was disabled by an administrator."
	}
	return s.apply(tx, c, org, a, transition{event: RouteFailed, reason: reason, lastError: "PROXY_" + string(p.Status)})
}
