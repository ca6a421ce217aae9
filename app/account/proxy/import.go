package proxy

import (
	"errors"
	"slices"
	"strings"

	"svc/app/account/line"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/notify"
	"svc/messenger"
	"svc/store"
)

const (
	// maxLines of an import (contract 7.3).
	maxLines = 1000
	// maxProxies bounds what one organization keeps.
	maxProxies = 5000
	// savedAtATime bounds one transaction.
	savedAtATime = 100
	// deletedAtATime is the same for proxies with their checks.
	deletedAtATime = 8
)

type importIn struct {
	Body struct {
		Text        string              `json:"text" required:"true" minLength:"1" maxLength:"1000000" doc:"One proxy a line: host:port, host:port:user:password, scheme://user:password@host:port, tg://proxy?… or https://t.me/proxy?…; empty lines and lines that begin with # are left out." example:"proxy.example.com:1080:user:password"`
		TypeDefault messenger.RouteKind `json:"type_default" enum:"SOCKS5,HTTP,MTPROTO" doc:"Of lines that name no type; SOCKS5 when it is absent."`
	}
}

// ImportIssue says what is wrong with one line of an import.
type ImportIssue struct {
	Row     int    `json:"row" doc:"The number of the line, from 1."`
	Message string `json:"message"`
}

// ProxyImport says what an import did.
type ProxyImport struct {
	Created    int           `json:"created"`
	Duplicates int           `json:"duplicates" doc:"There before, or twice in the text."`
	Invalid    int           `json:"invalid"`
	Issues     []ImportIssue `json:"issues"`
}

// row is one line of an import.
type row struct {
	number int
	proxy  line.Proxy
}

// importLines saves proxies in parts and has each checked soon.
func (s *Service) importLines(c *api.Call, in importIn) (out ProxyImport, err error) {
	rows, issues, err := s.readLines(in.Body.Text, in.Body.TypeDefault)
	if err != nil {
		return out, err
	}
	out = ProxyImport{Invalid: len(issues), Issues: issues}
	for some := range slices.Chunk(rows, savedAtATime) {
		var saved ProxyImport
		err := s.db.Update(c, func(tx *store.Tx) error {
			saved, err = s.addRows(tx, c, some)
			return err
		})
		if err != nil {
			return out, err
		}
		out.Created, out.Duplicates, out.Issues = out.Created+saved.Created, out.Duplicates+saved.Duplicates, append(out.Issues, saved.Issues...)
	}
	return out, nil
}

// addRows saves lines of an import and has each proxy checked soon. Its Issues are lines that
// an administrator refused before.
func (s *Service) addRows(tx *store.Tx, c *api.Call, rows []row) (out ProxyImport, err error) {
	for _, r := range rows {
		p, err := s.add(tx, c, r.proxy, nil)
		if err == nil {
			err = checkLater(tx, c.Org, p.ID)
		}
		switch {
		case err == nil:
			out.Created++
		case errors.Is(err, ErrDisabled):
			out.Duplicates++
			out.Issues = append(out.Issues, ImportIssue{r.number, "an administrator disabled this proxy; it cannot be added again"})
		case errors.Is(err, errDuplicate) && p.ID != "": // too many is a conflict too
			out.Duplicates++
		default:
			return out, err
		}
	}
	return out, nil
}

// readLines reads the lines of an import.
func (s *Service) readLines(text string, fallback messenger.RouteKind) (rows []row, issues []ImportIssue, err error) {
	issues = []ImportIssue{}
	lines, number := 0, 0
	for l := range strings.Lines(text) {
		number++
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		if lines++; lines > maxLines {
			return nil, nil, api.Wrong("text", "has more than 1,000 lines; cut it into several")
		}
		p, err := line.Parse(l, fallback)
		switch {
		case err != nil:
			issues = append(issues, ImportIssue{number, err.Error()})
		case s.refusesHost(p.Host):
			issues = append(issues, ImportIssue{number, "the host " + privateHost})
		default:
			rows = append(rows, row{number, p})
		}
	}
	return rows, issues, nil
}

// privateHost is what is wrong with a host of the service's own network.
const privateHost = "must be public; this one is private, reserved or the machine itself"

// refusesHost says whether a host lies in the service's own network, and may not.
func (s *Service) refusesHost(host string) bool {
	return !s.o.AllowPrivate && line.Private(host)
}

// add saves a proxy that is new; the caller has it checked. One that is there
// already is errDuplicate, or ErrDisabled, and is answered with that.
func (s *Service) add(tx *store.Tx, c *api.Call, x line.Proxy, name *string) (Proxy, error) {
	duplicate, err := findDuplicate(tx, c.Org, x)
	switch {
	case err == nil && duplicate.Status == Disabled:
		return duplicate, ErrDisabled
	case err == nil:
		return duplicate, errDuplicate
	case !store.IsNotFound(err):
		return duplicate, err
	}
	n, err := proxies.Count(tx, c.Org)
	if err != nil {
		return duplicate, err
	}
	if n >= maxProxies {
		return Proxy{}, errTooMany
	}
	now := tx.DB().Now()
	p := Proxy{ID: tx.DB().NewID("prx"), Name: name, Status: Unchecked, CreatedBy: c.Caller.ID, CreatedAt: now, UpdatedAt: now}
	if err := p.set(tx, c.Org, x); err != nil {
		return p, err
	}
	if err := proxies.Insert(tx, c.Org, &p); err != nil {
		return p, err
	}
	return p, audit.Write(tx, c, "proxy.created", p.resource(), audit.Changed("type", nil, p.Type))
}

type bulkIn struct {
	Body struct {
		Action   string   `json:"action" required:"true" enum:"check,delete"`
		ProxyIDs []string `json:"proxy_ids" required:"true" minItems:"1" maxItems:"500"`
	}
}

// SkippedProxy is a proxy that a bulk operation left alone.
type SkippedProxy struct {
	ProxyID string `json:"proxy_id"`
	Reason  string `json:"reason" example:"proxy_in_use"`
}

// ProxiesDone is what a bulk operation did. Checks run after the answer.
type ProxiesDone struct {
	Action    string         `json:"action"`
	Requested int            `json:"requested"`
	Changed   int            `json:"changed" doc:"Deleted, or to be checked."`
	Skipped   []SkippedProxy `json:"skipped"`
}

func (s *Service) bulk(c *api.Call, in bulkIn) (out ProxiesDone, err error) {
	out = ProxiesDone{Action: in.Body.Action, Requested: len(in.Body.ProxyIDs), Skipped: []SkippedProxy{}}
	chunk := savedAtATime
	if in.Body.Action == "delete" {
		chunk = deletedAtATime
	}
	for some := range slices.Chunk(in.Body.ProxyIDs, chunk) {
		var changed int
		var skipped []SkippedProxy
		err := s.db.Update(c, func(tx *store.Tx) error {
			changed, skipped, err = s.bulkSome(tx, c, in.Body.Action, some)
			return err
		})
		if err != nil {
			return out, err
		}
		out.Changed, out.Skipped = out.Changed+changed, append(out.Skipped, skipped...)
	}
	return out, nil
}

// bulkSome does to proxies what was asked for, and tells which were left out and why.
func (s *Service) bulkSome(tx *store.Tx, c *api.Call, action string, ids []string) (changed int, skipped []SkippedProxy, err error) {
	for _, id := range ids {
		err := s.bulkOne(tx, c, action, id)
		e := (*api.Error)(nil)
		switch {
		case err == nil:
			changed++
		case store.IsNotFound(err):
			skipped = append(skipped, SkippedProxy{id, "not_found"})
		case errors.As(err, &e):
			skipped = append(skipped, SkippedProxy{id, e.Code})
		default:
			return changed, skipped, err
		}
	}
	return changed, skipped, nil
}

func (s *Service) bulkOne(tx *store.Tx, c *api.Call, action, id string) error {
	p, err := proxies.Get(tx, c.Org, id)
	switch {
	case err != nil:
		return err
	case p.Status == Disabled:
		return ErrDisabled
	case action == "delete":
		return s.delete(tx, c, &p)
	}
	return checkLater(tx, c.Org, id)
}

// delete deletes a proxy that no account uses, with its checks.
func (s *Service) delete(tx *store.Tx, c *api.Call, p *Proxy) error {
	if p.Status == Disabled {
		return ErrDisabled
	}
	user, err := s.userOf(tx, c.Org, p.ID)
	if err != nil {
		return err
	}
	if user != "" {
		return ErrInUse.WithMessage("An account uses this proxy; give the account another one first.")
	}
	list, _, err := checksOf.IDs(tx, c.Org, store.Range{Span: store.Is(store.Tuple(store.Text(p.ID))), Limit: checksKept})
	if err != nil {
		return err
	}
	for _, id := range list {
		if err := checks.Delete(tx, c.Org, id); err != nil {
			return err
		}
	}
	if err := proxies.Delete(tx, c.Org, p.ID); err != nil {
		return err
	}
	if err := notify.Settle(tx, c.Org, p.ID); err != nil {
		return err
	}
	return audit.Write(tx, c, "proxy.deleted", p.resource())
}
