// Package hook delivers the events of an organization to the addresses that it
// names: signed webhooks.
//
// It promises that an event which an active endpoint subscribed to is delivered at
// least once or shown as failed, whenever the process dies: deliveries are made in
// the transaction that moves the place of the follower behind the event, so none is
// lost and none doubled. It promises that attempts begin in the order of events,
// that a retry does not hold back later events, and that one slow endpoint never
// delays another (contract 8.3).
//
// It refuses to speak HTTP: a Sender does (web/hookclient), and that is where
// addresses of the service's own network are refused. It refuses to show a secret
// after it was made.
package hook

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/api"
	"svc/store"
	"svc/store/dispatch"
	"svc/store/queue"
)

// Status says whether an endpoint receives events.
type Status string

// The statuses.
const (
	Active   Status = "ACTIVE"
	Disabled Status = "DISABLED"
)

// Why an endpoint is disabled.
const (
	becauseFailures = "FAILURES"
	becauseUser     = "USER"
)

// Webhook is an endpoint as it is kept.
type Webhook struct {
	ID string `json:"id"`
	// Address is where deliveries go, sealed, because its path may be a secret (contract
	// 21.3, Keys). Host is the part of it that people may see in logs.
	Address       store.Sealed `json:"sealed_url"`
	Host          string       `json:"host"`
	Description   *string      `json:"description,omitempty"`
	Events        []string     `json:"events"`
	Status        Status       `json:"status"`
	FailureStreak int          `json:"failure_streak"`
	// Secret is "whsec_..." sealed; OldSecret signs beside it until OldUntil.
	Secret    store.Sealed `json:"secret"`
	OldSecret store.Sealed `json:"old_secret,omitzero"`
	OldUntil  time.Time    `json:"old_until,omitzero"`
	// Since is the newest event when it became active: it receives later ones.
	Since          string     `json:"since"`
	LastDeliveryAt *time.Time `json:"last_delivery_at,omitempty"`
	LastSuccessAt  *time.Time `json:"last_success_at,omitempty"`
	DisabledAt     *time.Time `json:"disabled_at,omitempty"`
	DisabledReason *string    `json:"disabled_reason,omitempty"`
	CreatedBy      string     `json:"created_by"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
	// Slot says when there is something to send, and which deliveries are under way.
	Slot dispatch.Slot `json:"slot,omitzero"`
	// Probing is how an endpoint that fails is tried; nil for one that does not.
	Probing *Probing `json:"probing,omitempty"`
	// LastRetry: the delivery that was tried last was a retry.
	LastRetry bool `json:"last_retry,omitempty"`
}

var (
	webhooks  = store.NewTable("webhook", "whk", func(w *Webhook) string { return w.ID })
	address   = webhooks.Sealed("url", func(w *Webhook) *store.Sealed { return &w.Address })
	secret    = webhooks.Sealed("secret", func(w *Webhook) *store.Sealed { return &w.Secret })
	oldSecret = webhooks.Sealed("old_secret", func(w *Webhook) *store.Sealed { return &w.OldSecret })
)

// setURL takes an address over.
func (w *Webhook) setURL(tx *store.Tx, org, url string) error {
	w.Host = hostOf(url)
	return address.Set(tx, org, w, []byte(url))
}

// url opens the address.
func (w *Webhook) url(db *store.DB, org string) (string, error) {
	b, err := address.Open(db, org, w)
	return string(b), err
}

// Migration seals the addresses of webhooks.
var Migration = store.Migration{Name: "2026-11 webhooks: addresses are sealed", Step: webhooks.RewriteRecords(
	func(tx *store.Tx, org string, w *Webhook, old json.RawMessage) (bool, error) {
		var before struct {
			URL string `json:"url"`
		}
		if err := json.Unmarshal(old, &before); err != nil || before.URL == "" {
			return false, err
		}
		return true, w.setURL(tx, org, before.URL)
	})}

// Tables are what a store that holds webhooks is opened with. It holds jobs too
// (package queue).
func Tables() []store.AnyTable { return []store.AnyTable{webhooks, deliveries, eventCursors} }

// Count is how many endpoints an organization has, for the plan's limit.
func Count(tx *store.Tx, org string) (int, error) { return webhooks.Count(tx, org) }

// Request is one attempt as it is sent: a POST.
type Request struct {
	URL    string
	Header [][2]string // names and values
	Body   []byte
	// Begun is called when the request goes on its way: the next of the endpoint may
	// begin then.
	Begun func()
}

// Answer is what came back. Failure is "" for any 2xx.
type Answer struct {
	Status     int // 0: there was no answer
	Body       []byte
	Failure    Failure
	RetryAfter time.Duration // what a failed answer asked for; 0 for nothing
}

// Sender makes attempts. It ends when the context does, follows no redirect, refuses
// addresses of the service's own network when it connects, and reads no more of an
// answer than MaxAnswer.
type Sender interface {
	Send(ctx context.Context, r Request) Answer
}

// MaxAnswer is how much of an answer is read, in bytes (contract 8.3).
const MaxAnswer = 64 << 10

// Options of New.
type Options struct {
	Sender Sender
	// Production refuses addresses that are not https (contract 20.14).
	Production bool
	// AllowPrivate lets endpoints lie in the service's own network.
	AllowPrivate bool
	// Version of svc, for the User-Agent.
	Version string
	// Log hears of what fails on our side. nil: nobody does.
	Log *slog.Logger
}

// Service keeps endpoints and delivers to them.
type Service struct {
	db         *store.DB
	o          Options
	log        *slog.Logger
	dispatcher *dispatch.Dispatcher
	order      order
}

// New makes the service. It starts nothing: Run does.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, o: o, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.dispatcher = dispatch.New(db, s.log)
	dispatch.Register(s.dispatcher, string(queue.Webhooks), work, s.handler(), dispatch.Options{
		Concurrency: AtATime, Share: share, Farthest: farthest, Grace: grace,
	})
	return s
}

// Run makes deliveries of events and sends them until the context ends; then it
// waits a little for the attempts under way. An attempt that is cut off is made
// again, by another node or when the service starts.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.follow(ctx) })
	g.Go(func() error { return s.dispatcher.Run(ctx) })
	return g.Wait()
}

// NamesOf are the names of webhooks by id: the description, else the host that it sends to.
// The whole address may hold a secret.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, webhooks, ids, (*Webhook).displayName)
}

func (w *Webhook) displayName() string {
	if w.Description != nil && *w.Description != "" {
		return *w.Description
	}
	return w.Host
}
