// Package optout is how people come to be written to no more, by themselves and by the
// organization: the link and the public page that end messages, and the operations on the
// suppression list.
//
// It promises that a link is good for as long as its recipient exists, that opening it
// changes nothing, and that an entry that is left of an opt-out stays. It refuses to opt
// anybody out by itself: recipient.OptOut does.
package optout

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/module"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/store"
)

// The refusals of this slice (contract 46).
var (
	ErrAlreadySuppressed = &api.Error{Kind: api.Conflict, Code: "already_suppressed", Message: "The suppression list names this person already."}
	ErrLastOfOptOut      = recipient.ErrOptedOut.WithMessage("This entry is what is left of the opt-out of a recipient who was deleted; an opt-out is for ever.")
	ErrInvalidLink       = &api.Error{Kind: api.NotFound, Code: "invalid_link", Message: "This link is not complete or was changed; open it again from the message."}
)

// Service answers on the public page and on the suppression list.
type Service struct {
	db  *store.DB
	bus *signal.Bus
}

// New makes the service. Opt-outs are published on the bus (recipient.OptedOut).
func New(db *store.DB, bus *signal.Bus) *Service { return &Service{db, bus} }

// Slice registers opting out.
func Slice() module.Slice {
	return module.Slice{Name: "optout", New: func(e *module.Env) module.Module {
		return module.Module{Endpoints: New(e.DB, e.Bus).Endpoints()}
	}}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	const read, manage = perm.RecipientsRead, perm.RecipientsManage
	return []api.Endpoint{
		api.E("GET /suppressions", "suppressions.list", read, "List those who are never written to, newest first.", s.suppressions),
		api.E("POST /suppressions", "suppressions.create", manage, "Never write to somebody again.", s.suppress, api.InMaintenance(), api.Errors(ErrAlreadySuppressed)),
		api.E("DELETE /suppressions/{id}", "suppressions.delete", manage, "Remove an entry; consent does not come back.", s.unsuppress, api.Errors(recipient.ErrOptedOut)),

		api.E("GET /public/opt-out/{token}", "public.opt_out_page", perm.Public, "Ask for confirmation of an opt-out; changes nothing.", s.optOutPage,
			api.TextType("text/html"), api.Errors(ErrInvalidLink), api.AlsoAsText(ErrInvalidLink)),
		api.E("POST /public/opt-out/{token}", "public.opt_out", perm.Public, "Opt out.", s.confirmOptOut,
			api.InMaintenance(), api.TextType("text/html"), api.Errors(ErrInvalidLink), api.AlsoAsText(ErrInvalidLink)),
	}
}
