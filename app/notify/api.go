package notify

import (
	"errors"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Service shows people their notifications.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /notifications", "notifications.list", perm.Anyone, "List what you should know, newest first.", api.Read(s.db, s.list), api.Errors(api.ErrNoOrganization)),
		api.E("POST /notifications/read", "notifications.read", perm.Anyone, "Mark notifications as read by you.", s.read, api.Errors(api.ErrNoOrganization)),
	}
}

type listIn struct {
	api.PageIn
	Unread bool `query:"unread" doc:"Only those that you have not read."`
}

// Shown is a notification as one person sees it.
type Shown struct {
	ID        string         `json:"id"`
	Kind      Kind           `json:"kind"`
	Severity  Severity       `json:"severity"`
	Title     string         `json:"title"`
	Body      string         `json:"body"`
	Resource  *ShownResource `json:"resource"`
	Link      *string        `json:"link"`
	Count     int            `json:"count" doc:"How often the cause repeated within an hour."`
	ReadAt    *time.Time     `json:"read_at"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

type listOut struct {
	api.Page[Shown]
	UnreadCount int `json:"unread_count"`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out listOut, err error) {
	if c.Org == "" {
		return out, api.ErrNoOrganization
	}
	where := []store.Cond[Notification]{visible(c)}
	if in.Unread {
		where = append(where, readers.Any(c.Caller.ID).Not())
	}
	page, err := table.Page(tx, c.Org, store.Query[Notification]{Where: where, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	if err != nil {
		return out, err
	}
	rows := make([]Shown, len(page.Data))
	for i := range page.Data {
		rows[i] = page.Data[i].shown(c.Org, c.Caller.ID)
	}
	out.Page = api.NewPage(rows, page.Total, in.PageIn, page.Next)
	out.UnreadCount, err = unread(tx, c)
	return out, err
}

// visible holds for what the caller may see: his own, and those of his permissions.
func visible(c *api.Call) store.Cond[Notification] {
	values := []string{forPerson + c.Caller.ID}
	for p := range c.Caller.Perms.All() {
		values = append(values, audienceAll+p.String())
	}
	return audience.Any(values...)
}

func unread(tx *store.Tx, c *api.Call) (int, error) {
	page, err := table.Page(tx, c.Org, store.Query[Notification]{
		Where: []store.Cond[Notification]{visible(c), readers.Any(c.Caller.ID).Not()}, Limit: 1,
	})
	return page.Total, err
}

func (n *Notification) shown(org, reader string) Shown {
	s := Shown{
		ID: n.ID, Kind: n.Kind, Severity: n.Severity, Title: n.Title, Body: n.Body, Resource: n.Resource.shown(org),
		Count: n.Count, CreatedAt: n.CreatedAt, UpdatedAt: n.UpdatedAt,
	}
	if n.Link != "" {
		s.Link = &n.Link
	}
	if at, ok := n.ReadBy[reader]; ok {
		s.ReadAt = &at
	}
	return s
}

type readIn struct {
	Body struct {
		IDs []string `json:"ids" maxItems:"500"`
		All bool     `json:"all" doc:"Everything that you can see."`
	}
}

type readOut struct {
	Updated     int `json:"updated"`
	UnreadCount int `json:"unread_count"`
}

// readChunk bounds the keys of one transaction.
const readChunk = 200

func (s *Service) read(c *api.Call, in readIn) (out readOut, err error) {
	switch {
	case c.Org == "":
		return out, api.ErrNoOrganization
	case in.Body.All == (len(in.Body.IDs) > 0):
		return out, api.Wrong("ids", "name the notifications, or say all: true")
	}
	for done := false; !done && err == nil; {
		var changed int
		err = s.db.Update(c, func(tx *store.Tx) (err error) {
			changed, err = mark(tx, c, in)
			if err == nil {
				out.UnreadCount, err = unread(tx, c)
			}
			return err
		})
		out.Updated += changed
		done = changed < readChunk || !in.Body.All
	}
	return out, err
}

// mark marks the named ones, or some of all, as read by the caller.
func mark(tx *store.Tx, c *api.Call, in readIn) (changed int, err error) {
	list, err := toMark(tx, c, in)
	for i := range list {
		n := &list[i]
		if _, did := n.ReadBy[c.Caller.ID]; did {
			continue
		}
		if n.ReadBy == nil {
			n.ReadBy = map[string]time.Time{}
		}
		n.ReadBy[c.Caller.ID] = c.Now
		if err := table.Put(tx, c.Org, n); err != nil {
			return 0, err
		}
		changed++
	}
	return changed, err
}

func toMark(tx *store.Tx, c *api.Call, in readIn) (out []Notification, err error) {
	if in.Body.All {
		page, err := table.Page(tx, c.Org, store.Query[Notification]{
			Where: []store.Cond[Notification]{visible(c), readers.Any(c.Caller.ID).Not()}, Limit: readChunk,
		})
		return page.Data, err
	}
	ids := slices.Compact(slices.Sorted(slices.Values(in.Body.IDs)))
	found, err := table.GetMany(tx, c.Org, ids)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	for _, n := range found {
		if n != nil && n.seen(c) {
			out = append(out, *n)
		}
	}
	return out, err
}

func (n *Notification) seen(c *api.Call) bool {
	if n.User != "" {
		return n.User == c.Caller.ID
	}
	return c.Caller.Perms.Has(kinds[n.Kind].perm)
}

// Attention is something that waits for somebody, as a dashboard lists it.
type Attention struct {
	Kind     Kind           `json:"kind"`
	Severity Severity       `json:"severity"`
	Title    string         `json:"title"`
	Resource *ShownResource `json:"resource"`
	Link     *string        `json:"link"`
}

// Pressing are warnings that the caller has not read and that are not over, critical ones
// first, then the newest.
func Pressing(tx *store.Tx, c *api.Call, most int) ([]Attention, error) {
	out := []Attention{}
	for _, s := range []Severity{Critical, Warning} {
		page, err := table.Page(tx, c.Org, store.Query[Notification]{
			Where:   []store.Cond[Notification]{visible(c), pressing.Any(string(s)), readers.Any(c.Caller.ID).Not()},
			Reverse: true, Limit: most,
		})
		if err != nil {
			return nil, err
		}
		for i := range page.Data[:min(len(page.Data), most-len(out))] {
			n := page.Data[i].shown(c.Org, c.Caller.ID)
			out = append(out, Attention{n.Kind, n.Severity, n.Title, n.Resource, n.Link})
		}
	}
	return out, nil
}

// ShownResource is what a notification is about, with its name.
type ShownResource struct {
	Type string `json:"type"`
	api.Named
}

func (r *Resource) shown(org string) *ShownResource {
	if r == nil || r.ID == "" {
		return nil
	}
	return &ShownResource{r.Type, *api.Ref(org, r.ID)}
}
