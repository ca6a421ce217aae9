package support

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/store"
)

// Service notes what support looks at, and shows it to the organizations.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Slice registers support sessions.
func Slice() module.Slice {
	return module.Slice{Name: "support", New: func(e *module.Env) module.Module {
		s := New(e.DB)
		module.Provide(e, s)
		return module.Module{Endpoints: s.Endpoints()}
	}}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /organization/support-sessions", "support_sessions.list", perm.AuditRead, "List when support looked at the organization, newest first.", api.Read(s.db, s.listSupport)),
		api.E("GET /organization/support-sessions/{id}/accesses", "support_sessions.accesses", perm.AuditRead, "List what support looked at, newest first.", api.Read(s.db, s.listAccesses)),
	}
}
