package overview

import (
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/policy"
	"svc/store"
)

// GroupBy says what the rows of a series stand for.
type GroupBy string

// The groupings (contract 9.3).
const (
	ByDay      GroupBy = "day"
	ByHour     GroupBy = "hour"
	ByAccount  GroupBy = "account"
	ByCampaign GroupBy = "campaign"
	ByError    GroupBy = "error"
)

// Asked is what a series is asked for: from a time, inclusive, to another,
// exclusive, with the days of a zone.
type Asked struct {
	From, To time.Time
	GroupBy  GroupBy
	Zone     *time.Location
}

// zoneOf is the time zone of an organization, whose days the figures count (contract 21.2,
// Days).
func zoneOf(tx *store.Tx, orgID string) (*time.Location, error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return nil, err
	}
	return time.LoadLocation(o.Timezone)
}

// Counters are how messages went.
type Counters struct {
	Delivered   int `json:"delivered"`
	Failed      int `json:"failed"`
	Unreachable int `json:"unreachable"`
	Skipped     int `json:"skipped"`
	Read        int `json:"read"`
	Replied     int `json:"replied"`
	OptedOut    int `json:"opted_out"`
}

func (c *Counters) add(o Counters) {
	c.Delivered += o.Delivered
	c.Failed += o.Failed
	c.Unreachable += o.Unreachable
	c.Skipped += o.Skipped
	c.Read += o.Read
	c.Replied += o.Replied
	c.OptedOut += o.OptedOut
}

// Row is one group: a date, an hour, an id or an error code.
type Row struct {
	Key   string  `json:"key"`
	Label *string `json:"label"`
	Counters
}

// Analytics is the answer of GET /analytics/messages.
type Analytics struct {
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	GroupBy GroupBy   `json:"group_by"`
	// Timezone is the organization's, of which a series by the day counts the days.
	Timezone string   `json:"timezone" example:"Asia/Tashkent"`
	Totals   Counters `json:"totals"`
	Series   []Row    `json:"series"`
}

// Bounds of a range.
const (
	usualDays = 30
	maxDays   = 366
	maxHours  = 31 * 24
)

type analyticsIn struct {
	From    string  `query:"from" maxLength:"40" doc:"A date (YYYY-MM-DD) or a time (RFC 3339), inclusive; 30 days ago when not given."`
	To      string  `query:"to" maxLength:"40" doc:"Likewise, exclusive: a date is where that day begins in the organization's time zone; now when not given."`
	GroupBy GroupBy `query:"group_by" enum:"day,hour,account,campaign,error" default:"day"`
}

func (s *Service) analytics(c *api.Call, tx *store.Tx, in analyticsIn) (out Analytics, err error) {
	zone, err := zoneOf(tx, c.Org)
	if err != nil {
		return out, err
	}
	asked, err := in.asked(c.Now, zone)
	if err != nil {
		return out, err
	}
	rows, err := s.rows(tx, c, asked)
	if err != nil {
		return out, err
	}
	out = Analytics{From: asked.From, To: asked.To, Timezone: zone.String(), GroupBy: asked.GroupBy, Series: rows}
	out.Totals, err = s.totals(tx, c, asked, rows)
	return out, err
}

// totals add up everything in the range. What has no campaign, no account or no error
// is in no row of such a series, but in one by the day.
func (s *Service) totals(tx *store.Tx, c *api.Call, asked Asked, rows []Row) (sum Counters, err error) {
	if asked.GroupBy != ByDay && asked.GroupBy != ByHour {
		asked.GroupBy = ByDay
		if rows, err = s.rows(tx, c, asked); err != nil {
			return sum, err
		}
	}
	for i := range rows {
		sum.add(rows[i].Counters)
	}
	return sum, nil
}

func (s *Service) rows(tx *store.Tx, c *api.Call, a Asked) ([]Row, error) {
	if s.of.Series == nil {
		return []Row{}, nil
	}
	rows, err := s.of.Series(tx, c, a)
	if rows == nil {
		rows = []Row{}
	}
	return rows, err
}

func (in analyticsIn) asked(now time.Time, zone *time.Location) (a Asked, err error) {
	a = Asked{From: now.AddDate(0, 0, -usualDays), To: now, GroupBy: in.GroupBy, Zone: zone}
	if in.From != "" {
		if a.From, err = moment("from", in.From, zone); err != nil {
			return a, err
		}
	}
	if in.To != "" {
		if a.To, err = moment("to", in.To, zone); err != nil {
			return a, err
		}
	}
	switch length := a.To.Sub(a.From); {
	case length <= 0:
		return a, api.Wrong("to", "must be after from")
	case a.GroupBy == ByHour && length > maxHours*time.Hour:
		return a, api.Wrong("from", "by the hour at most 31 days can be asked for")
	case length > maxDays*24*time.Hour:
		return a, api.Wrong("from", "at most %d days can be asked for", maxDays)
	}
	return a, nil
}

// moment reads a date, where it begins in a zone, or a time.
func moment(field, text string, zone *time.Location) (at time.Time, err error) {
	if at, err = time.Parse(time.DateOnly, text); err == nil {
		return policy.At(at, 0, zone).UTC(), nil
	}
	if at, err = time.Parse(time.RFC3339, text); err == nil {
		return at.UTC(), nil
	}
	return at, api.Wrong(field, "must be a date such as 2026-05-01 or a time such as 2026-05-01T10:00:00Z")
}
