package history

import (
	"svc/app/inbox/channel"
	"svc/app/module"
)

// Slice registers the import of histories.
func Slice() module.Slice {
	return module.Slice{Name: "history", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{Networks: module.Get[channel.Networks](e), Intake: module.Get[channel.Intake](e), Bus: e.Bus})
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work}
	}}
}
