package business

import (
	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/channel"
	"svc/app/inbox"
	"svc/app/module"
	"svc/app/org"
	"svc/app/signal"
	"svc/store"
)

// Slice registers the configuration of the seller.
func Slice() module.Slice {
	return module.Slice{Name: "business", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{Bus: e.Bus, AccountName: func(tx *store.Tx, org, id string) (string, error) {
			a, err := account.Get(tx, org, id)
			if store.IsNotFound(err) {
				x, err := channel.Get(tx, org, id)
				return x.DisplayName(), err
			}
			return a.DisplayName(), err
		}})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitAIBusinesses, Count: Count})
		module.Offer(e, api.NameSource{Prefix: "bus_", Perm: perm.AIRead, Names: NamesOf})
		module.Offer(e, api.NameSource{Prefix: "fnl_", Perm: perm.AIRead, Names: func(tx *store.Tx, org string, ids []string) (map[string]string, error) {
			return api.Names(tx, org, funnels, ids, func(f *Funnel) string { return f.Name })
		}})
		module.Offer(e, api.NameSource{Prefix: "ofr_", Perm: perm.AIRead, Names: func(tx *store.Tx, org string, ids []string) (map[string]string, error) {
			return api.Names(tx, org, offers, ids, func(o *Offer) string { return o.Name })
		}})
		module.Offer[account.BusinessOf](e, func(tx *store.Tx, org, id string) (string, error) {
			m, err := mappings.Get(tx, org, mapID(id))
			return m.BusinessID, store.IgnoreNotFound(err)
		})
		module.Offer(e, channel.Mapper{Of: func(tx *store.Tx, org, id string) (string, bool, error) {
			m, err := mappings.Get(tx, org, mapID(id))
			return m.BusinessID, m.AIEnabled, store.IgnoreNotFound(err)
		}, Set: s.mapAccount})
		module.Offer(e, inbox.Sellers{Acting: Acting, Businesses: IDsOf, StageName: StageName})
		signal.On(e.Bus, func(tx *store.Tx, _ *api.Call, x account.Deleted) error { return Unmap(tx, x.Org, x.ID) })
		return module.Module{Endpoints: s.Endpoints()}
	}}
}
