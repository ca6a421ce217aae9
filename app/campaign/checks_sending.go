package campaign

import (
	"fmt"
	"math"
	"strings"
	"time"

	"svc/app/account"
	"svc/app/policy"
)

// named are the accounts for which is holds, as a sentence lists them.
func (f *facts) named(is func(*accountFact) bool) string {
	var out []string
	for i := range f.accounts {
		if is(&f.accounts[i]) {
			out = append(out, f.accounts[i].name)
		}
	}
	return strings.Join(out, ", ")
}

func checkSelected(f *facts) (Verdict, string) {
	if len(f.accounts) == 0 {
		return Fail, "No account is chosen; choose one that sends."
	}
	return Pass, people(len(f.accounts), "account is chosen.", "accounts are chosen.")
}

func checkAuthorized(f *facts) (Verdict, string) {
	if list := f.named(func(a *accountFact) bool { return a.status == account.AuthRequired }); list != "" {
		return Fail, "These accounts must sign in again: " + list + "."
	}
	return Pass, "Every account is signed in."
}

func checkHealthy(f *facts) (Verdict, string) {
	ill := f.named(func(a *accountFact) bool {
		return a.status == account.Restricted || a.status == account.Disconnected || a.status == account.Failed
	})
	if ill != "" {
		return Fail, "These accounts are restricted or cannot be reached: " + ill + "; mend them, or take them off the campaign."
	}
	if list := f.named(func(a *accountFact) bool { return a.status == account.Paused }); list != "" {
		return Warn, "These accounts are paused and send nothing: " + list + "."
	}
	return Pass, "Every account is well."
}

func checkActive(f *facts) (Verdict, string) {
	if f.named(func(a *accountFact) bool { return a.sends }) == "" {
		return Fail, "None of the accounts is active; resume one, or add another."
	}
	return Pass, "At least one account is active."
}

func checkCooldown(f *facts) (Verdict, string) {
	if list := f.named(func(a *accountFact) bool { return a.cooldown.After(f.now) }); list != "" {
		return Warn, "The messenger asked these accounts to wait: " + list + "; they begin later."
	}
	return Pass, "No account is cooling down."
}

func checkInUse(f *facts) (Verdict, string) {
	if list := f.named(func(a *accountFact) bool { return len(a.shared) > 0 }); list != "" {
		return Warn, "Other running campaigns use these accounts too: " + list + "; they share the pace and the daily limit."
	}
	return Pass, "No other running campaign uses the accounts."
}

// staleCheck is how old the check of a proxy may be before it is worth a warning.
const staleCheck = 24 * time.Hour

func checkProxies(f *facts) (Verdict, string) {
	var sending, broken, stale []string
	for i := range f.accounts {
		a := &f.accounts[i]
		if !a.sends {
			continue
		}
		sending = append(sending, a.name)
		switch {
		case a.proxy == nil:
		case a.proxy.broken:
			broken = append(broken, a.name)
		case f.now.Sub(a.proxy.checkedAt) > staleCheck:
			stale = append(stale, a.name)
		}
	}
	switch {
	case len(broken) > 0 && len(broken) == len(sending):
		return Fail, "The proxy of the only active account cannot be used: " + strings.Join(broken, ", ") + "; mend it."
	case len(broken) > 0:
		return Warn, "The proxies of these accounts cannot be used: " + strings.Join(broken, ", ") + "."
	case len(stale) > 0:
		return Warn, "The proxies of these accounts were not checked for 24 hours: " + strings.Join(stale, ", ") + "."
	}
	return Pass, "The proxies can be used."
}

func checkReachability(f *facts) (Verdict, string) {
	if n := f.audience.unreached; n > 0 {
		return Warn, people(n, "person is", "people are") + " known by a numeric ID only, which none of the accounts has met; without a username they cannot be reached."
	}
	return Pass, "Everybody has a username, or is known to one of the accounts."
}

// farthestStart is how far ahead a campaign may begin.
func farthestStart(now time.Time) time.Time { return now.AddDate(0, 12, 0) }

func checkSchedule(f *facts) (Verdict, string) {
	switch {
	case f.end != nil && !f.end.After(f.start):
		return Fail, "It would end before it begins; move end_at behind the start."
	case f.start.After(farthestStart(f.now)):
		return Fail, "It begins more than 12 months ahead; choose an earlier time."
	case f.scheduled != nil && f.scheduled.Before(f.now):
		return Warn, "Its scheduled time has passed: it begins at once."
	case f.scheduled != nil:
		return Pass, "It begins at its scheduled time."
	}
	return Pass, "It begins at once."
}

func checkWindow(f *facts) (Verdict, string) {
	if f.window == nil {
		return Pass, "Messages may be sent at any time."
	}
	if f.window.Empty() {
		return Fail, "The sending window is empty; choose days, and an end that is not its start."
	}
	s, ok := f.window.Around(f.start)
	if !ok || f.end != nil && !s.Start.Before(*f.end) {
		return Fail, "The sending window does not open between the start and the end of the campaign."
	}
	return Pass, "The sending window opens within the schedule."
}

func checkRepeat(f *facts) (Verdict, string) {
	if f.repeat == nil {
		return Pass, "The campaign does not repeat."
	}
	next, ok, err := f.repeat.Next(f.first, f.start)
	switch {
	case f.laterRun && (err != nil || !ok || !f.runsLeft):
		return Pass, "This is the last run of its series."
	case err != nil || !ok || !f.runsLeft:
		return Fail, "The rule leads to no further run; change it, or remove it."
	case f.finishes && next.Before(f.finish):
		return Warn, "The next run is due before this one is estimated to end; it begins when this one has ended."
	}
	return Pass, "The next run is on " + next.In(f.repeat.Zone).Format("2 January 2006 at 15:04") + "."
}

// long is when a campaign is worth a warning.
const long = 7 * 24 * time.Hour

func checkCapacity(f *facts) (Verdict, string) {
	switch {
	case f.left <= 0:
		return Pass, "There is nobody to write to."
	case !f.finishes:
		return Fail, "With these accounts, limits and this window it never ends; add accounts, or widen the window."
	case f.end != nil && f.finish.After(*f.end):
		return Fail, fmt.Sprintf("It cannot be done before its end: the accounts need until %s. Add accounts, or move the end.", f.finish.UTC().Format("2 January 2006 15:04 UTC"))
	case f.finish.Sub(f.start) > long:
		return Warn, fmt.Sprintf("It takes about %d days.", int(math.Round(f.finish.Sub(f.start).Hours()/24)))
	}
	return Pass, "It is done on " + f.finish.UTC().Format("2 January 2006 at 15:04 UTC") + "."
}

// slowest is when the last of some workloads is done.
func slowest(workloads []policy.Workload, from time.Time, w *policy.Window) (finish time.Time, ok bool) {
	finish, ok = from, len(workloads) > 0
	for _, l := range workloads {
		t, done := l.Finish(from, w)
		if ok = ok && done; t.After(finish) {
			finish = t
		}
	}
	return finish, ok
}
