package check

import (
	"fmt"
	"math"
	"strings"
	"time"

	"svc/app/account"
	"svc/app/policy"
)

// named are the accounts for which is holds, as a sentence lists them.
func (f *Facts) named(is func(*Account) bool) string {
	var out []string
	for i := range f.Accounts {
		if is(&f.Accounts[i]) {
			out = append(out, f.Accounts[i].Name)
		}
	}
	return strings.Join(out, ", ")
}

func checkSelected(f *Facts) (Verdict, string) {
	if len(f.Accounts) == 0 {
		return Fail, "No account is chosen; choose one that sends."
	}
	return Pass, people(len(f.Accounts), "account is chosen.", "accounts are chosen.")
}

func checkAuthorized(f *Facts) (Verdict, string) {
	if list := f.named(func(a *Account) bool { return a.Status == account.AuthRequired }); list != "" {
		return Fail, "These accounts must sign in again: " + list + "."
	}
	return Pass, "Every account is signed in."
}

func checkHealthy(f *Facts) (Verdict, string) {
	ill := f.named(func(a *Account) bool {
		return a.Status == account.Restricted || a.Status == account.Disconnected || a.Status == account.Failed
	})
	if ill != "" {
		return Fail, "These accounts are restricted or cannot be reached: " + ill + "; mend them, or take them off the campaign."
	}
	if list := f.named(func(a *Account) bool { return a.Status == account.Paused }); list != "" {
		return Warn, "These accounts are paused and send nothing: " + list + "."
	}
	return Pass, "Every account is well."
}

func checkActive(f *Facts) (Verdict, string) {
	if f.named(func(a *Account) bool { return a.Sends }) == "" {
		return Fail, "None of the accounts is active; resume one, or add another."
	}
	return Pass, "At least one account is active."
}

func checkCooldown(f *Facts) (Verdict, string) {
	if list := f.named(func(a *Account) bool { return a.Cooldown.After(f.Now) }); list != "" {
		return Warn, "The messenger asked these accounts to wait: " + list + "; they begin later."
	}
	return Pass, "No account is cooling down."
}

func checkInUse(f *Facts) (Verdict, string) {
	if list := f.named(func(a *Account) bool { return len(a.Shared) > 0 }); list != "" {
		return Warn, "Other running campaigns use these accounts too: " + list + "; they share the pace and the daily limit."
	}
	return Pass, "No other running campaign uses the accounts."
}

// staleCheck is how old the check of a proxy may be before it is worth a warning.
const staleCheck = 24 * time.Hour

func checkProxies(f *Facts) (Verdict, string) {
	var sending, broken, stale []string
	for i := range f.Accounts {
		a := &f.Accounts[i]
		if !a.Sends {
			continue
		}
		sending = append(sending, a.Name)
		switch {
		case a.Proxy == nil:
		case a.Proxy.Broken:
			broken = append(broken, a.Name)
		case f.Now.Sub(a.Proxy.CheckedAt) > staleCheck:
			stale = append(stale, a.Name)
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

func checkReachability(f *Facts) (Verdict, string) {
	if n := f.Audience.Unreached; n > 0 {
		return Warn, people(n, "person is", "people are") + " known by a numeric ID only, which none of the accounts has met; without a username they cannot be reached."
	}
	return Pass, "Everybody has a username, or is known to one of the accounts."
}

// farthestStart is how far ahead a campaign may begin.
func farthestStart(now time.Time) time.Time { return now.AddDate(0, 12, 0) }

func checkSchedule(f *Facts) (Verdict, string) {
	switch {
	case f.End != nil && !f.End.After(f.Start):
		return Fail, "It would end before it begins; move end_at behind the start."
	case f.Start.After(farthestStart(f.Now)):
		return Fail, "It begins more than 12 months ahead; choose an earlier time."
	case f.Scheduled != nil && f.Scheduled.Before(f.Now):
		return Warn, "Its scheduled time has passed: it begins at once."
	case f.Scheduled != nil:
		return Pass, "It begins at its scheduled time."
	}
	return Pass, "It begins at once."
}

func checkWindow(f *Facts) (Verdict, string) {
	if f.Window == nil {
		return Pass, "Messages may be sent at any time."
	}
	if f.Window.Empty() {
		return Fail, "The sending window is empty; choose days, and an end that is not its start."
	}
	s, ok := f.Window.Around(f.Start)
	if !ok || f.End != nil && !s.Start.Before(*f.End) {
		return Fail, "The sending window does not open between the start and the end of the campaign."
	}
	return Pass, "The sending window opens within the schedule."
}

func checkRepeat(f *Facts) (Verdict, string) {
	if f.Repeat == nil {
		return Pass, "The campaign does not repeat."
	}
	next, ok, err := f.Repeat.Next(f.First, f.Start)
	switch {
	case f.LaterRun && (err != nil || !ok || !f.RunsLeft):
		return Pass, "This is the last run of its series."
	case err != nil || !ok || !f.RunsLeft:
		return Fail, "The rule leads to no further run; change it, or remove it."
	case f.Finishes && next.Before(f.FinishAt):
		return Warn, "The next run is due before this one is estimated to end; it begins when this one has ended."
	}
	return Pass, "The next run is on " + next.In(f.Repeat.Zone).Format("2 January 2006 at 15:04") + "."
}

// long is when a campaign is worth a warning.
const long = 7 * 24 * time.Hour

func checkCapacity(f *Facts) (Verdict, string) {
	switch {
	case f.Left <= 0:
		return Pass, "There is nobody to write to."
	case !f.Finishes:
		return Fail, "With these accounts, limits and this window it never ends; add accounts, or widen the window."
	case f.End != nil && f.FinishAt.After(*f.End):
		return Fail, fmt.Sprintf("It cannot be done before its end: the accounts need until %s. Add accounts, or move the end.", f.FinishAt.UTC().Format("2 January 2006 15:04 UTC"))
	case f.FinishAt.Sub(f.Start) > long:
		return Warn, fmt.Sprintf("It takes about %d days.", int(math.Round(f.FinishAt.Sub(f.Start).Hours()/24)))
	}
	return Pass, "It is done on " + f.FinishAt.UTC().Format("2 January 2006 at 15:04 UTC") + "."
}

// Finish is when the last of some workloads is done.
func Finish(workloads []policy.Workload, from time.Time, w *policy.Window) (finish time.Time, ok bool) {
	finish, ok = from, len(workloads) > 0
	for _, l := range workloads {
		t, done := l.Finish(from, w)
		if ok = ok && done; t.After(finish) {
			finish = t
		}
	}
	return finish, ok
}
