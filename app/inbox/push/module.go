package push

import (
	"svc/app/hook"
	"svc/app/module"
	"svc/app/signal"
)

// Slice registers devices.
func Slice() module.Slice {
	return module.Slice{Name: "push", Tables: Tables, New: func(e *module.Env) module.Module {
		sender, _ := module.Find[hook.Sender](e)
		s := New(e.DB, Options{Sender: sender, AllowPrivate: e.Options.PrivateWebhooks, PublicURL: e.Options.PublicURL, Log: e.Log})
		signal.On(e.Bus, arrived)
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work, Open: Configure}
	}}
}
