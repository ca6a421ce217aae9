package hook

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
)

// Slice registers webhooks. Deliveries go out by the [Sender] that is provided.
func Slice() module.Slice {
	return module.Slice{Name: "hook", Tables: Tables, New: func(e *module.Env) module.Module {
		sender, _ := module.Find[Sender](e)
		s := New(e.DB, Options{
			Sender: sender, Production: e.Options.Production(), AllowPrivate: e.Options.PrivateWebhooks, Version: e.Options.Version, Log: e.Log,
		})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitWebhooks, Count: Count})
		module.Offer(e, api.NameSource{Prefix: "whk_", Perm: perm.WebhooksRead, Names: NamesOf})
		return module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work, Run: s.Run,
			Cleanup: []module.Cleanup{{EachOrg: Purge}},
		}
	}}
}
