package content

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/org"
	"svc/app/recipient"
)

// Files is where attachments lie among all files of the installation.
const Files = "files"

// Slice registers templates and attachments.
func Slice() module.Slice {
	return module.Slice{Name: "content", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{
			Vault: e.Vault(Files), PublicURL: e.Options.PublicURL, HasAttribute: recipient.HasAttribute, Log: e.Log,
		})
		module.Provide(e, s)
		module.Offer(e, org.UsageCounter{Limit: org.LimitStorageMB, Count: StorageUsed})
		module.Offer(e, api.NameSource{Prefix: "att_", Perm: perm.CampaignsRead, Names: AttachmentNames})
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work, Periodic: s.Schedule}
	}}
}
