package event

import (
	"svc/app/api"
	"svc/app/module"
)

// Slice registers events. Their lists name the records of every [api.NameSource].
func Slice() module.Slice {
	return module.Slice{Name: "event", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB)
		return module.Module{
			Endpoints: s.Endpoints(),
			Ready:     func() { s.WithNames(api.NamesFrom(module.All[api.NameSource](e))) },
			Open:      Resume,
		}
	}}
}
