package send

import (
	"svc/app/account"
	"svc/app/content"
	"svc/app/module"
	"svc/app/org"
	"svc/app/send/figures"
	"svc/messenger"
)

// Slice registers sending. Without a [messenger.Driver] nothing is sent.
func Slice() module.Slice {
	return module.Slice{Name: "send", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{
			Accounts: module.Get[*account.Service](e), Content: module.Get[*content.Service](e), Bus: e.Bus, Worker: e.Options.Worker, Log: e.Log,
		})
		module.Provide(e, s)
		module.Offer(e, org.Meter{Messages: figures.Messages})
		m := module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work,
		}
		if _, sends := module.Find[messenger.Driver](e); sends {
			m.Run = s.Run
		}
		return m
	}}
}
