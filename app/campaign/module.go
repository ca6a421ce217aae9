package campaign

import (
	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/campaign/check"
	"svc/app/content"
	"svc/app/module"
	"svc/app/org"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/messenger"
)

// Slice registers campaigns.
func Slice() module.Slice {
	return module.Slice{Name: "campaign", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{
			Bus: e.Bus, Content: module.Get[*content.Service](e), Org: module.Get[*org.Service](e),
			NoAddress: withoutAddress(e), NoUsualHours: e.Options.NoUsualHours, Log: e.Log,
		})
		module.Get[*send.Service](e).Register(send.Campaign, s)
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitActiveCampaigns, Count: Active})
		module.Offer(e, api.NameSource{Prefix: "cmp_", Perm: perm.CampaignsRead, Names: NamesOf})
		module.Offer(e, audience.CampaignReach(s.Reach))
		module.Offer(e, account.CampaignUse(InUse))
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work, Periodic: Schedule}
	}}
}

// withoutAddress is what checks say of opt-out links that nobody can open: on a simulator
// nobody real misses them.
func withoutAddress(e *module.Env) check.Verdict {
	if e.Options.PublicURL != "" {
		return ""
	}
	if d, ok := module.Find[messenger.Driver](e); ok && d.Kind() == messenger.MTProto {
		return check.Fail
	}
	return check.Warn
}
