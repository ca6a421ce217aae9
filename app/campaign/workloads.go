package campaign

import (
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/campaign/check"
	"svc/app/policy"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// sharing is how people are given to the accounts, as a launch would do it, where that
// has to be found person by person: there are several accounts, and somebody is known to
// one of them. nil: it is arithmetic.
func sharing(tx *store.Tx, orgID string, k *Campaign, f *inspection) (*binding, error) {
	if k.SnapshotAt != nil || len(k.AccountIDs) < 2 || f.Audience.Met == 0 {
		return nil, nil
	}
	return bindingOf(tx, orgID, k, nil)
}

// gatherWorkloads estimates when the last person will have the message. What is bound to an
// account that does not send is not in it: another check warns of that account.
func (s *Service) gatherWorkloads(tx *store.Tx, orgID string, k *Campaign, f *inspection, share *binding) (err error) {
	f.Left = f.Audience.Sendable - f.Missing
	var loads []policy.Workload
	switch {
	case k.SnapshotAt != nil:
		loads, f.Left, _, err = s.workloadsLeft(tx, orgID, k, f.Start)
	case share != nil:
		loads, _, err = s.workloadsFor(tx, orgID, share.load, f.Start)
	default:
		loads, err = workloadsOf(tx, orgID, k.AccountIDs, f.Left, f.Start, s.o.NoPacing)
	}
	f.FinishAt, f.Finishes = check.Finish(loads, f.Start, f.Window)
	f.Quiet = check.FirstQuiet(loads, f.Start, f.Window, f.End, f.Zone)
	return err
}

// workloadsLeft is what a campaign that has begun has left to send, from a moment on: by
// account, and in all. stuck says that some of it waits for an account that does not send.
func (s *Service) workloadsLeft(tx *store.Tx, orgID string, k *Campaign, from time.Time) (loads []policy.Workload, left int, stuck bool, err error) {
	n, err := send.Counts(tx, orgID, k.ID)
	if err != nil {
		return nil, 0, false, err
	}
	if left = n[send.Waiting]; !k.Planned {
		left += max(0, k.Audience-n.Count())
		loads, err = workloadsOf(tx, orgID, k.AccountIDs, left, from, s.o.NoPacing)
		return loads, left, false, err
	}
	load := map[string]int{}
	for _, id := range k.AccountIDs {
		n, err := send.CountsOfAccount(tx, orgID, k.ID, id)
		if err != nil {
			return nil, 0, false, err
		}
		load[id] = n[send.Waiting]
	}
	loads, stuck, err = s.workloadsFor(tx, orgID, load, from)
	return loads, left, stuck, err
}

// workloadsFor are the accounts that send and have something to, each with what that is.
// stuck says that another has something.
func (s *Service) workloadsFor(tx *store.Tx, orgID string, load map[string]int, from time.Time) (loads []policy.Workload, stuck bool, err error) {
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
		l, err := workloadOf(tx, orgID, &a, &set, from, s.o.NoPacing)
		if err != nil {
			return nil, false, err
		}
		l.Left = load[id]
		loads = append(loads, l)
	}
	return loads, stuck, nil
}

// workloadsOf shares people out among the accounts that send, each as many as it sends in
// the same time.
func workloadsOf(tx *store.Tx, orgID string, ids []string, left int, from time.Time, noPacing bool) (out []policy.Workload, err error) {
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
		l, err := workloadOf(tx, orgID, &a, &set, from, noPacing)
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

// workloadOf is an account with nothing to send yet, as it stands at a moment to come.
func workloadOf(tx *store.Tx, orgID string, a *account.Account, set *setting.Settings, from time.Time, noPacing bool) (policy.Workload, error) {
	p, err := send.PaceAt(tx, orgID, a, set, from)
	p.Off = noPacing
	return policy.Workload{Pace: p}, err
}
