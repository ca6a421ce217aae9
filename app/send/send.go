// Package send is the one way out: every message to a person goes through it, of a
// campaign, a reply, or a test.
//
// It promises that a message is sent once: its platform number is stored before the
// first try and never changes, so a lost answer or a dead process sends nothing
// rejectDuplicate and forgets nothing (contract 4.7). It promises that claiming a
// message and asking for consent are one transaction, so that no try begins after an
// opt-out was saved; that one account sends one message at a time, as fast as its
// pace, its daily limit, the campaign's window and the platform's waits allow, all of
// which are data and never a sleep; that a message never moves to another account;
// and that several campaigns of an account take turns (contract 20.5).
//
// It refuses to know what a campaign or a conversation is: higher slices queue jobs,
// write down what holds for a group of them (Batch), and are asked for the words and
// told the outcome as a Source.
package send

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"svc/app/api"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
	"svc/store/dispatch"
	"svc/store/queue"
)

// Kind says what a message is.
type Kind string

// The kinds (contract 4.7).
const (
	Campaign Kind = "CAMPAIGN"
	Reply    Kind = "REPLY"
	AIReply  Kind = "AI_REPLY"
	Test     Kind = "TEST"
)

// paced says whether pace, daily limit and consent to campaigns hold for a kind:
// replies wait for the platform only (contract 20.5).
func (k Kind) paced() bool { return k == Campaign || k == Test }

// Source is a higher slice whose messages a kind carries.
type Source interface {
	// Compose renders the message inside the claiming transaction; r is nil for a
	// job without a recipient. A *Skip error ends the job SKIPPED with its reason.
	// Any other undoes the claim, which is made again; the third time in a row the
	// job ends FAILED.
	Compose(tx *store.Tx, c *api.Call, j *Job, r *recipient.Recipient) (Draft, error)
	// Settled is told, in the same transaction, what became of a job: it is in one
	// of the statuses that end it. Errors of the content are told the same way.
	Settled(tx *store.Tx, c *api.Call, j *Job) error
}

// Draft is a message as one person gets it.
type Draft struct {
	Text        string
	Entities    []markup.Entity
	Attachments []string // ids, in their order
	// Files are those that are no attachments of content: a reply's.
	Files       []messenger.File
	LinkPreview bool
	ReplyTo     int // id of a message of the chat, 0 for none
	// To is whom it goes to when that is not the recipient of the job.
	To messenger.Target
}

// Skip is a Source's answer that a person gets no message.
type Skip struct{ Reason string }

// Error is the reason.
func (s *Skip) Error() string { return "skipped: " + s.Reason }

// Accounts are the live connections of messenger accounts (package account).
type Accounts interface {
	// Conn is the one connection of an account, made when there is none, and the lease
	// under which this node has it. Its error is a *messenger.Error.
	Conn(ctx context.Context, org, id string) (messenger.Conn, coord.Lease, error)
	// Elsewhere says whether another node connects an account.
	Elsewhere(tx *store.Tx, id string) (bool, error)
	// Flooded notes that the platform asks an account to wait.
	Flooded(tx *store.Tx, c *api.Call, org, id string, wait time.Duration) (paused bool, err error)
	// Trouble notes what an error of the platform means for an account.
	Trouble(tx *store.Tx, c *api.Call, org, id string, e *messenger.Error) error
}

// Options of New.
type Options struct {
	Accounts Accounts
	// Content reads attachments.
	Content *content.Service
	Bus     *signal.Bus
	// Sources by the kind of their jobs.
	Sources map[Kind]Source
	// Concurrency is how many messages are on their way at a time; 256 when 0.
	Concurrency int
	// Worker names this process in locked_by.
	Worker string
	// NoPacing leaves out pace and daily limit, for benchmarks and demonstrations. An
	// account still sends one message at a time, and waits of the platform hold.
	NoPacing bool
	// Log hears of what fails on our side. nil: nobody does.
	Log *slog.Logger
}

// Service sends. Register sources before Run.
type Service struct {
	db      *store.DB
	o       Options
	log     *slog.Logger
	sources map[Kind]Source

	dispatcher *dispatch.Dispatcher
	stopping   atomic.Bool // Run is about to end
}

const defaultConcurrency = 256

// New makes the service and subscribes it to the bus. It starts nothing: Run does.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, o: o, log: o.Log, sources: map[Kind]Source{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.o.Concurrency <= 0 {
		s.o.Concurrency = defaultConcurrency
	}
	for kind, source := range o.Sources {
		s.Register(kind, source)
	}
	s.dispatcher = dispatch.New(db, s.log)
	dispatch.Register(s.dispatcher, string(queue.Send), work, s.handler(), dispatch.Options{
		Concurrency: s.o.Concurrency, Farthest: lookAgain, Grace: grace,
	})
	if o.Bus != nil {
		s.subscribe(o.Bus)
	}
	return s
}

// Register says whose messages a kind carries. Call it before Run.
func (s *Service) Register(kind Kind, source Source) { s.sources[kind] = source }
