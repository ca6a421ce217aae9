package campaign

import (
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/campaign/schedule"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// sharing is how people are given to the accounts, as a launch would do it, where that
// has to be found person by person: there are several accounts, and somebody is known to
// one of them. nil: it is arithmetic.
func sharing(tx *store.Tx, orgID string, k *Campaign, f *facts) (*binding, error) {
	if k.SnapshotAt != nil || len(k.AccountIDs) < 2 || f.audience.met == 0 {
		return nil, nil
	}
	return bindingOf(tx, orgID, k, nil)
}

// gatherLanes estimates when the last person will have the message. What is bound to an
// account that does not send is not in it: another check warns of that account.
func (s *Service) gatherLanes(tx *store.Tx, orgID string, k *Campaign, f *facts, share *binding) (err error) {
	f.left = f.audience.sendable - f.missing
	var lanes []schedule.Lane
	switch {
	case k.SnapshotAt != nil:
		lanes, f.left, _, err = s.lanesLeft(tx, orgID, k, f.start)
	case share != nil:
		lanes, _, err = s.lanesFor(tx, orgID, share.load, f.start)
	default:
		lanes, err = lanesOf(tx, orgID, k.AccountIDs, f.left, f.start, s.o.NoPacing)
	}
	f.finish, f.finishes = slowest(lanes, f.start, f.window)
	f.quiet = quietMoment(lanes, f.start, f.window, f.end, f.zone)
	return err
}

// lanesLeft is what a campaign that has begun has left to send, from a moment on: by
// account, and in all. stuck says that some of it waits for an account that does not send.
func (s *Service) lanesLeft(tx *store.Tx, orgID string, k *Campaign, from time.Time) (lanes []schedule.Lane, left int, stuck bool, err error) {
	n, err := send.Counts(tx, orgID, k.ID)
	if err != nil {
		return nil, 0, false, err
	}
	if left = n[send.Waiting]; !k.Planned {
		left += max(0, k.Audience-n.Count())
		lanes, err = lanesOf(tx, orgID, k.AccountIDs, left, from, s.o.NoPacing)
		return lanes, left, false, err
	}
	load := map[string]int{}
	for _, id := range k.AccountIDs {
		n, err := send.CountsOfAccount(tx, orgID, k.ID, id)
		if err != nil {
			return nil, 0, false, err
		}
		load[id] = n[send.Waiting]
	}
	lanes, stuck, err = s.lanesFor(tx, orgID, load, from)
	return lanes, left, stuck, err
}

// lanesFor are the accounts that send and have something to, each with what that is.
// stuck says that another has something.
func (s *Service) lanesFor(tx *store.Tx, orgID string, load map[string]int, from time.Time) (lanes []schedule.Lane, stuck bool, err error) {
	set, err := setting.Get(tx)
	if err != nil {
		return nil, false, err
	}
	for _, id := range slices.Sorted(maps.Keys(load)) {
		if load[id] == 0 {
			continue
		}
		a, err := account.Get(tx, orgID, id)
		if store.IgnoreNotFound(err) != nil {
			return nil, false, err
		}
		if err != nil || !a.Sends() {
			stuck = true
			continue
		}
		l, err := laneOf(tx, orgID, &a, &set, from, s.o.NoPacing)
		if err != nil {
			return nil, false, err
		}
		l.Left = load[id]
		lanes = append(lanes, l)
	}
	return lanes, stuck, nil
}

// lanesOf shares people out among the accounts that send, each as many as it sends in
// the same time.
func lanesOf(tx *store.Tx, orgID string, ids []string, left int, from time.Time, noPacing bool) (out []schedule.Lane, err error) {
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	var sum float64
	var speed []float64
	for _, id := range ids {
		a, err := account.Get(tx, orgID, id)
		if err != nil || !a.Sends() {
			if store.IgnoreNotFound(err) != nil {
				return nil, err
			}
			continue
		}
		l, err := laneOf(tx, orgID, &a, &set, from, noPacing)
		if err != nil {
			return nil, err
		}
		daily := perDay(&a, &set)
		out, speed = append(out, l), append(speed, daily)
		sum += daily
	}
	rest := left
	for i := range out {
		out[i].Left = int(float64(left) * speed[i] / max(sum, 1))
		rest -= out[i].Left
	}
	for i := range out {
		if rest > 0 {
			out[i].Left++
			rest--
		}
	}
	return out, nil
}

// laneOf is an account with nothing to send yet, as it stands at a moment to come: what it
// sent today does not count tomorrow.
func laneOf(tx *store.Tx, orgID string, a *account.Account, set *setting.Settings, from time.Time, noPacing bool) (schedule.Lane, error) {
	p, err := account.PaceOf(tx, orgID, a.ID)
	if store.IgnoreNotFound(err) != nil {
		return schedule.Lane{}, err
	}
	daily, interval := a.Pacing(set)
	l := schedule.Lane{
		Interval: time.Duration(interval) * time.Second, Limit: daily, SentToday: p.SentOn(from), NotBefore: p.CooldownUntil,
	}
	if again := p.LastSentAt.Add(l.Interval); again.After(l.NotBefore) {
		l.NotBefore = again
	}
	if noPacing {
		l.Interval, l.Limit, l.NotBefore = 0, 1<<30, p.CooldownUntil
	}
	return l, nil
}
