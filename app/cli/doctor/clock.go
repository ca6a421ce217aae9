package doctor

import (
	"context"
	"errors"
	"os"
	"time"

	"svc/app/local"
)

const (
	// slowClock is how far a clock may be behind something that this machine wrote.
	slowClock = 5 * time.Minute
	// wrongClock is how far a clock may be from that of the messaging platform: beyond
	// it messages and windows are late or early by what a person notices.
	wrongClock = 30 * time.Second
)

// checkClock compares the clock with what was written before now and, when a server
// runs on the data folder, with the platform's clock and the newest entry of its
// database (contract 21.3, Clock): quotas, rates, opening hours and sending depend on it.
func (f *Findings) checkClock(ctx context.Context, c *Subject, now time.Time) {
	const area, do = "clock", "set the clock, for example with 'timedatectl set-ntp true'"
	if now.Year() < 2026 { // this program is younger
		f.bad(area, "time", do, "it is %s, says this machine", now.UTC().Format(time.RFC3339))
		return
	}
	for _, path := range []string{c.Map, c.Keys, c.Usage, c.Database} {
		info, err := os.Stat(path)
		if path == "" || err != nil {
			continue // told elsewhere
		}
		if ahead := info.ModTime().Sub(now); ahead > slowClock {
			f.bad(area, "time", do, "%s was written in the future, %s from now", path, ahead.Round(time.Minute))
			return
		}
	}
	clocks, err := clocksOf(ctx, c.Data)
	switch ahead := clocks.Newest.Sub(now); {
	case err != nil:
		f.warn(area, "time", "see that this user may open the data folder", "the running server cannot be asked: %v", err)
		return
	case !clocks.Newest.IsZero() && ahead > slowClock:
		f.bad(area, "time", do, "the newest entry of the database is %s in the future", ahead.Round(time.Minute))
		return
	case clocks.Known && clocks.Ahead.Abs() > wrongClock:
		f.bad(area, "time", do, "it is %s %s the messaging platform's", clocks.Ahead.Abs().Round(time.Second), aheadOrBehind(clocks.Ahead))
		return
	case clocks.Known:
		f.good(area, "time", "%s, as on the messaging platform", now.UTC().Format(time.RFC3339))
		return
	}
	f.good(area, "time", "%s", now.UTC().Format(time.RFC3339))
}

func aheadOrBehind(d time.Duration) string {
	if d < 0 {
		return "behind"
	}
	return "ahead of"
}

// clocksOf asks the server that runs on a data folder; without one nothing is known.
func clocksOf(ctx context.Context, dir string) (local.Clocks, error) {
	client, err := local.Dial(ctx, dir)
	if errors.Is(err, local.ErrNotRunning) {
		return local.Clocks{}, nil
	}
	if err != nil {
		return local.Clocks{}, err
	}
	defer func() { _ = client.Close() }() // it was only asked
	return client.Clocks(ctx)
}
