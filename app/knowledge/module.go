package knowledge

import (
	"svc/ai/search"
	"svc/ai/web"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/engine"
	"svc/app/knowledge/gap"
	"svc/app/knowledge/ingest"
	"svc/app/knowledge/research"
	"svc/app/knowledge/source"
	"svc/app/module"
	"svc/app/org"
	"svc/app/signal"
)

// Slice registers the knowledge of businesses.
func Slice() module.Slice {
	return module.Slice{Name: "knowledge", Tables: Tables, New: func(e *module.Env) module.Module {
		o := Options{Vault: e.Vault(source.Files), Log: e.Log}
		o.Pages, _ = module.Find[*web.Client](e)
		o.Searcher, _ = module.Find[search.Searcher](e)
		o.Runs = module.Get[*engine.Service](e).Runs
		s := New(e.DB, o)
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitKnowledgeSources, Count: source.Count})
		module.Offer(e, api.NameSource{Prefix: "kns_", Perm: perm.AIRead, Names: source.NamesOf})
		Subscribe(e.Bus)
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work, Periodic: s.Sources.Schedule, Cleanup: []module.Cleanup{{Platform: ingest.Forget}, {EachOrg: gap.Purge}}}
	}}
}

// Subscribe lets knowledge follow businesses and their offers.
func Subscribe(b *signal.Bus) {
	source.Subscribe(b)
	signal.On(b, research.BusinessDeleted)
	gap.Subscribe(b)
}
