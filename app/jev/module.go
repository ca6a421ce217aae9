package jev

import (
	"svc/ai/providers"
	"svc/app/module"
)

// Slice registers the outside decision service.
func Slice() module.Slice {
	return module.Slice{Name: "jev", Tables: Tables, New: func(e *module.Env) module.Module {
		opener, ok := module.Find[*providers.Opener](e)
		if !ok {
			opener = providers.New(false)
		}
		s := New(e.DB, opener)
		module.Provide(e, s)
		return module.Module{Endpoints: s.Endpoints(), Ready: func() {
			for _, f := range module.All[Fields](e) {
				s.more = append(s.more, f...)
			}
		}}
	}}
}
