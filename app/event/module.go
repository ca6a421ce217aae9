package event

import (
	"svc/app/api"
	"svc/app/module"
	"svc/store"
)

// Slice registers events. Their lists name the records of every [api.NameSource].
func Slice() module.Slice {
	return module.Slice{Name: "event", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB)
		return module.Module{
			Endpoints: s.Endpoints(),
			Ready: func() {
				names := api.NamesFrom(module.All[api.NameSource](e))
				s.WithNames(func(c *api.Call, tx *store.Tx, ids []string) (map[string]string, error) {
					return names(c, tx, c.Org, ids)
				})
			},
			Open: Resume,
		}
	}}
}
