// Package inbox is where people read what customers write and answer it, over every
// network: its operations, and the parts below it put together.
//
//	channel       the interface to a network, and the messenger's implementation
//	conversation  conversations and messages: records, lists, states
//	intake        what arrives, in the transaction in which it arrives
//	reply         the gate, and what goes out
//	handoff       requests that a person answers
//	note          what colleagues write to each other beside a conversation
//	view          filters that somebody saved
//	push          notifications on people's devices
//
// It promises that a personal chat is in no list, answer, event or search of somebody who
// may not manage accounts (contract 10.1). It refuses to know a network (package channel).
package inbox

import (
	"log/slog"
	"slices"

	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/intake"
	"svc/app/inbox/note"
	"svc/app/inbox/reply"
	"svc/app/inbox/view"
	"svc/app/signal"
	"svc/store"
)

// Options of New.
type Options struct {
	Networks channel.Networks
	Replies  *reply.Service
	Bus      *signal.Bus
	// Acting are the accounts for which the AI answers now; nil: nobody has set one up.
	Acting func(tx *store.Tx, org string) (conversation.Mapped, error)
	Log    *slog.Logger
}

// Service answers for the inbox of every organization.
type Service struct {
	db  *store.DB
	o   Options
	log *slog.Logger
}

// New makes the service.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, o: o, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// Tables are what a store that holds an inbox is opened with. It holds accounts, recipients,
// jobs, organizations, events, notifications and the audit log too.
func Tables() []store.AnyTable {
	return slices.Concat(conversation.Tables(), handoff.Tables(), intake.Tables(), note.Tables(), view.Tables())
}

// Migration moves what accounts kept of messages before there was an inbox.
var Migration = intake.Migration

// acting are the accounts for which the AI answers now.
func (s *Service) acting(tx *store.Tx, org string) (conversation.Mapped, error) {
	if s.o.Acting == nil {
		return nil, nil
	}
	return s.o.Acting(tx, org)
}
