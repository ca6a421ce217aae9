package audit

import "svc/app/module"

// Slice registers the audit log.
func Slice() module.Slice {
	return module.Slice{Name: "audit", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB)
		module.Provide(e, s)
		return module.Module{Endpoints: s.Endpoints()}
	}}
}
