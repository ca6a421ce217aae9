package figure

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/policy"
	"svc/store"
)

// Service does the operations.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/analytics", "ai.analytics", perm.AIRead, "Read how conversations went: messages, waits, handoffs, drafts, leads.", api.Read(s.db, s.analytics)),
		api.E("GET /ai/performance", "ai.performance", perm.AIRead, "Read how versions of the prompt and people did, and how the next level would have.", s.performance),
	}
}

const (
	usualDays = 30
	maxDays   = 366
	day       = 24 * time.Hour
)

// SpanIn are the parameters of a span of days.
type SpanIn struct {
	From       string `query:"from" maxLength:"40" doc:"A date (YYYY-MM-DD) or a time (RFC 3339); its day counts whole. 30 days ago when left out."`
	To         string `query:"to" maxLength:"40" doc:"Likewise, exclusive: a date is where that day begins; the day of any other time counts whole. Now when left out."`
	BusinessID string `query:"business_id" maxLength:"64" doc:"One business."`
}

// span are days of an organization.
type span struct {
	from, to    time.Time // exclusive
	first, last string    // days
	days        []string
}

func (in *SpanIn) span(now time.Time, zone *time.Location) (s span, err error) {
	to := now
	if in.To != "" {
		if to, err = moment("to", in.To, zone); err != nil {
			return s, err
		}
	}
	if s.to = midnight(to, zone); !s.to.Equal(to) || in.To == "" {
		s.to = midnight(s.to.Add(36*time.Hour), zone) // the next one, whatever the clocks did
	}
	from := midnight(s.to.Add(-12*time.Hour), zone).AddDate(0, 0, 1-usualDays)
	if in.From != "" {
		if from, err = moment("from", in.From, zone); err != nil {
			return s, err
		}
	}
	s.from = midnight(from, zone)
	switch length := s.to.Sub(s.from); {
	case length <= 0:
		return s, api.Wrong("to", "must be after from")
	case length > (maxDays+1)*day:
		return s, api.Wrong("from", "at most %d days can be asked for", maxDays)
	}
	for at := s.from.Add(12 * time.Hour); at.Before(s.to); at = at.AddDate(0, 0, 1) {
		s.days = append(s.days, at.Format(time.DateOnly))
	}
	s.first, s.last = s.days[0], s.days[len(s.days)-1]
	return s, nil
}

// midnight is where the day of a time begins.
func midnight(at time.Time, zone *time.Location) time.Time {
	y, m, d := at.In(zone).Date()
	return policy.At(time.Date(y, m, d, 0, 0, 0, 0, time.UTC), 0, zone).In(zone)
}

// moment reads a date, where it begins in a zone, or a time.
func moment(field, text string, zone *time.Location) (at time.Time, err error) {
	if at, err = time.Parse(time.DateOnly, text); err == nil {
		return policy.At(at, 0, zone), nil
	}
	if at, err = time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	return at, api.Wrong(field, "must be a date such as 2026-05-01 or a time such as 2026-05-01T10:00:00Z")
}

// each visits the rows of the days of a span.
func each[T any](tx *store.Tx, org string, t *store.Table[T], s *span, dayOf func(*T) string, visit func(*T)) error {
	for r, err := range t.Each(tx, org, s.first) {
		if err != nil || dayOf(r) > s.last {
			return err
		}
		visit(r)
	}
	return nil
}
