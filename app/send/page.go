package send

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/recipient"
	"svc/store"
)

// Progress is where the recipient of a campaign is (contract 4.5).
type Progress string

// The statuses that are none of a stored job.
const (
	queued  Progress = "QUEUED"
	sending Progress = "SENDING"
)

// Row is a recipient of a campaign as the API answers it (contract 4.5).
type Row struct {
	ID                string       `json:"id"`
	CampaignID        string       `json:"campaign_id"`
	Campaign          *api.Named   `json:"campaign"`
	Recipient         RowRecipient `json:"recipient"`
	AccountID         *string      `json:"account_id"`
	Account           *api.Named   `json:"account"`
	Status            Progress     `json:"status" enum:"PENDING,QUEUED,SENDING,DELIVERED,FAILED,UNREACHABLE,SKIPPED,CANCELLED"`
	SkipReason        *string      `json:"skip_reason" enum:"OPTED_OUT,SUPPRESSED,UNKNOWN_CONSENT,MISSING_VARIABLES,RECENTLY_MESSAGED,RECIPIENT_DELETED,DUPLICATE"`
	ErrorCode         *string      `json:"error_code"`
	LastError         *string      `json:"last_error"`
	Attempts          int          `json:"attempts"`
	QueuedAt          *time.Time   `json:"queued_at"`
	SentAt            *time.Time   `json:"sent_at"`
	ReadAt            *time.Time   `json:"read_at"`
	RepliedAt         *time.Time   `json:"replied_at"`
	PlatformMessageID *int         `json:"platform_message_id"`
}

// RowRecipient is who a row is about. Of somebody who was deleted the id is left.
type RowRecipient struct {
	ID          string  `json:"id"`
	Name        *string `json:"name" doc:"As it is shown: first and last name, else @username, else the messenger_id; null when the person was deleted."`
	MessengerID *int64  `json:"messenger_id"`
	Username    *string `json:"username"`
	FirstName   string  `json:"first_name"`
	LastName    string  `json:"last_name"`
}

// Filter narrows the recipients of a campaign; zero fields do not.
type Filter struct {
	Status    Progress
	AccountID string
	ErrorCode string
	Q         string // the beginning of a username or a messenger_id
	// FailedFirst puts those who failed or could not be reached before the others.
	FailedFirst bool
}

// listing is what a list of the recipients of a campaign reads: its parts one after the
// other, each newest first.
type listing struct {
	batch    CampaignPolicy
	inFlight []string
	parts    [][]store.Cond[Job]
}

func listingOf(tx *store.Tx, org, batch string, f Filter) (l listing, err error) {
	if l.batch, err = batchOrNew(tx, org, batch); err != nil {
		return l, err
	}
	if l.inFlight, err = jobsInFlight(tx, org, batch); err != nil {
		return l, err
	}
	where := f.where(batch, &l.batch, l.inFlight)
	if l.parts = [][]store.Cond[Job]{where}; f.FailedFirst {
		bad := statusFacet.Any(string(Failed), string(Unreachable))
		l.parts = [][]store.Cond[Job]{append(slices.Clone(where), bad), append(slices.Clone(where), bad.Not())}
	}
	return l, nil
}

// where are the conditions of a filter.
func (f *Filter) where(batch string, b *CampaignPolicy, inFlight []string) []store.Cond[Job] {
	where := []store.Cond[Job]{batchFacet.Any(batch)}
	if f.Status != "" {
		where = append(where, withProgress(b, f.Status, inFlight)...)
	}
	if f.AccountID != "" {
		where = append(where, accountFacet.Any(f.AccountID))
	}
	if f.ErrorCode != "" {
		where = append(where, errorFacet.Any(f.ErrorCode))
	}
	if q := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(f.Q), "@")); q != "" {
		where = append(where, byName.Where(store.HasPrefix(q, store.Text(batch))))
	}
	return where
}

// PageOf lists the recipients of a campaign, newest first.
func PageOf(tx *store.Tx, org, batch string, f Filter, in api.PageIn) (out api.Page[Row], err error) {
	l, err := listingOf(tx, org, batch, f)
	if err != nil {
		return out, err
	}
	at, err := l.place(in.Behind())
	if err != nil {
		return out, err
	}
	rows, total := []Row{}, 0
	var next store.Cursor
	for part, where := range l.parts {
		room := in.Limit - len(rows)
		q := store.Query[Job]{Where: where, Reverse: true, Offset: max(0, in.Offset-total), Limit: max(1, room)}
		if part == at.part {
			q.After = at.after
		}
		page, err := jobs.Page(tx, org, q)
		if err != nil {
			return out, err
		}
		switch total += page.Total; {
		case part < at.part:
		case room > 0:
			if rows, err = l.rows(tx, org, rows, page.Data); err != nil {
				return out, err
			}
			if page.Next != nil {
				next = append(store.Cursor{byte(part)}, page.Next...)
			}
		case next == nil && len(page.Data) > 0:
			next = store.Cursor{byte(part)} // its beginning
		}
	}
	return api.NewPage(rows, total, in, next), nil
}

// place reads a cursor: the number of a part, and where to go on in it.
func (l *listing) place(at store.Cursor) (p Place, err error) {
	switch {
	case at == nil:
		return p, nil
	case int(at[0]) >= len(l.parts):
		return p, store.ErrCursor
	}
	p.part = int(at[0])
	if len(at) > 1 {
		p.after = at[1:]
	}
	return p, nil
}

func (l *listing) rows(tx *store.Tx, org string, rows []Row, list []Job) ([]Row, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].RecipientID
	}
	who, err := recipient.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	for i := range list {
		rows = append(rows, list[i].row(org, &l.batch, l.inFlight, who[i]))
	}
	return rows, nil
}

// Place is where in a list of the recipients of a campaign somebody reads on; the zero
// Place is its beginning.
type Place struct {
	part  int
	after store.Cursor
}

// RowsBehind reads the rows behind a place, and answers the next place; more is false when
// there are no further rows. Rows may be fewer than limit before that.
func RowsBehind(tx *store.Tx, org, batch string, f Filter, at Place, limit int) (rows []Row, next Place, more bool, err error) {
	l, err := listingOf(tx, org, batch, f)
	if err != nil || at.part >= len(l.parts) {
		return nil, at, false, err
	}
	page, err := jobs.Page(tx, org, store.Query[Job]{Where: l.parts[at.part], Reverse: true, After: at.after, Limit: limit})
	if err != nil {
		return nil, at, false, err
	}
	next = Place{at.part, page.Next}
	if page.Next == nil {
		next.part++
	}
	rows, err = l.rows(tx, org, nil, page.Data)
	return rows, next, next.part < len(l.parts), err
}

func batchOrNew(tx *store.Tx, org, id string) (CampaignPolicy, error) {
	b, err := policies.Get(tx, org, id)
	if store.IsNotFound(err) {
		return CampaignPolicy{ID: id}, nil
	}
	return b, err
}

// withProgress are the conditions of the jobs that are somewhere: what waits is in
// flight or not, and of a cancelled campaign it is cancelled.
func withProgress(b *CampaignPolicy, s Progress, inFlight []string) []store.Cond[Job] {
	isInFlight := jobs.Records(inFlight)
	switch {
	case s == sending:
		return []store.Cond[Job]{isInFlight}
	case s == queued && !b.Ended:
		return []store.Cond[Job]{statusFacet.Any(string(Waiting)), isInFlight.Not()}
	case s == Progress(Cancelled) && b.Ended:
		return []store.Cond[Job]{statusFacet.Any(string(Waiting), string(Cancelled)), isInFlight.Not()}
	case s == queued:
		return []store.Cond[Job]{statusFacet.Any()}
	}
	return []store.Cond[Job]{statusFacet.Any(string(s))}
}

// progressOf is where a job of a campaign is.
func progressOf(b *CampaignPolicy, j *Job, inFlight []string) Progress {
	switch {
	case j.Status != Waiting:
		return Progress(j.Status)
	case slices.Contains(inFlight, j.ID):
		return sending
	case b.Ended:
		return Progress(Cancelled)
	}
	return queued
}

// jobsInFlight are the jobs of a campaign that are being sent.
func jobsInFlight(tx *store.Tx, org, batch string) (ids []string, err error) {
	list, _, err := inFlightOf.Walk(tx, org, store.Range{Span: store.Is(store.Text(batch)), Limit: maxInFlight})
	for i := range list {
		ids = append(ids, list[i].InFlight.Job)
	}
	return ids, err
}

// maxInFlight bounds how many messages of an organization are on their way at a time.
const maxInFlight = 10_000

// row makes the answer for a job of a campaign.
func (j *Job) row(org string, b *CampaignPolicy, inFlight []string, who *recipient.Recipient) Row {
	r := Row{
		ID: j.RecipientRow(), CampaignID: j.Batch, Status: progressOf(b, j, inFlight), Attempts: j.Attempts,
		AccountID: api.Optional(j.AccountID), SkipReason: api.Optional(j.SkipReason), ErrorCode: api.Optional(j.ErrorCode), LastError: api.Optional(j.LastError),
		QueuedAt: api.Optional(j.QueuedAt), SentAt: api.Optional(j.SentAt), ReadAt: api.Optional(j.ReadAt), RepliedAt: api.Optional(j.RepliedAt),
		PlatformMessageID: api.Optional(j.PlatformMessageID), Campaign: api.Ref(org, j.Batch), Account: api.Ref(org, j.AccountID),
	}
	r.Recipient = RowRecipient{ID: j.RecipientID, MessengerID: api.Optional(j.MessengerID), Username: api.Optional(j.Username)}
	if who == nil {
		return r
	}
	r.Recipient.Name, r.Recipient.FirstName, r.Recipient.LastName = api.Optional(who.DisplayName()), who.FirstName, who.LastName
	r.Recipient.MessengerID, r.Recipient.Username = api.Optional(who.MessengerID), api.Optional(who.Username)
	return r
}
