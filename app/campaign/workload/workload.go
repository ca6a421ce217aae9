// Package workload is what the accounts of a campaign have to send, as they stand now: estimates of
// when it is done are made of it. noPacing says that accounts send without pace and daily limit.
package workload

import (
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/campaign/record"
	"svc/app/policy"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// PerDay is how many messages an account sends in a day.
func PerDay(a *account.Account, set *setting.Settings) float64 {
	const day = 24 * 60 * 60
	daily, interval := a.Pacing(set)
	return min(float64(daily), day/float64(max(interval, 1)))
}

// Left is what a campaign that has begun has left to send, from a moment on: by
// account, and in all. stuck says that some of it waits for an account that does not send.
func Left(tx *store.Tx, orgID string, k *record.Campaign, from time.Time, noPacing bool) (loads []policy.Workload, left int, stuck bool, err error) {
	n, err := send.Counts(tx, orgID, k.ID)
	if err != nil {
		return nil, 0, false, err
	}
	if left = n[send.Waiting]; !k.Planned {
		left += max(0, k.Audience-n.Count())
		loads, err = Among(tx, orgID, k.AccountIDs, left, from, noPacing)
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
	loads, stuck, err = For(tx, orgID, load, from, noPacing)
	return loads, left, stuck, err
}

// For are the accounts that send and have something to, each with what that is.
// stuck says that another has something.
func For(tx *store.Tx, orgID string, load map[string]int, from time.Time, noPacing bool) (loads []policy.Workload, stuck bool, err error) {
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
		l, err := Of(tx, orgID, &a, &set, from, noPacing)
		if err != nil {
			return nil, false, err
		}
		l.Left = load[id]
		loads = append(loads, l)
	}
	return loads, stuck, nil
}

// Among shares people out among the accounts that send, each as many as it sends in
// the same time.
func Among(tx *store.Tx, orgID string, ids []string, left int, from time.Time, noPacing bool) (out []policy.Workload, err error) {
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
		l, err := Of(tx, orgID, &a, &set, from, noPacing)
		if err != nil {
			return nil, err
		}
		daily := PerDay(&a, &set)
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

// Of is an account with nothing to send yet, as it stands at a moment to come.
func Of(tx *store.Tx, orgID string, a *account.Account, set *setting.Settings, from time.Time, noPacing bool) (policy.Workload, error) {
	p, err := send.PaceAt(tx, orgID, a, set, from)
	p.Off = noPacing
	return policy.Workload{Pace: p}, err
}
