package record

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/store"
)

// PageAcross lists the campaigns of all organizations, newest first; status "" is any.
func PageAcross(tx *store.Tx, _ string, status Status, in api.PageIn) (list []store.Of[Campaign], total int, next store.Cursor, err error) {
	counts, err := statusAcross.Counts(tx)
	if err != nil {
		return nil, 0, nil, err
	}
	for value, n := range counts {
		if status == "" || value == string(status) {
			total += n
		}
	}
	of := store.Is(store.Tuple(store.Text(string(status))))
	list, next, err = across.Walk(tx, store.Range{Span: of, Limit: in.Offset + in.Limit, After: in.Behind(), Reverse: true})
	return list[min(in.Offset, len(list)):], total, next, err
}

// PageOf is PageAcross of one organization.
func PageOf(tx *store.Tx, orgID string, status Status, in api.PageIn) (list []store.Of[Campaign], total int, next store.Cursor, err error) {
	q := store.Query[Campaign]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if status != "" {
		q.Where = []store.Cond[Campaign]{statusFacet.Any(string(status))}
	}
	page, err := campaigns.Page(tx, orgID, q)
	for _, k := range page.Data {
		list = append(list, store.Of[Campaign]{Org: orgID, Record: k})
	}
	return list, page.Total, page.Next, err
}

// ListIn is what a list of campaigns is asked for.
type ListIn struct {
	api.PageIn
	Status []Status `query:"status,explode" maxItems:"7" enum:"DRAFT,SCHEDULED,RUNNING,PAUSED,COMPLETED,CANCELLED,FAILED" doc:"Repeatable; any of them."`
	Q      string   `query:"q" minLength:"2" maxLength:"120" doc:"The beginning of a word of the name, upper or lower case."`
	Sort   string   `query:"sort" enum:"created_at,-created_at,updated_at,-updated_at,scheduled_at,-scheduled_at,started_at,-started_at,name,-name" default:"-created_at"`
}

// query is the same for the store.
func (in ListIn) query() store.Query[Campaign] {
	q := store.Query[Campaign]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	name, descending := strings.CutPrefix(in.Sort, "-")
	q.Sort, q.Reverse = sorted[name], descending
	if len(in.Status) > 0 {
		values := make([]string, len(in.Status))
		for i, s := range in.Status {
			values[i] = string(s)
		}
		q.Where = append(q.Where, statusFacet.Any(values...))
	}
	if in.Q != "" {
		q.Where = append(q.Where, bySearch.Where(store.HasPrefix(store.Fold(in.Q))))
	}
	return q
}

// ByStatusAcross counts the campaigns of all organizations by status.
func ByStatusAcross(tx *store.Tx) (map[Status]int, error) {
	return store.CountsOf(tx, statusAcross, Statuses())
}

// Find says whose campaign an id is: store.ErrNotFound when there is none.
func Find(tx *store.Tx, id string) (orgID string, err error) {
	_, orgID, err = byID.Find(tx, store.Text(id))
	return orgID, err
}

// Active is how many campaigns of an organization count against its plan.
func Active(tx *store.Tx, orgID string) (n int, err error) {
	for _, s := range Statuses() {
		if !s.Active() {
			continue
		}
		k, err := statusFacet.Count(tx, orgID, string(s))
		if err != nil {
			return 0, err
		}
		n += k
	}
	return n, nil
}

// InUse is how many running campaigns use an account (account.Options.InUse).
func InUse(tx *store.Tx, orgID, account string) (int, error) { return inUse.Count(tx, orgID, account) }

// List are the campaigns of an organization that are asked for.
func List(tx *store.Tx, orgID string, in ListIn) (store.Page[Campaign], error) {
	return campaigns.Page(tx, orgID, in.query())
}

// Has says whether an organization has a campaign of that id.
func Has(tx *store.Tx, orgID, id string) (bool, error) { return campaigns.Has(tx, orgID, id) }

// Get reads a campaign: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, orgID, id string) (Campaign, error) { return campaigns.Get(tx, orgID, id) }

// ByStatus counts the campaigns of an organization, for its dashboard.
func ByStatus(tx *store.Tx, orgID string) (map[Status]int, error) {
	counts, err := statusFacet.Counts(tx, orgID)
	out := map[Status]int{}
	for status, n := range counts {
		out[Status(status)] = n
	}
	return out, err
}

// CompletedSince is how many campaigns of an organization were completed since a time.
func CompletedSince(tx *store.Tx, orgID string, since time.Time) (int, error) {
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{
		Where: []store.Cond[Campaign]{completedAt.Where(store.During(since, time.Time{}))}, Limit: 1,
	})
	return page.Total, err
}

// NamesOf are the names of campaigns by id. One that is gone has none.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, campaigns, ids, func(k *Campaign) string { return k.Name })
}

// RunningOf are the running campaigns of an organization, limit of them at most; those that use an account
// where one is named.
func RunningOf(tx *store.Tx, orgID, accountID string, limit int) ([]Campaign, error) {
	where := []store.Cond[Campaign]{statusFacet.Any(string(Running))}
	if accountID != "" {
		where = append(where, accountFacet.Any(accountID))
	}
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{Where: where, Limit: limit})
	return page.Data, err
}

// UnfinishedOf are the campaigns that use an account and have not ended, limit of them at most.
func UnfinishedOf(tx *store.Tx, orgID, accountID string, limit int) ([]Campaign, error) {
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{Where: []store.Cond[Campaign]{accountFacet.Any(accountID)}, Limit: limit})
	return page.Data, err
}

// UnfinishedRuns are the campaigns of a series that have not ended, limit of them at most.
func UnfinishedRuns(tx *store.Tx, orgID, seriesID string, limit int) ([]Campaign, error) {
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{
		Where: []store.Cond[Campaign]{
			seriesFacet.Any(seriesID), statusFacet.Any(string(Completed), string(Cancelled), string(Failed)).Not(),
		}, Limit: limit,
	})
	return page.Data, err
}

// AllRunning are the running campaigns of all organizations behind a place, limit of them at most.
func AllRunning(tx *store.Tx, after store.Cursor, limit int) ([]store.Of[Campaign], store.Cursor, error) {
	return across.Walk(tx, store.Range{Span: store.Is(store.Tuple(store.Text(string(Running)))), After: after, Limit: limit})
}

// WithText are the campaigns that have sent a text since a time, or may have: those that sent it
// last first, limit of them at most.
func WithText(tx *store.Tx, orgID, hash string, since time.Time, limit int) ([]Campaign, error) {
	text := store.Text(hash)
	span := store.Between(store.Tuple(text, store.Time(since)), store.Tuple(text, store.Time(never.Add(time.Hour))))
	list, _, err := byText.Walk(tx, orgID, store.Range{Span: span, Limit: limit, Reverse: true})
	return list, err
}

// Tables are those of campaigns, their audiences and their series.
func Tables() []store.AnyTable {
	return []store.AnyTable{campaigns, picksTable, progress, plans, runs}
}
