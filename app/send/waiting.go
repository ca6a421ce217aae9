package send

import (
	"slices"
	"time"

	"svc/app/account"
	"svc/app/policy"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
)

// pickedUp is how long an account that could send may be idle before it shows that
// nobody works.
const pickedUp = 5 * time.Second

// view is what one account of a campaign shows of why nothing is sent.
type view struct {
	sending bool // a message of the campaign is on its way
	other   bool // one of somebody else is
	pace    policy.Pace
	dueAt   time.Time // when the scheduler should look; zero for never
	retryAt time.Time // when all that is left is tried again; zero for no such wait
}

// waitsFor is what a running campaign waits for; accounts are those that may send
// and have something of it left. "" means that it sends, or has nothing to send from
// an account that may. Of several accounts the one counts that goes on first.
func waitsFor(accounts []view, windowOpen, paused bool, now time.Time) policy.Wait {
	if slices.ContainsFunc(accounts, func(v view) bool { return v.sending }) || len(accounts) == 0 {
		return ""
	}
	switch {
	case paused:
		return policy.WaitWorker
	case !windowOpen:
		return policy.WaitWindow
	}
	var soonest time.Time
	reason := policy.Wait("")
	for i, v := range accounts {
		until, why := v.waits(now)
		if i == 0 || until.Before(soonest) {
			soonest, reason = until, why
		}
	}
	return reason
}

// waits is what one account waits for, and until when.
func (v *view) waits(now time.Time) (until time.Time, why policy.Wait) {
	until, why = v.pace.Next(Campaign.paced(), now)
	if v.pace.Hold.After(now) && !v.pace.Hold.Before(until) {
		why = policy.WaitWorker
	}
	switch {
	case v.retryAt.After(until) && v.retryAt.After(now):
		return v.retryAt, policy.WaitCooldown
	case why != "":
		return until, why
	case v.other:
		return now, policy.WaitPacing
	case !v.dueAt.IsZero() && now.Sub(v.dueAt) > pickedUp:
		return now, policy.WaitWorker
	}
	return now, ""
}

// WaitingOf is what a running campaign waits for at a time (contract 4.1);
// "" is nothing.
func WaitingOf(tx *store.Tx, org, batch string, now time.Time) (policy.Wait, error) {
	b, err := policies.Get(tx, org, batch)
	if err != nil || !b.Running {
		return "", store.IgnoreNotFound(err)
	}
	set, err := setting.Get(tx)
	if err != nil {
		return "", err
	}
	var views []view
	for _, id := range b.Accounts {
		v, ok, err := viewOf(tx, org, batch, id, &set, now)
		if err != nil {
			return "", err
		}
		if ok {
			views = append(views, v)
		}
	}
	open, _ := b.Window.Opens(now)
	stats, err := queue.StatsOf(tx, queue.Send)
	return waitsFor(views, open, stats.Paused, now), err
}

// viewOf looks at an account of a campaign; ok is false for one that cannot send or
// has nothing left of it.
func viewOf(tx *store.Tx, org, batch, id string, set *setting.Settings, now time.Time) (v view, ok bool, err error) {
	left, err := counted.Count(tx, org, countName(batch, id, Waiting))
	if err != nil || left == 0 {
		return v, false, err
	}
	a, err := account.Get(tx, org, id)
	if err != nil || !a.Sends() {
		return v, false, store.IgnoreNotFound(err)
	}
	l, err := accountQueueOf(tx, org, id)
	if err != nil {
		return v, false, err
	}
	v.pace, err = paceOf(tx, org, &l, &a, set, now)
	v.dueAt = l.Slot.Due
	if l.InFlight != nil {
		v.sending = l.InFlight.Batch == batch
		v.other = !v.sending
	}
	if err != nil {
		return v, false, err
	}
	j, err := waiting.First(tx, org, store.Is(store.Tuple(store.Text(id), store.Int(third), store.Text(batch))))
	v.retryAt = j.RunAt // what was not tried comes first
	return v, true, store.IgnoreNotFound(err)
}
