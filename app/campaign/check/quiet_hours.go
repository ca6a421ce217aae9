package check

import (
	"fmt"
	"time"

	"svc/app/policy"
)

// The day that messages disturb nobody: from dayBegins on, before dayEnds, at the clocks
// of the campaign's time zone (contract 21.1, Night).
const (
	dayBegins policy.Clock = 8 * 60
	dayEnds   policy.Clock = 21 * 60
)

// FirstQuiet is the first moment outside that day at which one of the workloads sends; the
// zero time when none does. end is that of the campaign, nil for none.
func FirstQuiet(workloads []policy.Workload, from time.Time, w *policy.Window, end *time.Time, zone *time.Location) (first time.Time) {
	for _, l := range workloads {
		for s := range l.Sends(from, w) {
			at := firstQuietOf(s, zone)
			if end != nil && !s.Start.Before(*end) || !first.IsZero() && !s.Start.Before(first) {
				break
			}
			if !at.IsZero() && (end == nil || at.Before(*end)) {
				if first.IsZero() || at.Before(first) {
					first = at
				}
				break
			}
		}
	}
	return first
}

// firstQuietOf is the first moment of a span, its end included, outside the day; the zero
// time when there is none.
func firstQuietOf(s policy.Span, zone *time.Location) time.Time {
	local := s.Start.In(zone)
	begins, ends := policy.At(local, dayBegins, zone), policy.At(local, dayEnds, zone)
	switch {
	case local.Before(begins), !local.Before(ends):
		return s.Start
	case s.End.Before(ends):
		return time.Time{}
	}
	return ends
}

func checkQuiet(f *Facts) (Verdict, string) {
	if f.Quiet.IsZero() {
		return Pass, "It sends between 08:00 and 21:00 only."
	}
	at := f.Quiet.In(f.Zone)
	return Warn, fmt.Sprintf("It would send at %s (%s, %s), when people sleep; choose sending hours between 08:00 and 21:00.", at.Format("15:04"), at.Format("2 January 2006"), f.Zone)
}
