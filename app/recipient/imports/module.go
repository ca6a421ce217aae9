// Package imports makes recipients of files and of lists of records.
//
// It promises that an import is whole or goes on after a restart, and counts nobody twice;
// that a dry run says what would happen and saves nothing; that one import of an
// organization is under way at a time. It refuses to write recipients: what a row comes to
// is decided here (merge) and saved by package recipient (SaveImported).
package imports

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/recipient"
	"svc/app/recipient/sheet"
	"svc/store"
)

// The refusals of this slice (contract 46).
var (
	ErrRunning      = api.ErrConflict.WithMessage("Another import of this organization is running; wait until it has ended.")
	ErrMediaType    = api.ErrMediaType.WithMessage("Send multipart/form-data with the field file, or application/json with records.")
	ErrFileTooLarge = api.ErrTooLarge.WithMessage("An import may have 10 MB; cut the file into several.")
	ErrFailed       = api.ErrInternal.WithMessage("The import failed; what it saved so far stays. Send the file again: people who are there are updated.")
)

// Tables are what a store that holds imports is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{imports, issueLists, rejectedTable, batches} }

// Service answers for the imports of every organization.
type Service struct {
	db     *store.DB
	people *recipient.Service
	memory *memoryGate // of uploads that are read
}

// New makes the service, which saves through people.
func New(db *store.DB, people *recipient.Service) *Service {
	return &Service{db: db, people: people, memory: newMemoryGate()}
}

// Usage is what counts against the plan, for recipients that are made while an import is
// under way.
func Usage() recipient.Usage {
	return recipient.Usage{Count: Used, Read: func(org string) store.Read { return underWay.Read(org, runningKey) }}
}

// Slice registers imports.
func Slice() module.Slice {
	return module.Slice{Name: "imports", Tables: Tables, New: func(e *module.Env) module.Module {
		s := New(e.DB, module.Get[*recipient.Service](e))
		module.Offer(e, Usage())
		module.Offer(e, api.NameSource{Prefix: "imp_", Perm: perm.RecipientsRead, Names: NamesOf})
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work}
	}}
}

// maxUpload is the largest body of an import: the file and the form around it.
const maxUpload = sheet.MaxBytes + 1<<20

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	const read, manage = perm.RecipientsRead, perm.RecipientsManage
	return []api.Endpoint{
		api.E("POST /recipients/import", "recipients.import", manage, "Import a CSV or JSON file, or records in the body.", s.importPeople,
			api.Timeout(0), api.MaxBody(maxUpload), api.Errors(ErrRunning, ErrFileTooLarge, ErrMediaType, api.ErrInvalidUpload, api.ErrPlanLimit, api.ErrNotFound)),
		api.E("GET /recipient-imports", "recipients.imports", read, "List imports, newest first.", api.Read(s.db, s.listImports)),
		api.E("GET /recipient-imports/{id}", "recipients.import_get", read, "Show an import with its report.", api.Read(s.db, s.getImport)),
		api.E("GET /recipient-imports/{id}/rejected", "recipients.import_rejected", read, "List the rows of an import that were not taken, or get them as CSV.", s.rejectedRows),
	}
}
