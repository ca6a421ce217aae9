package account

import (
	"context"
	"errors"
	"time"

	"svc/app/account/line"
	"svc/app/api"
	"svc/app/audit"
	"svc/messenger"
	"svc/store"
)

// ShownProxy is a proxy in the API (contract 7.3).
type ShownProxy struct {
	ID             string              `json:"id"`
	Name           *string             `json:"name"`
	Type           messenger.RouteKind `json:"type" enum:"SOCKS5,HTTP,MTPROTO"`
	Host           string              `json:"host" example:"proxy.example.com"`
	Port           int                 `json:"port" example:"1080"`
	Username       *string             `json:"username"`
	HasPassword    bool                `json:"has_password"`
	HasSecret      bool                `json:"has_secret"`
	Status         ProxyStatus         `json:"status" enum:"UNCHECKED,ACTIVE,UNREACHABLE,AUTH_FAILED,DISABLED"`
	DisabledReason *string             `json:"disabled_reason"`
	LastError      *string             `json:"last_error"`
	LatencyMS      *int                `json:"latency_ms"`
	LastCheckedAt  *time.Time          `json:"last_checked_at"`
	AccountID      *string             `json:"account_id" doc:"The account that uses it."`
	Account        *api.Named          `json:"account"`
	CreatedAt      time.Time           `json:"created_at"`
	UpdatedAt      time.Time           `json:"updated_at"`
}

func showProxy(tx *store.Tx, org string, p *Proxy) (ShownProxy, error) {
	x, err := p.get(tx.DB(), org)
	if err != nil {
		return ShownProxy{}, err
	}
	account, err := byProxy.ID(tx, org, store.Text(p.ID))
	return ShownProxy{
		ID: p.ID, Name: p.Name, Type: p.Type, Host: p.Host, Port: p.Port, Username: api.Optional(x.Username), HasPassword: p.HasPassword, HasSecret: p.HasSecret,
		Status: p.Status, DisabledReason: p.DisabledReason, LastError: p.LastError, LatencyMS: p.LatencyMS, LastCheckedAt: p.LastCheckedAt,
		AccountID: api.Optional(account), Account: api.Ref(org, account), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}, store.IgnoreNotFound(err)
}

type listProxiesIn struct {
	api.PageIn
	Status ProxyStatus `query:"status" enum:"UNCHECKED,ACTIVE,UNREACHABLE,AUTH_FAILED,DISABLED"`
}

func (s *Service) listProxies(c *api.Call, in listProxiesIn) (out api.Page[ShownProxy], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		q := store.Query[Proxy]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
		if in.Status != "" {
			q.Where = []store.Cond[Proxy]{proxyFacet.Any(string(in.Status))}
		}
		page, err := proxies.Page(tx, c.Org, q)
		if err != nil {
			return err
		}
		rows := make([]ShownProxy, len(page.Data))
		for i := range page.Data {
			if rows[i], err = showProxy(tx, c.Org, &page.Data[i]); err != nil {
				return err
			}
		}
		out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
		return nil
	})
	return out, err
}

func (s *Service) getProxy(c *api.Call, in idIn) (out ShownProxy, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		p, err := proxies.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		out, err = showProxy(tx, c.Org, &p)
		return err
	})
	return out, err
}

type createProxyIn struct {
	Body struct {
		Type     messenger.RouteKind `json:"type" required:"true" enum:"SOCKS5,HTTP,MTPROTO"`
		Host     string              `json:"host" required:"true" minLength:"1" maxLength:"253" example:"proxy.example.com"`
		Port     int                 `json:"port" required:"true" minimum:"1" maximum:"65535" example:"1080"`
		Username string              `json:"username" maxLength:"255"`
		Password string              `json:"password" maxLength:"255"`
		Secret   string              `json:"secret" maxLength:"600" doc:"Of an MTProto proxy, in hex or base64."`
		Name     *string             `json:"name" minLength:"1" maxLength:"120"`
	}
}

func (s *Service) createProxy(c *api.Call, in createProxyIn) (out ShownProxy, err error) {
	b := in.Body
	x, err := s.checkedAddress(line.Proxy{Type: b.Type, Host: b.Host, Port: b.Port, Username: b.Username, Password: b.Password, Secret: b.Secret})
	if err != nil {
		return out, err
	}
	var id string
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := s.addProxy(tx, c, x, b.Name)
		id = p.ID
		return err
	})
	if err != nil {
		return out, err
	}
	if out, err = s.CheckProxy(c, c.Org, id); err == nil {
		return out, nil
	}
	// Whoever asked went away: the proxy is there, and checked without him.
	later := s.db.Update(context.WithoutCancel(c), func(tx *store.Tx) error { return checkLater(tx, c.Org, id) })
	return out, errors.Join(err, later)
}

// checkedAddress is a proxy in its one form, or validation_failed with the field that
// is wrong.
func (s *Service) checkedAddress(p line.Proxy) (line.Proxy, error) {
	p, err := line.Check(p)
	switch {
	case err != nil:
		return p, api.Wrong(line.Field(err), "%s", err.Error())
	case s.refusesHost(p.Host):
		return p, api.Wrong("host", privateHost)
	}
	return p, nil
}

type updateProxyIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name     api.PatchNull[string] `json:"name" minLength:"1" maxLength:"120"`
		Host     api.Patch[string]     `json:"host" minLength:"1" maxLength:"253"`
		Port     api.Patch[int]        `json:"port" minimum:"1" maximum:"65535"`
		Username api.PatchNull[string] `json:"username" maxLength:"255"`
		Password api.PatchNull[string] `json:"password" maxLength:"255"`
		Secret   api.PatchNull[string] `json:"secret" maxLength:"600"`
	}
}

// address applies the changes that concern the way to a proxy.
func (in *updateProxyIn) address(x line.Proxy) line.Proxy {
	in.Body.Host.Apply(&x.Host)
	in.Body.Port.Apply(&x.Port)
	for _, f := range []struct {
		from api.PatchNull[string]
		to   *string
	}{{in.Body.Username, &x.Username}, {in.Body.Password, &x.Password}, {in.Body.Secret, &x.Secret}} {
		if f.from.Set {
			*f.to = ""
			if f.from.Value != nil {
				*f.to = *f.from.Value
			}
		}
	}
	return x
}

func (s *Service) updateProxy(c *api.Call, in updateProxyIn) (out ShownProxy, err error) {
	moved := false
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := proxies.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if p.Status == ProxyDisabled {
			return ErrProxyDisabled
		}
		if moved, err = s.changeRoute(tx, c, &p, &in); err != nil {
			return err
		}
		out, err = showProxy(tx, c.Org, &p)
		return err
	})
	if err != nil || !moved {
		return out, err
	}
	return s.CheckProxy(c, c.Org, in.ID)
}

// changeRoute changes a proxy, and says whether it has to be checked again.
func (s *Service) changeRoute(tx *store.Tx, c *api.Call, p *Proxy, in *updateProxyIn) (moved bool, err error) {
	before := *p
	old, err := p.get(s.db, c.Org)
	if err != nil {
		return false, err
	}
	next, err := s.checkedAddress(in.address(old))
	if err != nil {
		return false, err
	}
	renamed := in.Body.Name.Apply(&p.Name)
	if moved = next != old; !moved && !renamed {
		return false, nil
	}
	p.UpdatedAt = c.Now
	details := []audit.Detail{
		audit.Changed("name", before.Name, p.Name), audit.Changed("host", before.Host, next.Host),
		audit.Changed("port", before.Port, next.Port),
	}
	if next.Username != old.Username {
		details = append(details, audit.Hidden("username"))
	}
	if next.Password != old.Password {
		details = append(details, audit.Hidden("password"))
	}
	if next.Secret != old.Secret {
		details = append(details, audit.Hidden("secret"))
	}
	if err := audit.Write(tx, c, "proxy.updated", p.resource(), details...); err != nil {
		return false, err
	}
	if !moved {
		return false, proxies.Put(tx, c.Org, p)
	}
	if twin, err := twinOf(tx, c.Org, next); err == nil && twin.ID != p.ID {
		return false, errProxyTwin
	} else if err != nil && !store.IsNotFound(err) {
		return false, err
	}
	if err := p.set(tx, c.Org, next); err != nil {
		return false, err
	}
	p.LastError, p.LatencyMS = nil, nil
	return true, s.applyProxy(tx, c, c.Org, p, proxyEdited, "")
}

func (s *Service) deleteProxy(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := proxies.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		return removeProxy(tx, c, &p)
	})
	return out, err
}

func (s *Service) checkProxyNow(c *api.Call, in idIn) (ShownProxy, error) {
	return s.CheckProxy(c, c.Org, in.ID)
}

// ShownCheck is a check of a proxy in the API.
type ShownCheck struct {
	ID        string          `json:"id"`
	OK        bool            `json:"ok"`
	Stage     messenger.Stage `json:"stage" enum:"DIAL,AUTH,HANDSHAKE,DATA_CENTRE" doc:"How far it came."`
	LatencyMS *int            `json:"latency_ms"`
	Error     *string         `json:"error"`
	At        time.Time       `json:"at"`
}

type checksIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
}

func (s *Service) listChecks(c *api.Call, in checksIn) (out api.Page[ShownCheck], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if ok, err := proxies.Has(tx, c.Org, in.ID); err != nil || !ok {
			return found(ok, err)
		}
		page, err := proxyChecks.Page(tx, c.Org, store.Query[proxyCheck]{
			Where: []store.Cond[proxyCheck]{checkFacet.Any(in.ID)}, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
		})
		rows := make([]ShownCheck, len(page.Data))
		for i, k := range page.Data {
			rows[i] = ShownCheck{k.ID, k.OK, k.Stage, k.LatencyMS, k.Error, k.At}
		}
		out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
		return err
	})
	return out, err
}
