package proxy

import (
	"context"
	"errors"
	"time"

	"svc/app/account/line"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/messenger"
	"svc/store"
)

// checkWait bounds a request that checks a proxy.
const checkWait = 60 * time.Second

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	wait := api.Timeout(checkWait)
	return []api.Endpoint{
		api.E("GET /proxies", "proxies.list", perm.ProxiesRead, "List proxies, newest first.", api.Read(s.db, s.list)),
		api.E("POST /proxies", "proxies.create", perm.ProxiesManage, "Add a proxy; it is checked at once, and saved even when it is unreachable.", s.create,
			api.Status(201), wait, api.Errors(api.ErrConflict, ErrDisabled)),
		api.E("POST /proxies/import", "proxies.import", perm.ProxiesManage, "Add proxies from text, one a line.", s.importLines, api.Errors(api.ErrConflict)),
		api.E("POST /proxies/bulk", "proxies.bulk", perm.ProxiesManage, "Check or delete several proxies.", s.bulk),
		api.E("GET /proxies/{id}", "proxies.get", perm.ProxiesRead, "Read a proxy.", api.Read(s.db, s.get)),
		api.E("PATCH /proxies/{id}", "proxies.update", perm.ProxiesManage, "Change a proxy; a new address or credentials are checked at once.", s.update,
			wait, api.Errors(api.ErrConflict, ErrDisabled)),
		api.E("DELETE /proxies/{id}", "proxies.delete", perm.ProxiesManage, "Delete a proxy that no account uses.", s.remove, api.Errors(ErrInUse, ErrDisabled)),
		api.E("POST /proxies/{id}/check", "proxies.check", perm.ProxiesManage, "Check a proxy now.", s.checkNow, wait, api.Errors(ErrDisabled)),
		api.E("GET /proxies/{id}/checks", "proxies.checks", perm.ProxiesRead, "List the last 100 checks of a proxy, newest first.", api.Read(s.db, s.listChecks)),
	}
}

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
	Status         Status              `json:"status" enum:"UNCHECKED,ACTIVE,UNREACHABLE,AUTH_FAILED,DISABLED"`
	DisabledReason *string             `json:"disabled_reason"`
	LastError      *string             `json:"last_error"`
	LatencyMS      *int                `json:"latency_ms"`
	LastCheckedAt  *time.Time          `json:"last_checked_at"`
	AccountID      *string             `json:"account_id" doc:"The account that uses it."`
	Account        *api.Named          `json:"account"`
	CreatedAt      time.Time           `json:"created_at"`
	UpdatedAt      time.Time           `json:"updated_at"`
}

// Read reads a proxy as the API shows it: store.ErrNotFound when the organization has none
// of that id.
func (s *Service) Read(tx *store.Tx, org, id string) (ShownProxy, error) {
	p, err := proxies.Get(tx, org, id)
	if err != nil {
		return ShownProxy{}, err
	}
	return s.show(tx, org, &p)
}

func (s *Service) show(tx *store.Tx, org string, p *Proxy) (ShownProxy, error) {
	x, err := p.get(tx.DB(), org)
	if err != nil {
		return ShownProxy{}, err
	}
	account, err := s.userOf(tx, org, p.ID)
	return ShownProxy{
		ID: p.ID, Name: p.Name, Type: p.Type, Host: p.Host, Port: p.Port, Username: api.Optional(x.Username), HasPassword: p.HasPassword, HasSecret: p.HasSecret,
		Status: p.Status, DisabledReason: p.DisabledReason, LastError: p.LastError, LatencyMS: p.LatencyMS, LastCheckedAt: p.LastCheckedAt,
		AccountID: api.Optional(account), Account: api.Ref(org, account), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}, err
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

type listIn struct {
	api.PageIn
	Status Status `query:"status" enum:"UNCHECKED,ACTIVE,UNREACHABLE,AUTH_FAILED,DISABLED"`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[ShownProxy], err error) {
	q := store.Query[Proxy]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Status != "" {
		q.Where = []store.Cond[Proxy]{statusFacet.Any(string(in.Status))}
	}
	page, err := proxies.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *Proxy) (ShownProxy, error) { return s.show(tx, c.Org, x) })
}

func (s *Service) get(c *api.Call, tx *store.Tx, in idIn) (out ShownProxy, err error) {
	return s.Read(tx, c.Org, in.ID)
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

func (s *Service) create(c *api.Call, in createProxyIn) (out ShownProxy, err error) {
	b := in.Body
	x, err := s.checkedAddress(line.Proxy{Type: b.Type, Host: b.Host, Port: b.Port, Username: b.Username, Password: b.Password, Secret: b.Secret})
	if err != nil {
		return out, err
	}
	var id string
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := s.add(tx, c, x, b.Name)
		id = p.ID
		return err
	})
	if err != nil {
		return out, err
	}
	if out, err = s.Check(c, c.Org, id); err == nil {
		return out, nil
	}
	// Whoever asked went away: the proxy is there, and checked without them.
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

func (s *Service) update(c *api.Call, in updateProxyIn) (out ShownProxy, err error) {
	moved := false
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := proxies.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if p.Status == Disabled {
			return ErrDisabled
		}
		if moved, err = s.changeRoute(tx, c, &p, &in); err != nil {
			return err
		}
		out, err = s.show(tx, c.Org, &p)
		return err
	})
	if err != nil || !moved {
		return out, err
	}
	return s.Check(c, c.Org, in.ID)
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
	if duplicate, err := findDuplicate(tx, c.Org, next); err == nil && duplicate.ID != p.ID {
		return false, errDuplicate
	} else if err != nil && !store.IsNotFound(err) {
		return false, err
	}
	if err := p.set(tx, c.Org, next); err != nil {
		return false, err
	}
	p.LastError, p.LatencyMS = nil, nil
	return true, s.apply(tx, c, c.Org, p, edited, "")
}

func (s *Service) remove(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := proxies.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		return s.delete(tx, c, &p)
	})
	return out, err
}

func (s *Service) checkNow(c *api.Call, in idIn) (ShownProxy, error) {
	return s.Check(c, c.Org, in.ID)
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

func (s *Service) listChecks(c *api.Call, tx *store.Tx, in checksIn) (out api.Page[ShownCheck], err error) {
	if ok, err := proxies.Has(tx, c.Org, in.ID); err != nil || !ok {
		return out, notFound(ok, err)
	}
	page, err := checks.Page(tx, c.Org, store.Query[check]{
		Where: []store.Cond[check]{checkFacet.Any(in.ID)}, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
	})
	rows := make([]ShownCheck, len(page.Data))
	for i, k := range page.Data {
		rows[i] = ShownCheck{k.ID, k.OK, k.Stage, k.LatencyMS, k.Error, k.At}
	}
	out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
	return out, err
}

// notFound is store.ErrNotFound for what is not there.
func notFound(there bool, err error) error {
	if err == nil && !there {
		return store.ErrNotFound
	}
	return err
}
