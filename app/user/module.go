package user

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/setting"
)

// issuer is the name under which authenticator apps show a code.
const issuer = "svc"

// Slice registers people.
func Slice() module.Slice {
	return module.Slice{Name: "user", Tables: Tables, New: func(e *module.Env) module.Module {
		module.Provide(e, New(e.Bus, issuer))
		module.Offer(e, setting.Administered(HasAdministrator))
		module.Offer(e, api.NameSource{Prefix: "usr_", Perm: perm.MembersRead, Names: NamesOf})
		return module.Module{}
	}}
}
