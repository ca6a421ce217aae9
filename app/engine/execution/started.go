package execution

import (
	"time"

	"svc/store"
)

// startedIn are the executions of each day and of each hour, in UTC: what was done in a long
// time is the sets of its days, of the hours at its ends, and single entries within an hour.
var startedIn = executionTable.Facet("started_in", func(e *execution) []string { return []string{dayOf(e.StartedAt), hourOf(e.StartedAt)} })

const day = 24 * time.Hour

func dayOf(t time.Time) string  { return t.UTC().Format("2006-01-02") }
func hourOf(t time.Time) string { return t.UTC().Format("2006-01-02T15") }

// startedBetween holds for executions that began from a time on, before another; a zero time
// is an open end. It reads one set for each day in which there can be some, at most 46 for
// hours, and the entries of two hours.
func startedBetween(tx *store.Tx, org string, from, to time.Time) (store.Cond[execution], error) {
	span := store.During(from, to)
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return startedIn.Any(), nil
	}
	first, err := byStarted.First(tx, org, span)
	if store.IsNotFound(err) {
		return startedIn.Any(), nil
	}
	if err != nil {
		return store.Cond[execution]{}, err
	}
	last, err := byStarted.Last(tx, org, span)
	if err != nil {
		return store.Cond[execution]{}, err
	}
	begin, end := first.StartedAt.Truncate(time.Hour), last.StartedAt.Truncate(time.Hour).Add(time.Hour)
	cuts, cutsEnd := begin.Before(from), !to.IsZero() && end.After(to)
	if end.Sub(begin) <= time.Hour && (cuts || cutsEnd) {
		return byStarted.Where(span), nil
	}
	var parts []store.Cond[execution]
	if cuts {
		begin = begin.Add(time.Hour)
		parts = append(parts, byStarted.Where(store.During(from, begin)))
	}
	if cutsEnd {
		end = end.Add(-time.Hour)
		parts = append(parts, byStarted.Where(store.During(end, to)))
	}
	return store.Or(append(parts, startedIn.Any(wholeTimes(begin, end)...))...), nil
}

// wholeTimes names the days and hours that make up a time of whole hours.
func wholeTimes(begin, end time.Time) (out []string) {
	for begin.Before(end) {
		if begin.Equal(begin.Truncate(day)) && !begin.Add(day).After(end) {
			out, begin = append(out, dayOf(begin)), begin.Add(day)
		} else {
			out, begin = append(out, hourOf(begin)), begin.Add(time.Hour)
		}
	}
	return out
}
