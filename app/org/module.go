package org

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/event"
	"svc/app/module"
	"svc/store"
)

// UsageCounter says how much of one limit an organization uses. The slice that keeps
// what the limit counts offers it.
type UsageCounter struct {
	Limit LimitKey
	Count Counter
}

// Slice registers organizations. What is used of a limit, and what was sent and spent,
// the slices say that offer a [UsageCounter] and a [Meter].
func Slice() module.Slice {
	return module.Slice{Name: "org", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, e.Bus, Options{})
		module.Provide(e, s)
		module.Offer(e, api.NameSource{Prefix: "org_", Perm: perm.Anyone, Names: NamesOf})
		return module.Module{
			Endpoints: s.Endpoints(),
			Ready: func() {
				for _, c := range module.All[UsageCounter](e) {
					s.counters[c.Limit] = c.Count
				}
				for _, m := range module.All[Meter](e) {
					if m.Messages != nil {
						s.meter.Messages = m.Messages
					}
					if m.AI != nil {
						s.meter.AI = m.AI
					}
				}
			},
			Cleanup: []module.Cleanup{
				{EachOrg: func(tx *store.Tx, id string, _ int) (int, error) { return 0, s.WarnNearLimits(tx, id) }},
				{EachOrg: purgeEvents},
			},
		}
	}}
}

// purgeEvents removes the events that an organization keeps no longer: how long that is,
// its plan says.
func purgeEvents(tx *store.Tx, id string, limit int) (int, error) {
	o, err := Get(tx, id)
	if err != nil {
		return 0, err
	}
	return event.Purge(tx, id, tx.DB().Now().AddDate(0, 0, -o.EventsDays()), limit)
}
