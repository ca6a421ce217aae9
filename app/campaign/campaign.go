// Package campaign sends one message to many people: who, from which accounts, when,
// how often, and what came of it.
//
// It promises that a campaign starts only when every check passes, that its audience
// is frozen when it starts, and that everybody in it ends with exactly one outcome and
// one event; that a pause neither loses nor repeats anybody, because progress is the
// outcome kept for each person; that its status changes in one place (apply), with the
// audit entry, the event, the notification and the jobs that follow; and that COMPLETED
// is said only when nobody is without an outcome, in the transaction that finds it so
// (contract 4, 5 and 20).
//
// It refuses to send: package send does, and asks this one for words (Source). It never
// moves a message to another account, and never sends what nobody launched.
//
// What is kept of a campaign is package record, whom it is for package targeting, what the checks
// look at package inspect; packages rehearsal and results read. This package alone changes the
// status, the series and the settings of a campaign.
package campaign

import (
	"slices"

	"svc/app/campaign/check"
	"svc/app/campaign/inspect"
	"svc/app/campaign/record"
	"svc/app/campaign/rehearsal"
	"svc/app/campaign/results"
	"svc/app/campaign/targeting"
	"svc/app/content"
	"svc/app/org"
	"svc/app/signal"
	"svc/store"
)

// Tables are what a store that holds campaigns is opened with. It holds what the slices
// below keep too: accounts, sends, recipients, content, organizations, jobs.
func Tables() []store.AnyTable {
	return slices.Concat(record.Tables(), rehearsal.Tables(), []store.AnyTable{steps})
}

// Options of New.
type Options struct {
	Bus *signal.Bus
	// Content renders messages.
	Content *content.Service
	// Org counts what the plan limits.
	Org *org.Service
	// NoUsualHours leaves out the organization's default sending hours, for tests that are
	// not about hours.
	NoUsualHours bool
	// NoPacing says that accounts send without pace and daily limit, so that estimates
	// say the same (send.Options).
	NoPacing bool
	// NoAddress is what the checks say of opt-out links when the server knows no
	// address of its own, so that people cannot open them; "": it knows one.
	NoAddress check.Verdict
}

// Service keeps the campaigns of every organization. It is the send.Source of the kind
// CAMPAIGN.
type Service struct {
	db *store.DB
	o  Options
	// people reads audiences.
	people *targeting.Reader
	// checks are those before a launch.
	checks     *inspect.Inspector
	outcomes   *results.Reader
	rehearsals *rehearsal.Service
}

// New makes the service and subscribes it to the bus. It starts nothing.
func New(db *store.DB, o Options) *Service {
	people := targeting.New(db, o.Content)
	s := &Service{
		db: db, o: o, people: people, checks: inspect.New(db, people, o.NoAddress, o.NoPacing), outcomes: results.New(db, o.NoPacing),
		rehearsals: rehearsal.New(db, people, o.NoPacing),
	}
	s.subscribe()
	return s
}
