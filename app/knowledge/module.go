package knowledge

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/knowledge/source"
	"svc/app/module"
	"svc/app/org"
	"svc/app/signal"
)

// Slice registers the knowledge of businesses.
func Slice() module.Slice {
	return module.Slice{Name: "knowledge", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{Data: e.Options.Data, Log: e.Log})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitKnowledgeSources, Count: source.Count})
		module.Offer(e, api.NameSource{Prefix: "kns_", Perm: perm.AIRead, Names: source.NamesOf})
		Subscribe(e.Bus)
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work, Periodic: s.Sources.Schedule}
	}}
}

// Subscribe lets knowledge follow businesses and their offers.
func Subscribe(b *signal.Bus) { source.Subscribe(b) }
