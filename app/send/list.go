package send

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/policy"
	"svc/store"
)

// underWay is what the statuses of jobs depend on beside the jobs: what is being
// sent, and which campaigns were cancelled and not swept.
type underWay struct {
	inFlight map[string]*inFlight // by job
	ids      []string             // their jobs
	ended    []string
}

func underWayOf(tx *store.Tx, orgID string) (u underWay, err error) {
	list, _, err := inFlightOf.Walk(tx, orgID, store.Range{Span: store.All(), Limit: maxInFlight})
	if err != nil {
		return u, err
	}
	u.inFlight = make(map[string]*inFlight, len(list))
	for i := range list {
		u.inFlight[list[i].InFlight.Job] = list[i].InFlight
		u.ids = append(u.ids, list[i].InFlight.Job)
	}
	u.ended, _, err = unswept.IDs(tx, orgID, store.Range{Span: store.All(), Limit: maxInFlight})
	return u, err
}

func (s *Service) list(c *api.Call, tx *store.Tx, in listIn) (out api.Page[Shown], err error) {
	u, err := underWayOf(tx, c.Org)
	if err != nil {
		return out, err
	}
	where, err := in.where(tx, c.Org, &u)
	if err != nil {
		return out, err
	}
	if !c.Caller.Perms.Has(perm.AccountsManage) { // contract 10.1
		where = append(where, personalFacet.Any(personal).Not())
	}
	page, err := jobs.Page(tx, c.Org, store.Query[Job]{Where: where, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	shown := make([]Shown, 0, len(page.Data))
	for i := range page.Data {
		shown = append(shown, page.Data[i].shown(c.Org, &u))
	}
	out = api.NewPage(shown, page.Total, in.PageIn, page.Next)
	return out, err
}

type getIn struct {
	ID string `path:"id" maxLength:"64"`
}

// get answers the row of the list.
func (s *Service) get(c *api.Call, tx *store.Tx, in getIn) (out Shown, err error) {
	j, err := jobs.Get(tx, c.Org, in.ID)
	if err == nil && j.Personal && !c.Caller.Perms.Has(perm.AccountsManage) {
		err = store.ErrNotFound
	}
	if err != nil {
		return out, err
	}
	u, err := underWayOf(tx, c.Org)
	if err != nil {
		return out, err
	}
	return j.shown(c.Org, &u), nil
}

func (in *listIn) where(tx *store.Tx, orgID string, u *underWay) (out []store.Cond[Job], err error) {
	narrow := func(f *store.Facet[Job], value string) {
		if value != "" {
			out = append(out, f.Any(value))
		}
	}
	narrow(kindFacet, string(in.Kind))
	narrow(accountFacet, in.AccountID)
	narrow(batchFacet, in.CampaignID)
	out = append(out, u.with(in.Status)...)
	if !in.From.IsZero() || !in.To.IsZero() {
		during, err := queuedDuring(tx, orgID, in.From, in.To)
		return append(out, during), err
	}
	return out, nil
}

// with are the conditions of the jobs of a status; "" is any.
func (u *underWay) with(s JobStatus) []store.Cond[Job] {
	free := func(stored string) []store.Cond[Job] {
		return []store.Cond[Job]{statusFacet.Any(stored), jobs.Records(u.ids).Not(), batchFacet.Any(u.ended...).Not()}
	}
	switch s {
	case JobQueued:
		return append(free(string(Waiting)), statusFacet.Any(retried).Not())
	case jobRetry:
		return free(retried)
	case jobRunning:
		return []store.Cond[Job]{jobs.Records(u.ids)}
	case jobDone:
		return []store.Cond[Job]{statusFacet.Any(string(Delivered))}
	case jobFailed:
		return []store.Cond[Job]{statusFacet.Any(string(Failed), string(Unreachable))}
	case jobSkipped:
		return []store.Cond[Job]{statusFacet.Any(string(Skipped))}
	case jobCancelled:
		// Those that are, and what waits of campaigns that are.
		is := statusFacet.Any(string(Cancelled))
		return []store.Cond[Job]{
			statusFacet.Any(string(Cancelled), string(Waiting)), store.Or(is, batchFacet.Any(u.ended...)), jobs.Records(u.ids).Not(),
		}
	}
	return nil
}

// queuedDuring holds for what was queued from a time on, inclusive, and before
// another: whole UTC days, of which the store has sets, and the parts of days, which
// it reads. A zero time is an open end.
func queuedDuring(tx *store.Tx, orgID string, from, to time.Time) (store.Cond[Job], error) {
	oldest, err := byQueued.First(tx, orgID, store.All())
	if err != nil {
		return statusFacet.Any(), store.IgnoreNotFound(err) // there are no jobs
	}
	newest, err := byQueued.Last(tx, orgID, store.All())
	if err != nil {
		return statusFacet.Any(), err
	}
	if from.Before(oldest.QueuedAt) {
		from = oldest.QueuedAt
	}
	if end := newest.QueuedAt.Add(time.Millisecond); to.IsZero() || to.After(end) {
		to = end
	}
	from, to = from.UTC(), to.UTC()
	first, last := policy.NextDay(from.Add(-time.Nanosecond)), to.Truncate(24*time.Hour)
	if !first.Before(last) {
		return byQueued.Where(store.During(from, to)), nil
	}
	var days []string
	for at := first; at.Before(last); at = at.AddDate(0, 0, 1) {
		days = append(days, dayOf(at))
	}
	return store.Or(dayFacet.Any(days...), byQueued.Where(store.During(from, first)), byQueued.Where(store.During(last, to))), nil
}

// statusOf is where a job is for the list of jobs.
func (u *underWay) statusOf(j *Job) JobStatus {
	switch j.Status {
	case Delivered:
		return jobDone
	case Failed, Unreachable:
		return jobFailed
	case Skipped:
		return jobSkipped
	case Cancelled:
		return jobCancelled
	}
	switch {
	case u.inFlight[j.ID] != nil:
		return jobRunning
	case j.Batch != "" && slices.Contains(u.ended, j.Batch):
		return jobCancelled
	case j.Attempts > 0:
		return jobRetry
	}
	return JobQueued
}

func (j *Job) shown(org string, u *underWay) Shown {
	out := Shown{
		ID: j.ID, Kind: j.Kind, Status: u.statusOf(j), AccountID: api.Optional(j.AccountID), CampaignID: api.Optional(j.Batch),
		ConversationID: api.Optional(j.ConversationID), RecipientID: api.Optional(j.RecipientID), Attempts: j.Attempts, MaxAttempts: maxAttempts,
		RunAt: j.RunAt, ErrorCode: api.Optional(j.ErrorCode), LastError: api.Optional(j.LastError), DurationMS: api.Optional(j.DurationMS),
		CreatedAt: j.QueuedAt, FinishedAt: api.Optional(j.FinishedAt),
		Account: api.Ref(org, j.AccountID), Campaign: api.Ref(org, j.Batch), Recipient: api.Ref(org, j.RecipientID),
	}
	if out.RunAt.IsZero() {
		out.RunAt = j.QueuedAt
	}
	if h := u.inFlight[j.ID]; h != nil {
		out.LockedBy = api.Optional(h.By)
	}
	return out
}
