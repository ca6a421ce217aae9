package account

import (
	"svc/app/account/connection"
	"svc/app/account/proxy"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
	"svc/app/recipient"
	"svc/messenger"
	"svc/store"
)

// CampaignUse says how many running campaigns use an account. The slice of campaigns
// offers it.
type CampaignUse func(tx *store.Tx, org, account string) (running int, err error)

// BusinessOf says which business an account speaks for, "" for none. The slice of the
// seller's configuration offers it.
type BusinessOf func(tx *store.Tx, org, account string) (business string, err error)

// Slice registers messenger accounts. They are connected by the [messenger.Driver] that
// is provided; without one no account connects.
func Slice() module.Slice {
	return module.Slice{Name: "account", Tables: Tables, New: func(e *module.Env) module.Module {
		driver, connects := module.Find[messenger.Driver](e)
		s := New(e.DB, Options{Driver: driver, Bus: e.Bus, AllowPrivateProxies: e.Options.PrivateProxies, Log: e.Log})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitAccounts, Count: Count})
		module.Offer(e, api.NameSource{Prefix: "acc_", Perm: perm.AccountsRead, Names: NamesOf})
		module.Offer(e, api.NameSource{Prefix: "prx_", Perm: perm.ProxiesRead, Names: proxy.NamesOf})
		module.Offer(e, recipient.Acquaintances(KnownTo))
		m := module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work, Periodic: s.Schedule,
			Ready: func() {
				for _, f := range module.All[CampaignUse](e) {
					s.o.InUse = f
				}
				for _, f := range module.All[BusinessOf](e) {
					s.o.Business = f
				}
				for _, x := range module.All[connection.Inbox](e) {
					s.pool.SetInbox(x)
				}
			},
		}
		if connects {
			m.Support = s.Run // messages that are being sent need their connections to the end
		}
		return m
	}}
}
