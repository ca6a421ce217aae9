package content

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
)

// uploadTime is how long an upload of MaxFile may take.
const uploadTime = 10 * time.Minute

// maxForm is how much a form adds to its file.
const maxForm = 64 << 10

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /templates", "templates.list", perm.CampaignsRead, "List templates.", api.Read(s.db, s.listTemplates)),
		api.E("POST /templates", "templates.create", perm.CampaignsManage, "Save a new template.", s.createTemplate,
			api.Errors(api.ErrConflict)),
		api.E("GET /templates/{id}", "templates.get", perm.CampaignsRead, "Get a template.", api.Read(s.db, s.getTemplate)),
		api.E("PATCH /templates/{id}", "templates.update", perm.CampaignsManage, "Change a template.", s.updateTemplate,
			api.Errors(api.ErrConflict)),
		api.E("DELETE /templates/{id}", "templates.delete", perm.CampaignsManage,
			"Delete a template that no scheduled or running campaign uses.", s.deleteTemplate, api.Errors(api.ErrConflict)),

		api.E("POST /attachments", "attachments.upload", perm.CampaignsManage,
			"Upload a file of up to 20 MB (photos 10 MB), as multipart/form-data in the field file.", s.upload,
			api.MaxBody(MaxFile+maxForm), api.Timeout(uploadTime), api.Errors(api.ErrInvalidUpload, api.ErrTooLarge, api.ErrPlanLimit)),
		api.E("GET /attachments/{id}", "attachments.get", perm.CampaignsRead, "Get what is known of an attachment; its file is at /content.", api.Read(s.db, s.getAttachment)),
		api.E("GET /attachments/{id}/content", "attachments.content", perm.CampaignsRead, "Download an attachment, whole or a part of it.", s.download,
			api.Timeout(uploadTime)),

		api.E("POST /messages/preview", "messages.preview", perm.CampaignsManage, "Show how a message looks to one person.", api.Read(s.db, s.preview), api.ChangesNothing(), api.Errors(api.ErrNotFound)),
	}
}
