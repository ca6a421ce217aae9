package source

import (
	"svc/app/api"
	"svc/app/event"
	"svc/store"
)

// Status is where a source is.
type Status string

// The statuses (contract 13.20). A source that is not Disabled is searched as soon as it has
// a published version, whatever its status.
const (
	Pending   Status = "PENDING"
	Ingesting Status = "INGESTING"
	Ready     Status = "READY"
	Failed    Status = "FAILED"
	Disabled  Status = "DISABLED"
)

// Event is what happens to a source.
type Event string

// The events.
const (
	Asked     Event = "changed or to be read again"
	Enabled   Event = "enabled"
	Begun     Event = "ingestion begun"
	Published Event = "version published"
	Unread    Event = "could not be read"
	Switched  Event = "disabled"
)

// Life is the life of a source.
var Life = api.Table[Status, Event]{
	{From: []Status{Pending, Ingesting, Ready, Failed}, On: Asked, To: Pending},
	{From: []Status{Disabled}, On: Enabled, To: Pending},
	{From: []Status{Pending, Ingesting}, On: Begun, To: Ingesting},
	{From: []Status{Ingesting}, On: Published, To: Ready},
	{From: []Status{Ingesting}, On: Unread, To: Failed},
	{From: []Status{Pending, Ingesting, Ready, Failed}, On: Switched, To: Disabled},
}

// apply changes the status of a source that its caller saves.
func (s *Source) apply(on Event) error {
	to, ok := Life.Next(s.Status, on)
	if !ok {
		return api.ErrState.WithMessage("A source that is %s cannot be %s.", s.Status, on)
	}
	s.Status = to
	return nil
}

// Code says why a source could not be read (contract 13.20).
type Code string

// emitUpdated lets those know who follow a source.
func emitUpdated(tx *store.Tx, org string, s *Source) error {
	return event.Emit(tx, org, event.KnowledgeUpdated, struct {
		SourceID string `json:"source_id"`
		Version  *int   `json:"version"`
		Status   Status `json:"status"`
	}{s.ID, api.Optional(s.Published), s.Status})
}
