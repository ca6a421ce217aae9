package figures

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"svc/app/org"
	"svc/store"
)

// GroupBy says what the rows of a series stand for (contract 9.3).
type GroupBy string

// The groupings.
const (
	ByDay      GroupBy = "day"
	ByHour     GroupBy = "hour"
	ByAccount  GroupBy = "account"
	ByCampaign GroupBy = "campaign"
	ByError    GroupBy = "error"
)

// Group is one row of a series: a date (2026-05-01), an hour (2026-05-01T10:00:00Z), an
// id, or an error code.
type Group struct {
	Key string
	Counters
}

// Analytics are the figures from a time, inclusive, to another, exclusive, in whole
// hours: those that begin in between. Rows are in the order of their keys; groups in
// which nothing happened are left out. Rows of errors count failed messages.
//
// Dates are those of zone. Figures are kept by the UTC hour, of which every zone's days
// are made: a change of the zone loses nothing. Where a day begins within a UTC hour, at
// offsets such as +05:30, that hour counts to the day in which it begins (contract 21.2,
// Days).
func Analytics(tx *store.Tx, orgID string, from, to time.Time, by GroupBy, zone *time.Location) ([]Group, error) {
	key := by.key(zone)
	if key == nil && by != ByError {
		return nil, fmt.Errorf("send: no series is grouped by %q", by)
	}
	sums := map[string]*Counters{}
	err := eachFigure(tx, orgID, from, to, func(f *figure) {
		at, batch, account := f.parts()
		for hour := range 24 {
			when := at.Add(time.Duration(hour) * time.Hour)
			if when.Before(from) || !when.Before(to) {
				continue
			}
			if by == ByError {
				addErrors(sums, f.Errors[hour])
			} else if c := f.Hours[hour]; c != nil {
				sum(sums, key(when, batch, account)).add(*c)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var out []Group
	for key, c := range sums {
		if key != "" {
			out = append(out, Group{key, *c})
		}
	}
	slices.SortFunc(out, func(a, b Group) int { return cmp.Compare(a.Key, b.Key) })
	return out, nil
}

func (by GroupBy) key(zone *time.Location) func(at time.Time, batch, account string) string {
	switch by {
	case ByDay:
		return func(at time.Time, _, _ string) string { return at.In(zone).Format(time.DateOnly) }
	case ByHour:
		return func(at time.Time, _, _ string) string { return at.Format(time.RFC3339) }
	case ByAccount:
		return func(_ time.Time, _, account string) string { return account }
	case ByCampaign:
		return func(_ time.Time, batch, _ string) string { return batch }
	}
	return nil
}

func sum(sums map[string]*Counters, key string) *Counters {
	if sums[key] == nil {
		sums[key] = &Counters{}
	}
	return sums[key]
}

// addErrors counts codes of messages that nobody got, by what became of them.
func addErrors(sums map[string]*Counters, codes map[string]int) {
	for code, n := range codes {
		if UnreachableCode(code) {
			sum(sums, code).Unreachable += n
		} else {
			sum(sums, code).Failed += n
		}
	}
}

// unreachableCodes are the codes of contract 4.5.
var unreachableCodes = []string{"PEER_UNRESOLVABLE", "USERNAME_REASSIGNED", "PRIVACY_RESTRICTED", "PEER_BLOCKED", "PEER_DEACTIVATED", "PEER_IS_BOT"}

// UnreachableCode says whether an error code means that a person cannot be reached.
func UnreachableCode(code string) bool { return slices.Contains(unreachableCodes, code) }

// eachFigure visits the figures of the days that a span of time touches.
func eachFigure(tx *store.Tx, orgID string, from, to time.Time, visit func(*figure)) error {
	last := to.UTC().Format(time.DateOnly) + "~"
	for f, err := range figures.Each(tx, orgID, from.UTC().Format(time.DateOnly)) {
		if err != nil || f.ID > last {
			return err
		}
		visit(f)
	}
	return nil
}

// Messages is how many messages an organization sent and how many failed from a
// time, inclusive, to another, exclusive, for its usage (org.Meter).
func Messages(tx *store.Tx, orgID string, from, to time.Time) (out org.UsedMessages, err error) {
	rows, err := Analytics(tx, orgID, from, to, ByDay, time.UTC)
	for _, r := range rows {
		out.Sent += r.Delivered
		out.Failed += r.Failed + r.Unreachable
	}
	return out, err
}

func sorted[T any](list iter.Seq[T], by func(a, b T) int) []T { return slices.SortedFunc(list, by) }
