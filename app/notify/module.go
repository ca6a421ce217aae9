package notify

import (
	"svc/app/module"
	"svc/store"
)

// Slice registers what people must know.
func Slice() module.Slice {
	return module.Slice{Name: "notify", Tables: func() []store.AnyTable { return []store.AnyTable{table} }, New: func(e *module.Env) module.Module {
		return module.Module{
			Endpoints: New(e.DB).Endpoints(),
			Cleanup:   []module.Cleanup{{EachOrg: Purge}},
		}
	}}
}
