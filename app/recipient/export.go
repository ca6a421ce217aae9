package recipient

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/store"
)

var csvHeader = []string{
	"id", "messenger_id", "username", "first_name", "last_name", "language", "consent_status", "consent_timestamp", "consent_note",
	"tags", "attributes", "source", "opted_out_at", "opt_out_source", "suppressed", "lists", "last_messaged_at", "last_replied_at", "created_at",
}

// export writes every match as CSV. Each page is a transaction of its own, so that
// none outlives a slow reader.
func (s *Service) export(c *api.Call, in listIn) (api.Text, error) {
	page := func(after store.Cursor) (rows []ShownRecipient, next store.Cursor, err error) {
		err = s.db.View(c, func(tx *store.Tx) error {
			where, err := in.filter().conditions(tx, c.Org)
			if err != nil {
				return err
			}
			by, descending := order(in.Sort)
			page, err := recipients.Page(tx, c.Org, store.Query[Recipient]{Where: where, Sort: by, Reverse: descending, After: after, Limit: api.MaxLimit})
			if err != nil {
				return err
			}
			next = page.Next
			rows, err = show(tx, c.Org, page.Data)
			return err
		})
		return rows, next, err
	}
	// The first page is read before the answer begins, so that it may be a refusal.
	rows, next, err := page(nil)
	return api.CSV("recipients.csv", csvHeader, func(yield func([]string, error) bool) {
		for {
			for i := range rows {
				if !yield(rows[i].row(), nil) {
					return
				}
			}
			if next == nil {
				return
			}
			var err error
			if rows, next, err = page(next); err != nil {
				yield(nil, err)
				return
			}
		}
	}), err
}

// row is a line of the export.
func (s *ShownRecipient) row() []string {
	names := make([]string, len(s.Lists))
	for i, l := range s.Lists {
		names[i] = l.Name
	}
	attributes := ""
	if len(s.Attributes) > 0 {
		data, _ := json.Marshal(s.Attributes) // it was read from JSON
		attributes = string(data)
	}
	id := ""
	if s.MessengerID != nil {
		id = strconv.FormatInt(*s.MessengerID, 10)
	}
	return []string{
		s.ID, id, text(s.Username), s.FirstName, s.LastName, text(s.Language), string(s.Consent), moment(s.ConsentAt), text(s.ConsentNote),
		strings.Join(s.Tags, ";"), attributes, string(s.Source), moment(s.OptedOutAt), text(s.OptOutSource), strconv.FormatBool(s.Suppressed),
		strings.Join(names, ";"), moment(s.LastMessagedAt), moment(s.LastRepliedAt), moment(&s.CreatedAt),
	}
}

func text[S ~string](s *S) string {
	if s == nil {
		return ""
	}
	return string(*s)
}

func moment(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
