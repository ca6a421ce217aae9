package channel

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
	"svc/app/setting"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Slice registers channels. What this installation can reach, [Outside], is provided; without
// it nothing can be connected.
func Slice() module.Slice {
	return module.Slice{Name: "channel", Tables: Tables, New: func(e *module.Env) module.Module {
		outside, _ := module.Find[Outside](e)
		o := Options(outside)
		o.Bus, o.Log = e.Bus, e.Log
		s := New(e.DB, o)
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitChannelAccounts, Count: Count})
		module.Offer(e, api.NameSource{Prefix: "cha_", Perm: perm.AccountsRead, Names: NamesOf})
		module.Offer(e, setting.Connectable{PhotoNetwork: s.Network(platform.Photo) != nil, PageNetwork: s.Network(platform.Page) != nil, VideoNetwork: s.Network(platform.Video) != nil})
		return module.Module{
			Endpoints: s.Endpoints(), Workers: s.work, Periodic: s.schedule,
			Cleanup: []module.Cleanup{{Platform: forgetDeliveries}, {Platform: forgetErasures}, {Platform: forgetQuotas}, {EachOrg: forgetPending}},
			Ready: func() {
				s.receivers = module.All[Receiver](e)
				for _, m := range module.All[Mapper](e) {
					s.mapper = m
				}
				for _, f := range module.All[ConversationOf](e) {
					s.conversation = f
				}
			},
		}
	}}
}

func (s *Service) work(w *queue.Workers) {
	queue.Register(w, s.round)
	queue.Register(w, s.check, queue.WithTimeout(checkTime))
	queue.Register(w, s.intake, queue.WithTimeout(4*intakeTurn), queue.Needed())
	queue.Register(w, s.wake, queue.Needed())
	queue.Register(w, s.goodbye, queue.Needed())
	queue.Register(w, s.forget, queue.Needed())
}

// NamesOf are the names of accounts.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, accounts, ids, (*Account).DisplayName)
}
