package send

import (
	"slices"
	"time"

	"svc/app/policy"
	"svc/app/send/figures"
	"svc/messenger"
)

// The bounds of sending (contract 4.7 and 47).
const (
	maxAttempts = 5
	maxSkips    = 50 // jobs without a message that one claim passes over

	// lookAgain is after how long an account that waits is looked at all the same,
	// should it have missed that it need not wait.
	lookAgain = 5 * time.Minute
	// contentWithin and filesWithin bound one try.
	contentWithin = time.Minute
	filesWithin   = 10 * time.Minute
	// busyFor is how long a person counts as being written to at the latest.
	busyFor = filesWithin + time.Minute
	// optOutAfter is how long after a message an opt-out counts as its effect.
	optOutAfter = 7 * 24 * time.Hour
)

// retryWaits come before tries 2 to 5 after faults of the transport.
var retryWaits = [maxAttempts - 1]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, policy.LongestHold}

// may says whether a campaign sends from an account at a time and, when it only waits
// for its window, when that opens; the zero time for no such wait.
func (b *CampaignPolicy) may(account string, now time.Time) (ok bool, opens time.Time) {
	switch {
	case !b.Running, b.Ended, !slices.Contains(b.Accounts, account), b.EndAt != nil && !now.Before(*b.EndAt):
		return false, opens
	}
	return b.Window.Opens(now)
}

// drops says whether jobs of an account that have no outcome are given up.
func (b *CampaignPolicy) drops(account string) bool {
	return b.Ended || !slices.Contains(b.Accounts, account)
}

// fate is what becomes of a job after a try, and what its account hears of it.
type fate struct {
	status    Status
	code      string
	wait      time.Duration // before it is tried again
	counts    bool          // as an attempt
	hold      bool          // paced messages of the account wait as long
	flood     bool          // the account cools down
	unhealthy bool          // the account's health is affected
}

// judge decides after a try; attempts are those that ended before it. nil is
// success. Where an error leads out of ACTIVE, the job waits for its account however
// many attempts it had (contract 4.8).
func judge(e *messenger.Error, attempts int) fate {
	if e == nil {
		return fate{status: Delivered, counts: true}
	}
	switch e.Fault {
	case messenger.Flood:
		return fate{status: Waiting, code: e.Code, wait: e.Wait, flood: true}
	case messenger.Wait:
		return fate{status: Waiting, code: e.Code, wait: e.Wait}
	case messenger.Restricted, messenger.SessionEnded, messenger.RouteFailed:
		return fate{status: Waiting, code: e.Code, unhealthy: true}
	case messenger.PeerUnreachable:
		return fate{status: Unreachable, code: unreachableAs(e.Code), counts: true}
	case messenger.ContentRefused, messenger.Refused, messenger.SignInRefused:
		return fate{status: Failed, code: e.Code, counts: true}
	}
	f := fate{status: Failed, code: e.Code, counts: true, unhealthy: e.Fault == messenger.Unreachable}
	if attempts+1 < maxAttempts {
		f.status, f.wait, f.hold = Waiting, retryWaits[attempts], true
	}
	return f
}

// unreachableAs is the code under which an unreachable person is shown.
func unreachableAs(code string) string {
	if figures.UnreachableCode(code) {
		return code
	}
	return "PEER_UNRESOLVABLE"
}

// sentences say what error codes mean to people.
var sentences = map[string]string{
	"PEER_UNRESOLVABLE":   "The account does not know this person and no public username leads to them.",
	"USERNAME_REASSIGNED": "The username belongs to somebody else now; nothing was sent.",
	"PRIVACY_RESTRICTED":  "The person does not take messages from this account.",
	"PEER_BLOCKED":        "The person blocked the account, or the account the person.",
	"PEER_DEACTIVATED":    "The person's account was deleted.",
	"PEER_IS_BOT":         "The username belongs to a program, not to a person.",
	internalError:         "Something failed on our side while the message was prepared.",
}

// internalError is the code of what we failed at.
const internalError = "INTERNAL"

// sentence is what a job shows of an error.
func sentence(f messenger.Fault, code string) string {
	if s := sentences[code]; s != "" {
		return s
	}
	switch f {
	case messenger.Flood, messenger.Wait:
		return "The messenger asked to wait; the message follows."
	case messenger.Restricted:
		return "The messenger keeps the account from writing (" + code + ")."
	case messenger.SessionEnded:
		return "The messenger ended the account's session (" + code + ")."
	case messenger.ContentRefused:
		return "The messenger does not take this message (" + code + ")."
	case messenger.Busy:
		return "The messenger failed (" + code + ")."
	case messenger.Unreachable:
		return "The messenger did not answer (" + code + ")."
	case messenger.RouteFailed:
		return "The messenger cannot be reached through the account's proxy (" + code + ")."
	}
	return "The messenger refused (" + code + ")."
}
