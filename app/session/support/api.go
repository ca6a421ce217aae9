package support

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
	"svc/store/recordid"
)

// ShownSupport is a support session in the API (contract 17).
type ShownSupport struct {
	ID            string       `json:"id"`
	Organization  SupportOrg   `json:"organization"`
	Admin         SupportAdmin `json:"admin"`
	Reason        string       `json:"reason"`
	Status        Status       `json:"status" enum:"PENDING,ACTIVE,ENDED,EXPIRED"`
	StartedAt     *time.Time   `json:"started_at"`
	ExpiresAt     time.Time    `json:"expires_at"`
	EndedAt       *time.Time   `json:"ended_at"`
	AccessesCount int          `json:"accesses_count"`
}

// SupportOrg is the organization that is looked at.
type SupportOrg struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// SupportAdmin is who looks.
type SupportAdmin struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ShownAccess is one request of a support session in the API.
type ShownAccess struct {
	At       time.Time       `json:"at"`
	Method   string          `json:"method"`
	Path     string          `json:"path"`
	Resource *audit.Resource `json:"resource"`
	IP       string          `json:"ip"`
}

// Show is the support session as the API shows it at a time.
func (s *Session) Show(now time.Time, orgName string) ShownSupport {
	return ShownSupport{
		ID: s.ID, Organization: SupportOrg{s.Org, orgName}, Admin: SupportAdmin{s.AdminID, s.AdminName}, Reason: s.Reason,
		Status: s.status(now), StartedAt: s.StartedAt, ExpiresAt: s.ExpiresAt, EndedAt: s.EndedAt, AccessesCount: s.Accesses,
	}
}

func (s *Service) listSupport(c *api.Call, tx *store.Tx, in api.PageIn) (out api.Page[ShownSupport], err error) {
	o, err := org.Get(tx, c.Org)
	if err != nil {
		return out, err
	}
	page, err := supports.Page(tx, c.Org, store.Query[Session]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	rows := make([]ShownSupport, len(page.Data))
	for i := range page.Data {
		rows[i] = page.Data[i].Show(c.Now, o.Name)
	}
	out = api.NewPage(rows, page.Total, in, page.Next)
	return out, err
}

type accessesIn struct {
	api.PageIn
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) listAccesses(c *api.Call, tx *store.Tx, in accessesIn) (out api.Page[ShownAccess], err error) {
	return Accesses(tx, c.Org, in.ID, in.PageIn)
}

// Accesses lists the requests of a support session, newest first.
func Accesses(tx *store.Tx, orgID, id string, in api.PageIn) (out api.Page[ShownAccess], err error) {
	if _, err := supports.Get(tx, orgID, id); err != nil {
		return out, err
	}
	page, err := accesses.Page(tx, orgID, store.Query[Access]{
		Where: []store.Cond[Access]{ofSupport.Any(id)}, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
	})
	rows := make([]ShownAccess, len(page.Data))
	for i := range page.Data {
		a := &page.Data[i]
		rows[i] = ShownAccess{a.At, a.Method, a.Path, a.Resource, a.IP}
	}
	return api.NewPage(rows, page.Total, in, page.Next), err
}

// resourceIn is what a path is about: the last id in it, and the word before.
func resourceIn(path string) *audit.Resource {
	var found *audit.Resource
	before := ""
	for part := range strings.SplitSeq(path, "/") {
		if prefix, _, ok := strings.Cut(part, "_"); ok && len(prefix) == 3 && recordid.Valid(prefix, part) {
			found = &audit.Resource{Type: strings.TrimSuffix(before, "s"), ID: part}
		} else {
			before = part
		}
	}
	return found
}
