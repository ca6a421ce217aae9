package file

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/reply"
	"svc/app/module"
	"svc/app/signal"
	"svc/store"
)

// Slice registers the files of conversations.
func Slice() module.Slice {
	return module.Slice{Name: "file", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, Options{Vault: e.Vault(Files), Networks: module.Get[channel.Networks](e), Log: e.Log})
		signal.On(e.Bus, s.wanted)
		signal.On(e.Bus, func(tx *store.Tx, _ *api.Call, g conversation.FilesGone) error { return Remove(tx, g.Org, g.Files) })
		module.Get[*reply.Service](e).SetUploads(s)
		module.Provide(e, s)
		return module.Module{
			Endpoints: s.Endpoints(), Workers: s.Work, Periodic: s.Schedule, Cleanup: []module.Cleanup{{EachOrg: s.expire}},
		}
	}}
}

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/conversations/{id}/attachments/{attachment_id}", "conversations.attachment", perm.AIRead,
			"Download a file of a conversation, whole or a part of it; 202 while it is fetched.", s.attachment, api.Timeout(uploadTime)),
		api.E("POST /ai/conversations/{id}/uploads", "conversations.upload", perm.AIOperate,
			"Upload a file for a reply, as multipart/form-data in the field file; unused, it is removed after 24 hours.", s.upload,
			api.MaxBody(MaxUpload+maxForm), api.Timeout(uploadTime), api.Errors(api.ErrInvalidUpload, api.ErrTooLarge, api.ErrPlanLimit)),
		api.E("GET /public/inbox/attachments/{attachment_id}", "public.inbox_attachment", perm.Public,
			"Fetch a file by a signed link, which lives ten minutes.", s.linked, api.Timeout(uploadTime), api.Errors(api.ErrNotFound)),
	}
}
