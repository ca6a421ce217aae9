package audit

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Service answers questions about the log.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /audit-logs", "audit.list", perm.AuditRead, "List who changed what, newest first.", s.list),
		api.E("GET /audit-logs/verify", "audit.verify", perm.AuditRead, "Prove that no entry of the log was changed, lost or added.", s.verify, api.Timeout(verifyTime)),
	}
}

// verifyTime bounds a proof of a chain: about 100,000 entries are followed in a second.
const verifyTime = 5 * time.Minute

// Proof is what following a whole chain found. Entries are linked with a key of the
// installation (contract 21.3), so only the service can follow them.
type Proof struct {
	Whole    bool    `json:"whole" doc:"Every entry is as it was written."`
	Entries  int64   `json:"entries" doc:"How many entries are as they were written, from the first on."`
	BrokenAt *int64  `json:"broken_at" doc:"The place (seq) of the first entry that is missing or not as it was written; 0 for the record of the end of the chain."`
	EntryID  *string `json:"entry_id" doc:"The entry at that place, when it can be read."`
}

func (s *Service) verify(c *api.Call, _ struct{}) (Proof, error) {
	n, err := Verify(c, s.db, c.Org)
	if broken, ok := errors.AsType[*BrokenError](err); ok {
		out := Proof{Entries: n, BrokenAt: &broken.Seq}
		if broken.Entry != "" {
			out.EntryID = &broken.Entry
		}
		return out, nil
	}
	return Proof{Whole: true, Entries: n}, err
}

// ListIn are the parameters of a list of entries.
type ListIn struct {
	api.PageIn
	ActorID      string    `query:"actor_id" maxLength:"64"`
	ActorType    ActorType `query:"actor_type" enum:"USER,API_KEY,PLATFORM_ADMIN,SYSTEM,CUSTOMER"`
	Action       string    `query:"action" maxLength:"64" doc:"An action; a * at its end stands for any ending." example:"campaign.*"`
	ResourceType string    `query:"resource_type" maxLength:"64"`
	ResourceID   string    `query:"resource_id" maxLength:"64"`
	From         time.Time `query:"from" doc:"Inclusive."`
	To           time.Time `query:"to" doc:"Exclusive."`
	Sort         string    `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
	Format       string    `query:"format" enum:"json,csv" default:"json"`
}

// Filter says which entries are meant; a zero field does not filter.
type Filter struct {
	ActorID, Action, ResourceType, ResourceID string
	ActorType                                 ActorType
	From, To                                  time.Time
}

func (in *ListIn) filter() Filter {
	return Filter{in.ActorID, in.Action, in.ResourceType, in.ResourceID, in.ActorType, in.From, in.To}
}

func (s *Service) list(c *api.Call, in ListIn) (api.Either[api.Page[Entry]], error) {
	return s.List(c, c.Org, in)
}

// List lists the entries of an organization, or of the platform, as JSON or CSV.
func (s *Service) List(c *api.Call, org string, in ListIn) (api.Either[api.Page[Entry]], error) {
	if in.Format == "csv" {
		return api.Streamed[api.Page[Entry]](api.CSV("audit-log.csv", csvHeader, s.export(c, org, in))), nil
	}
	page, err := s.Page(c, org, in.filter(), in.PageIn, strings.HasPrefix(in.Sort, "-"))
	return api.Whole(page), err
}

// Page lists entries of an organization, or of the platform.
func (s *Service) Page(c *api.Call, org string, f Filter, in api.PageIn, newestFirst bool) (out api.Page[Entry], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		where, err := f.conditions(tx, org)
		if err != nil {
			return err
		}
		page, err := entries.Page(tx, org, store.Query[Entry]{Where: where, Reverse: newestFirst, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		out = api.NewPage(page.Data, page.Total, in, page.Next)
		return err
	})
	return out, err
}

func (f Filter) conditions(tx *store.Tx, org string) (where []store.Cond[Entry], err error) {
	if f.ActorType != "" {
		where = append(where, actorFacet.Any(string(f.ActorType)))
	}
	if f.ResourceType != "" {
		where = append(where, resourceType.Any(f.ResourceType))
	}
	if f.Action != "" {
		actions, err := matching(tx, org, f.Action)
		if err != nil {
			return nil, err
		}
		where = append(where, actionFacet.Any(actions...))
	}
	if f.ActorID != "" {
		where = append(where, byActor.Where(store.Is(store.Text(f.ActorID))))
	}
	if f.ResourceID != "" {
		where = append(where, byResource.Where(store.Is(store.Text(f.ResourceID))))
	}
	if !f.From.IsZero() || !f.To.IsZero() {
		where = append(where, byAt.Where(store.During(f.From, f.To)))
	}
	return where, nil
}

// Latest is when the newest entry of an organization was written; zero for none.
func Latest(tx *store.Tx, org string) (time.Time, error) {
	e, err := byAt.Last(tx, org, store.All())
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return e.At, err
}

// matching are the actions in the log that a pattern stands for.
func matching(tx *store.Tx, org, pattern string) ([]string, error) {
	prefix, wild := strings.CutSuffix(pattern, "*")
	if !wild {
		return []string{pattern}, nil
	}
	known, err := actionFacet.Counts(tx, org)
	var out []string
	for action := range known {
		if strings.HasPrefix(action, prefix) {
			out = append(out, action)
		}
	}
	slices.Sort(out)
	return out, err
}

var csvHeader = []string{
	"id", "seq", "at", "actor_type", "actor_id", "actor_name", "action", "resource_type", "resource_id", "resource_name",
	"changes", "reason", "ip", "user_agent", "request_id", "support_session_id", "hash",
}

// export reads every match as rows of CSV, page by page.
func (s *Service) export(c *api.Call, org string, in ListIn) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for after, more := store.Cursor(nil), true; more; more = after != nil {
			var page store.Page[Entry]
			err := s.db.View(c, func(tx *store.Tx) error {
				where, err := in.filter().conditions(tx, org)
				if err != nil {
					return err
				}
				page, err = entries.Page(tx, org, store.Query[Entry]{Where: where, Reverse: strings.HasPrefix(in.Sort, "-"), After: after, Limit: api.MaxLimit})
				return err
			})
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Data {
				if !yield(page.Data[i].row(), nil) {
					return
				}
			}
			after = page.Next
		}
	}
}

func (e *Entry) row() []string {
	changes := ""
	if len(e.Changes) > 0 {
		data, _ := json.Marshal(e.Changes) // it was read from JSON
		changes = string(data)
	}
	return []string{
		e.ID, strconv.FormatInt(e.Seq, 10), e.At.Format(time.RFC3339Nano), string(e.Actor.Type), text(e.Actor.ID), text(e.Actor.Name),
		e.Action, e.Resource.Type, e.Resource.ID, text(e.Resource.Name), changes, text(e.Reason), text(e.IP), text(e.UserAgent),
		text(e.RequestID), text(e.SupportSessionID), e.Hash,
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
