package session

import (
	"svc/app/module"
	"svc/app/session/apikey"
	"svc/app/session/consent"
	"svc/app/user"
	"svc/store"
)

// Slice registers signing in and access tokens.
func Slice() module.Slice {
	return module.Slice{Name: "session", Tables: tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, e.Bus, module.Get[*user.Service](e), Options{Secure: e.Options.Production(), PublicURL: e.Options.PublicURL})
		module.Provide(e, s)
		module.Offer(e, apikey.LastUse(s.LastUse))
		return module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work, Periodic: Schedule, Run: s.Run, Cleanup: []module.Cleanup{{Platform: consent.Forget}},
			Ready: func() {
				for _, f := range module.All[HasPasskey](e) {
					s.options.HasPasskey = f
				}
			},
		}
	}}
}

// tables are those of the slice: of sessions, and of consents that people are sent for.
func tables() []store.AnyTable { return append(Tables(), consent.Tables()...) }
