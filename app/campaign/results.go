package campaign

import (
	"strconv"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/send"
	"svc/store"
)

type recipientsIn struct {
	IDIn
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

func (s *Service) recipients(c *api.Call, in recipientsIn) (api.Either[api.Page[send.Row]], error) {
	if in.Format == "csv" {
		text, err := s.results(c, in)
		return api.Streamed[api.Page[send.Row]](text), err
	}
	page, err := view(c, s.db, func(tx *store.Tx) (api.Page[send.Row], error) {
		if _, err := campaigns.Get(tx, c.Org, in.ID); err != nil {
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
func (s *Service) results(c *api.Call, in recipientsIn) (api.Text, error) {
	type page struct {
		rows [][]string
		next send.Place
		more bool
	}
	names := map[string]string{} // of accounts
	read := func(at send.Place) (p page, err error) {
		return view(c, s.db, func(tx *store.Tx) (p page, err error) {
			if _, err := campaigns.Get(tx, c.Org, in.ID); err != nil {
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
