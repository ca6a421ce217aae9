// Package results tells what came of a campaign: totals, statistics, what became of each person, why
// it waits and when it will be done.
package results

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/campaign/record"
	"svc/app/campaign/workload"
	"svc/app/policy"
	"svc/app/send"
	"svc/app/send/figures"
	"svc/store"
)

// Reader tells what came of campaigns.
type Reader struct {
	db       *store.DB
	noPacing bool
}

// New makes it. noPacing says that accounts send without pace and daily limit.
func New(db *store.DB, noPacing bool) *Reader { return &Reader{db: db, noPacing: noPacing} }

type recipientsIn struct {
	record.IDIn
	api.PageIn
	Status    send.Progress `query:"status" enum:"PENDING,QUEUED,SENDING,DELIVERED,FAILED,UNREACHABLE,SKIPPED,CANCELLED"`
	AccountID string        `query:"account_id" maxLength:"64"`
	ErrorCode string        `query:"error_code" maxLength:"64"`
	Q         string        `query:"q" minLength:"2" maxLength:"64" doc:"The beginning of a username or of a messenger_id."`
	Sort      string        `query:"sort" enum:"-created_at,failed_first" default:"-created_at" doc:"failed_first: those who failed or could not be reached before the others, each part newest first."`
	Format    string        `query:"format" enum:"json,csv" default:"json" doc:"csv streams every match, without paging."`
}

func (in *recipientsIn) filter() send.Filter {
	return send.Filter{Status: in.Status, AccountID: in.AccountID, ErrorCode: in.ErrorCode, Q: in.Q, FailedFirst: in.Sort == "failed_first"}
}

// Recipients lists the people of a campaign with what became of them, as JSON or as CSV.
func (s *Reader) Recipients(c *api.Call, in recipientsIn) (api.Either[api.Page[send.Row]], error) {
	if in.Format == "csv" {
		text, err := s.results(c, in)
		return api.Streamed[api.Page[send.Row]](text), err
	}
	page, err := record.View(c, s.db, func(tx *store.Tx) (api.Page[send.Row], error) {
		if _, err := record.Get(tx, c.Org, in.ID); err != nil {
			return api.Page[send.Row]{}, err
		}
		return send.PageOf(tx, c.Org, in.ID, in.filter(), in.PageIn)
	})
	return api.Whole(page), err
}

var resultsHeader = []string{
	"recipient_id", "messenger_id", "username", "first_name", "last_name", "status", "skip_reason", "error_code", "last_error", "account_id", "account",
	"attempts", "queued_at", "sent_at", "read_at", "replied_at", "platform_message_id",
}

// results writes every match as CSV (contract 21.2, Follow-up). Each page is a
// transaction of its own, so that none outlives a slow reader.
func (s *Reader) results(c *api.Call, in recipientsIn) (api.Text, error) {
	type page struct {
		rows [][]string
		next send.Place
		more bool
	}
	names := map[string]string{} // of accounts
	read := func(at send.Place) (p page, err error) {
		return record.View(c, s.db, func(tx *store.Tx) (p page, err error) {
			if _, err := record.Get(tx, c.Org, in.ID); err != nil {
				return p, err
			}
			rows, next, more, err := send.RowsBehind(tx, c.Org, in.ID, in.filter(), at, api.MaxLimit)
			p.next, p.more = next, more
			for i := range rows {
				if err != nil {
					break
				}
				var line []string
				line, err = resultLine(tx, c.Org, &rows[i], names)
				p.rows = append(p.rows, line)
			}
			return p, err
		})
	}
	// The first page is read before the answer begins, so that it may be a refusal.
	p, err := read(send.Place{})
	return api.CSV("campaign-recipients.csv", resultsHeader, func(yield func([]string, error) bool) {
		for {
			for _, line := range p.rows {
				if !yield(line, nil) {
					return
				}
			}
			if !p.more {
				return
			}
			var err error
			if p, err = read(p.next); err != nil {
				yield(nil, err)
				return
			}
		}
	}), err
}

// resultLine is a row of the file. names remembers what accounts are called.
func resultLine(tx *store.Tx, orgID string, r *send.Row, names map[string]string) ([]string, error) {
	id := value(r.AccountID)
	name, known := names[id]
	if !known && id != "" {
		a, err := account.Get(tx, orgID, id)
		if store.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err == nil {
			name = a.DisplayName()
		}
		names[id] = name
	}
	number := ""
	if r.Recipient.MessengerID != nil {
		number = strconv.FormatInt(*r.Recipient.MessengerID, 10)
	}
	message := ""
	if r.PlatformMessageID != nil {
		message = strconv.Itoa(*r.PlatformMessageID)
	}
	return []string{
		r.Recipient.ID, number, value(r.Recipient.Username), r.Recipient.FirstName, r.Recipient.LastName, string(r.Status), value(r.SkipReason),
		value(r.ErrorCode), value(r.LastError), id, name, strconv.Itoa(r.Attempts), stamp(r.QueuedAt), stamp(r.SentAt), stamp(r.ReadAt), stamp(r.RepliedAt), message,
	}, nil
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// Statistics say how a campaign goes (contract 4.6).
type Statistics struct {
	Totals            Totals         `json:"totals"`
	Read              int            `json:"read"`
	Replied           int            `json:"replied"`
	OptedOutAfter     int            `json:"opted_out_after" doc:"People who opted out within 7 days of the message."`
	DeliveryRate      *float64       `json:"delivery_rate" doc:"Of those who were tried: 0 to 1, null when nobody was."`
	ReplyRate         *float64       `json:"reply_rate" doc:"Of those who got it: 0 to 1, null when nobody did."`
	ByAccount         []AccountStats `json:"by_account"`
	ByError           []ErrorStats   `json:"by_error" doc:"The most frequent first."`
	Timeline          []HourStats    `json:"timeline" doc:"By the hour, without hours in which nothing happened."`
	ThroughputPerHour float64        `json:"throughput_per_hour" doc:"Of the last 24 hours in which it sent."`
	EstimatedFinishAt *time.Time     `json:"estimated_finish_at"`
}

// AccountStats are the figures of one account.
type AccountStats struct {
	AccountID       string `json:"account_id"`
	Delivered       int    `json:"delivered"`
	Failed          int    `json:"failed" doc:"Those who could not be reached among them."`
	CooldownSeconds int    `json:"cooldown_seconds"`
}

// ErrorStats count an error code.
type ErrorStats struct {
	ErrorCode string `json:"error_code"`
	Count     int    `json:"count"`
}

// HourStats are the figures of an hour.
type HourStats struct {
	At        time.Time `json:"at"`
	Delivered int       `json:"delivered"`
	Failed    int       `json:"failed"`
}

// Statistics tells how a campaign goes.
func (s *Reader) Statistics(c *api.Call, in record.IDIn) (Statistics, error) {
	return record.View(c, s.db, func(tx *store.Tx) (out Statistics, err error) {
		k, err := record.Get(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		f, err := figures.Of(tx, c.Org, k.ID)
		if err != nil {
			return out, err
		}
		out = statisticsOf(&f, k.AccountIDs)
		if out.Totals, err = TotalsOf(tx, c.Org, &k); err != nil {
			return out, err
		}
		out.DeliveryRate = rate(out.Totals.Completed, out.Totals.Completed+out.Totals.Failed)
		out.ReplyRate = rate(out.Replied, out.Totals.Completed)
		if k.Status == record.Running {
			out.EstimatedFinishAt, err = s.Estimate(tx, c.Org, &k)
		}
		return out, err
	})
}

// statisticsOf arranges the figures that package send keeps.
func statisticsOf(f *figures.Sums, accounts []string) Statistics {
	out := Statistics{
		Read: f.Totals.Read, Replied: f.Totals.Replied, OptedOutAfter: f.Totals.OptedOut,
		ByAccount: []AccountStats{}, ByError: []ErrorStats{}, Timeline: make([]HourStats, 0, len(f.Timeline)),
	}
	for _, id := range record.Distinct(append(slices.Clone(accounts), slices.Sorted(maps.Keys(f.ByAccount))...)) {
		if n := f.ByAccount[id]; id != "" {
			out.ByAccount = append(out.ByAccount, AccountStats{id, n.Delivered, n.Failed + n.Unreachable, n.Cooldown})
		}
	}
	for code, n := range f.ByError {
		out.ByError = append(out.ByError, ErrorStats{code, n})
	}
	slices.SortFunc(out.ByError, func(a, b ErrorStats) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ErrorCode, b.ErrorCode))
	})
	delivered, hours := 0, 0
	for i, p := range f.Timeline {
		out.Timeline = append(out.Timeline, HourStats{p.At, p.Delivered, p.Failed + p.Unreachable})
		if p.Delivered > 0 && len(f.Timeline)-i <= 24 {
			delivered += p.Delivered
			hours++
		}
	}
	if hours > 0 {
		out.ThroughputPerHour = float64(delivered) / float64(hours)
	}
	return out
}

func rate(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// Waiting is why a running campaign sends nothing at the moment; nil while it does. What
// is bound to accounts that do not send waits for a WORKER: of the reasons there are, that
// is the one which does not pass with time (contract 4.1 and 20.2).
func (s *Reader) Waiting(tx *store.Tx, orgID string, k *record.Campaign) (*policy.Wait, error) {
	now := tx.DB().Now()
	why, err := send.WaitingOf(tx, orgID, k.ID, now)
	if err == nil && why == "" && k.Planned {
		workloads, left, _, failed := workload.Left(tx, orgID, k, now, s.noPacing)
		if err = failed; left > 0 && len(workloads) == 0 {
			why = policy.WaitWorker // nobody will take it up until a person resumes an account
		}
	}
	return api.Optional(why), err
}

// Totals count the people of a campaign by what became of them (contract 4.4):
// completed are those who got the message, failed those who did not or could not
// be reached.
type Totals struct {
	Total     int `json:"total"`
	Pending   int `json:"pending"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Skipped   int `json:"skipped"`
	Cancelled int `json:"cancelled"`
}

// TotalsOf reads the totals. They are kept, not counted. Who has no row yet, because the
// planning is under way, is pending; of a campaign that has ended, cancelled.
func TotalsOf(tx *store.Tx, orgID string, k *record.Campaign) (t Totals, err error) {
	if k.Status == record.Draft || k.SnapshotAt == nil {
		return t, nil
	}
	n, err := send.Counts(tx, orgID, k.ID)
	if err != nil {
		return t, err
	}
	t = Totals{
		Total: max(n.Count(), k.Audience), Completed: n[send.Delivered], Failed: n[send.Failed] + n[send.Unreachable],
		Skipped: n[send.Skipped], Cancelled: n[send.Cancelled],
	}
	if k.Planned {
		t.Total = n.Count()
	}
	t.Pending = t.Total - t.Completed - t.Failed - t.Skipped - t.Cancelled
	if k.Status.Ended() {
		t.Cancelled, t.Pending = t.Cancelled+t.Pending, 0
	}
	return t, nil
}

// Estimate is when a running campaign will be done, as its accounts stand now; nil when
// nobody can say.
func (s *Reader) Estimate(tx *store.Tx, orgID string, k *record.Campaign) (*time.Time, error) {
	now := tx.DB().Now()
	workloads, _, stuck, err := workload.Left(tx, orgID, k, now, s.noPacing)
	if err != nil || stuck {
		return nil, err // what waits for such an account waits for a person
	}
	return when(workloads, now, k.Window.In(k.Timezone)), nil
}

func when(workloads []policy.Workload, now time.Time, w *policy.Window) *time.Time {
	t, ok := check.Finish(workloads, now, w)
	if !ok {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}
