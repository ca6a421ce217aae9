package admin

import (
	"iter"
	"strconv"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/store"
)

// Bill is what an organization used in a month (contract 17).
type Bill struct {
	OrganizationID string   `json:"organization_id"`
	Name           string   `json:"name"`
	Plan           org.Plan `json:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE" doc:"Now."`
	Period         string   `json:"period" doc:"The calendar month in UTC." example:"2026-05"`
	MessagesSent   int      `json:"messages_sent"`
	AICost         float64  `json:"ai_cost_usd"`
	Recipients     int      `json:"recipients" doc:"Now."`
	Accounts       int      `json:"accounts" doc:"Now."`
}

type billingIn struct {
	api.PageIn
	Period string `query:"period" maxLength:"7" doc:"A month, as in 2026-05; this one when not given."`
	Format string `query:"format" enum:"json,csv" default:"json" doc:"CSV holds every organization."`
}

const monthForm = "2006-01"

// month is the one that was asked for.
func (in billingIn) month(now time.Time) (from, to time.Time, err error) {
	now = now.UTC()
	from = time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	if in.Period != "" {
		asked, err := time.Parse(monthForm, in.Period)
		if err != nil {
			return from, to, api.Wrong("period", "must be a month, as in 2026-05")
		}
		if asked.After(from) {
			return from, to, api.Wrong("period", "must not be in the future")
		}
		from = asked
	}
	return from, from.AddDate(0, 1, 0), nil
}

func (s *Service) billing(c *api.Call, tx *store.Tx, in billingIn) (out api.Either[api.Page[Bill]], err error) {
	from, to, err := in.month(c.Now)
	if err != nil {
		return out, err
	}
	if in.Format == "csv" {
		return api.Streamed[api.Page[Bill]](api.CSV("billing-"+from.Format(monthForm)+".csv", billHeader, s.allBills(c, from, to))), nil
	}
	page, err := s.bills(tx, from, to, in.PageIn)
	out = api.Whole(api.NewPage(page.Data, page.Total, in.PageIn, page.Next))
	return out, err
}

func (s *Service) bills(tx *store.Tx, from, to time.Time, in api.PageIn) (out store.Page[Bill], err error) {
	page, err := org.List(tx, org.Filter{}, false, in)
	if err != nil {
		return out, err
	}
	out.Total, out.Next = page.Total, page.Next
	for i := range page.Data {
		o := &page.Data[i]
		b := Bill{OrganizationID: o.ID, Name: o.Name, Plan: o.Plan, Period: from.Format(monthForm)}
		sent, spent, err := s.o.Orgs.Metered(tx, o.ID, from, to)
		if err != nil {
			return out, err
		}
		b.MessagesSent, b.AICost = sent.Sent, spent.CostUSD
		if b.Recipients, err = s.o.Orgs.Used(tx, o.ID, org.LimitRecipients); err != nil {
			return out, err
		}
		if b.Accounts, err = s.o.Orgs.Used(tx, o.ID, org.LimitAccounts); err != nil {
			return out, err
		}
		out.Data = append(out.Data, b)
	}
	return out, nil
}

var billHeader = []string{"organization_id", "name", "plan", "period", "messages_sent", "ai_cost_usd", "recipients", "accounts"}

// allBills are the rows of every organization, read page by page.
func (s *Service) allBills(c *api.Call, from, to time.Time) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for offset, total := 0, 1; offset < total; offset += billChunk {
			var page store.Page[Bill]
			err := s.db.View(c, func(tx *store.Tx) (err error) {
				page, err = s.bills(tx, from, to, api.PageIn{Offset: offset, Limit: billChunk})
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
			total = page.Total
		}
	}
}

// billChunk is how many organizations are read at a time.
const billChunk = 100

func (b *Bill) row() []string {
	return []string{
		b.OrganizationID, b.Name, string(b.Plan), b.Period, strconv.Itoa(b.MessagesSent),
		strconv.FormatFloat(b.AICost, 'f', -1, 64), strconv.Itoa(b.Recipients), strconv.Itoa(b.Accounts),
	}
}
