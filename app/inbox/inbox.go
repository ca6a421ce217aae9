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
	Log      *slog.Logger
}

// Sellers says for which accounts the AI answers, and for whom. The slice of the seller's
// configuration offers it; without one the AI answers nowhere.
type Sellers struct {
	// Acting are the accounts for which the AI answers now.
	Acting func(tx *store.Tx, org string) ([]string, error)
	// Businesses are the businesses that accounts speak for, by account.
	Businesses func(tx *store.Tx, org string, accounts []string) (map[string]string, error)
	// StageName is how a stage of the funnel of a business is called, "" when it is gone.
	StageName func(tx *store.Tx, org, business, stage string) (string, error)
}

// Service answers for the inbox of every organization.
type Service struct {
	db      *store.DB
	o       Options
	log     *slog.Logger
	sellers Sellers
	selling Selling
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

// businesses are those that the accounts of conversations speak for, by account.
func (s *Service) businesses(tx *store.Tx, org string, list []conversation.Conversation) (map[string]string, error) {
	if s.sellers.Businesses == nil {
		return nil, nil
	}
	ids := make([]string, 0, len(list))
	for i := range list {
		if !slices.Contains(ids, list[i].AccountID) {
			ids = append(ids, list[i].AccountID)
		}
	}
	return s.sellers.Businesses(tx, org, ids)
}

// acting are the accounts for which the AI answers now.
func (s *Service) acting(tx *store.Tx, org string) (conversation.Mapped, error) {
	if s.sellers.Acting == nil {
		return nil, nil
	}
	return s.sellers.Acting(tx, org)
}
