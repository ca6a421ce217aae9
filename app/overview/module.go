package overview

import "svc/app/module"

// Slice registers the overview of an organization.
func Slice() module.Slice {
	return module.Slice{Name: "overview", New: func(e *module.Env) module.Module {
		return module.Module{Endpoints: New(e.DB, Known()).Endpoints()}
	}}
}
