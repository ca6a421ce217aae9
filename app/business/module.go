package business

import (
	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
	"svc/store"
)

// Slice registers the configuration of the seller.
func Slice() module.Slice {
	return module.Slice{Name: "business", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{Bus: e.Bus, AccountName: func(tx *store.Tx, org, id string) (string, error) {
			a, err := account.Get(tx, org, id)
			return a.DisplayName(), err
		}})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitAIBusinesses, Count: Count})
		module.Offer(e, api.NameSource{Prefix: "bus_", Perm: perm.AIRead, Names: NamesOf})
		return module.Module{Endpoints: s.Endpoints()}
	}}
}
