package event

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
	"svc/store/recordid"
)

// Service lists events. The stream is in stream.go.
type Service struct {
	db      *store.DB
	streams streams
	feeds   feeds
	names   Names
}

// Names reads the display names of records of an organization by id, those that the
// caller may read. Ids that it does not know have none.
type Names func(c *api.Call, tx *store.Tx, ids []string) (map[string]string, error)

// New makes the service.
func New(db *store.DB) *Service { return &Service{db: db} }

// WithNames lets the list name the records that events are about. Call it before the
// first request.
func (s *Service) WithNames(names Names) *Service {
	s.names = names
	return s
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /events", "events.list", perm.WebhooksRead, "List events, newest first; behind an event, oldest first.", api.Read(s.db, s.list)),
		api.E("GET /events/{id}", "events.get", perm.WebhooksRead, "Get an event that the caller may see.", api.Read(s.db, s.get)),
		api.E("GET /events/stream", "events.stream", perm.Anyone, "Follow events as they happen (server-sent events).", s.stream,
			api.Timeout(0), api.Errors(ErrTooManyStreams, api.ErrNoOrganization)),
	}
}

type listIn struct {
	api.PageIn
	Type       []string  `query:"type,explode" maxItems:"50" doc:"Types; a * at the end stands for any ending." example:"campaign.*"`
	From       time.Time `query:"from" doc:"Inclusive."`
	To         time.Time `query:"to" doc:"Exclusive."`
	ResourceID string    `query:"resource_id" maxLength:"64" doc:"An id in the data of the event."`
	After      string    `query:"after" maxLength:"64" doc:"An event id: what came behind it, oldest first, for catching up." example:"evt_01kqfxa2d0t9v2n8m5c7b3k1hj"`
}

// Listed is an event in the list.
type Listed struct {
	Event
	Deliveries Deliveries  `json:"deliveries"`
	Names      []api.Named `json:"names" nullable:"false" doc:"The records whose ids are in data, with their display names: those that are still there and that the caller may read."`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[Listed], err error) {
	kinds, err := in.kinds(c)
	if err != nil {
		return out, err
	}
	if in.After != "" && !recordid.Valid("evt", in.After) {
		return out, api.Wrong("after", "is not the id of an event")
	}
	q := store.Query[Stored]{Where: in.where(c, kinds), Reverse: in.After == "", Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.After != "" {
		q.Where = append(q.Where, byID.Where(behind(in.After)))
	}
	page, err := events.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	rows, err := s.rows(c, tx, page.Data)
	return api.NewPage(rows, page.Total, in.PageIn, page.Next), err
}

// kinds are the types that were asked for, or all, of those that the caller may see.
func (in *listIn) kinds(c *api.Call) ([]Type, error) {
	if len(in.Type) == 0 {
		return Visible(c.Caller.Perms), nil
	}
	asked, ok := Match(in.Type)
	if !ok {
		return nil, api.Wrong("type", "is no type of event, nor the beginning of one with a * behind it")
	}
	return slices.DeleteFunc(asked, func(t Type) bool { return !c.Caller.Perms.Has(t.Perm()) }), nil
}

type getIn struct {
	ID string `path:"id" maxLength:"64"`
}

// get answers the row of the list. An event that the caller may not see is not there
// for them (contract 2.1).
func (s *Service) get(c *api.Call, tx *store.Tx, in getIn) (out Listed, err error) {
	e, err := events.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	if !e.Sees(c.Caller.Perms) {
		return out, api.ErrNotFound
	}
	rows, err := s.rows(c, tx, []Stored{e})
	if err != nil {
		return out, err
	}
	return rows[0], nil
}

func (in listIn) where(c *api.Call, kinds []Type) []store.Cond[Stored] {
	names := make([]string, len(kinds))
	for i, t := range kinds {
		names[i] = string(t)
	}
	where := []store.Cond[Stored]{typeFacet.Any(names...)}
	if !c.Caller.Perms.Has(perm.AccountsManage) {
		where = append(where, personal.Any("yes").Not())
	}
	if in.ResourceID != "" {
		where = append(where, byAbout.Where(store.Is(store.Text(in.ResourceID))))
	}
	if !in.From.IsZero() || !in.To.IsZero() {
		where = append(where, byTime.Where(store.During(in.From, in.To)))
	}
	return where
}

// rows are events with the counts of their deliveries and the names of what they are
// about: two reads and those of the names, for all of them.
func (s *Service) rows(c *api.Call, tx *store.Tx, list []Stored) ([]Listed, error) {
	ids, about := make([]string, len(list)), []string{}
	for i := range list {
		ids[i] = list[i].ID
		about = append(about, list[i].About...)
	}
	found, err := counts.GetMany(tx, c.Org, ids)
	if err != nil {
		return nil, err
	}
	var names map[string]string
	if s.names != nil {
		if names, err = s.names(c, tx, about); err != nil {
			return nil, err
		}
	}
	out := make([]Listed, len(list))
	for i := range list {
		out[i].Event, out[i].Names = list[i].Event, []api.Named{}
		if found[i] != nil {
			out[i].Deliveries = found[i].Deliveries
		}
		for _, id := range list[i].About {
			if name := names[id]; name != "" {
				out[i].Names = append(out[i].Names, api.Named{ID: id, Name: &name})
			}
		}
	}
	return out, nil
}
