package engine

import (
	"svc/ai/providers"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/module"
	"svc/app/org"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// Slice registers the AI engine. Providers are reached by the [providers.Opener] that is
// provided; the demo model is there with the simulator of the messenger.
func Slice() module.Slice {
	return module.Slice{Name: "engine", Tables: Tables, New: func(e *module.Env) module.Module {
		o := Options{Calls: e.Options.AICalls, Log: e.Log}
		o.Providers, _ = module.Find[*providers.Opener](e)
		if driver, ok := module.Find[messenger.Driver](e); ok && driver != nil {
			o.Demo = driver.Kind() == messenger.Simulator
		}
		s := New(e.DB, o)
		module.Provide(e, s)
		signal.On(e.Bus, func(tx *store.Tx, _ *api.Call, x business.Deleted) error { return agent.Forget(tx, x.Org, x.Business) })
		module.Offer(e, org.Meter{AI: budget.Used})
		module.Offer(e, api.NameSource{Prefix: "aip_", Perm: perm.AIRead, Names: s.Providers.NamesOf})
		ready := func() {
			for _, q := range module.All[Quality](e) {
				s.Prompts.UseQuality(q.Versions)
				s.Chains.CheckGates(q.CheckGate)
			}
		}
		return module.Module{Endpoints: s.Endpoints(), Ready: ready, Run: s.Watch, Cleanup: []module.Cleanup{{EachOrg: execution.Purge}}}
	}}
}
