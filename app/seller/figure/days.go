package figure

import "time"

// Days are the days of an organization that somebody asks for.
type Days struct {
	From, To time.Time // exclusive
	Dates    []string  // such as 2026-05-01, the first one first
}

// Days are those of the parameters, for whoever keeps sums of its own.
func (in *SpanIn) Days(now time.Time, zone *time.Location) (Days, error) {
	s, err := in.span(now, zone)
	return Days{s.from, s.to, s.days}, err
}

// Before are as many days before them.
func (d *Days) Before(zone *time.Location) (out Days) {
	out.To = d.From
	out.From = midnight(d.From.Add(12*time.Hour).AddDate(0, 0, -len(d.Dates)), zone)
	for at := out.From.Add(12 * time.Hour); at.Before(out.To); at = at.AddDate(0, 0, 1) {
		out.Dates = append(out.Dates, at.In(zone).Format(time.DateOnly))
	}
	return out
}
