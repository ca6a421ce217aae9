// Package module is how a slice of the messaging service is registered: its tables,
// what it is made of, and what it offers to the others.
//
// It promises that adding a slice needs one line in the list of package app and one in
// the order of arch_test.go. A slice takes what stands before it in the list (Get), and
// offers to what stands before it what that one only knows a type for (Offer, All):
// package org, for example, counts limits of slices that it never imports.
//
// It refuses to know any slice. It is for putting the service together: nothing in it is
// used while requests are answered.
package module

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"svc/app/api"
	"svc/app/signal"
	"svc/app/vault"
	"svc/store"
	"svc/store/coord"
	"svc/store/queue"
)

// Slice is a slice before the database is open.
type Slice struct {
	// Name is that of its package.
	Name string
	// Tables are what it stores; nil: nothing.
	Tables func() []store.AnyTable
	// New makes the slice over the open database. It starts nothing. nil: there is nothing
	// but tables.
	New func(*Env) Module
}

// Module is a slice over an open database. Every part may be absent.
type Module struct {
	// Endpoints are its operations.
	Endpoints []api.Endpoint
	// Ready is called once every slice is made: the time for All.
	Ready func()
	// Open runs in one transaction when the service opens, before anything else does.
	Open func(*store.Tx) error
	// Workers registers its kinds of jobs.
	Workers func(*queue.Workers)
	// Periodic asks for its jobs that run again and again. It is called at every start, and
	// when an administrator revives one that was given up: a job that waits stays as it is.
	Periodic func(*store.Tx) error
	// Cleanup is what it removes by the hour.
	Cleanup []Cleanup
	// Run works until the context ends. An error ends the service.
	Run func(context.Context) error
	// Support is Run for what other slices stand on: its context ends when every Run has
	// returned.
	Support func(context.Context) error
}

// Cleanup removes what is kept for a time only, at most limit records a transaction, and
// says how many there were. One of both is set.
type Cleanup struct {
	Platform func(tx *store.Tx, limit int) (int, error)
	EachOrg  func(tx *store.Tx, org string, limit int) (int, error)
	// AtStart: also when the service opens.
	AtStart bool
}

// Options are what the owner of the machine chose, as every slice sees them.
type Options struct {
	// Data is the folder of the database.
	Data string
	// Files is where all files of the installation lie.
	Files vault.Root
	// PublicURL is where people reach the service, without a slash at its end; "": not
	// known.
	PublicURL string
	// Version is that of the program.
	Version string
	// Worker names this process where people see who works.
	Worker string
	// SessionTTLHours and InboxMaxFileMB hold where no administrator chose otherwise; 0 is
	// the default.
	SessionTTLHours, InboxMaxFileMB int
	// AICalls is how many calls one provider of AI has at a time on this node; 0 is the
	// default.
	AICalls int
	// PrivateWebhooks and PrivateProxies let deliveries and proxies be in the service's own
	// network.
	PrivateWebhooks, PrivateProxies bool
	// NoUsualHours makes campaigns without the default sending hours of their organization.
	NoUsualHours bool
	// Warnings are sentences about settings that are surely not meant.
	Warnings []string
	// AuditAnchors is a file and AuditAnchorURL an address for the ends of audit chains;
	// "": none.
	AuditAnchors, AuditAnchorURL string
}

// Production says whether people reach the service over https (contract 20.14).
func (o Options) Production() bool { return strings.HasPrefix(o.PublicURL, "https://") }

// Env is what slices are made with.
type Env struct {
	DB      *store.DB
	Bus     *signal.Bus
	Log     *slog.Logger
	Options Options
	// Workers run the jobs of this process.
	Workers *queue.Workers
	// Periodic asks for the periodic jobs of every slice.
	Periodic func(*store.Tx) error

	provided map[reflect.Type]any
	offered  map[reflect.Type][]any
}

// Vault is what keeps the files of a kind. A place that several servers share has one lock for
// all of them.
func (e *Env) Vault(kind string) *vault.Vault {
	var lock vault.Lock
	if e.Options.Files.Shared() {
		lock = coord.Of(e.DB).Lock
	}
	return vault.New(e.Options.Files.Place(kind), e.DB, lock)
}

// Provide makes a value known by its type to the slices that follow.
func Provide[T any](e *Env, v T) {
	if e.provided == nil {
		e.provided = map[reflect.Type]any{}
	}
	e.provided[reflect.TypeFor[T]()] = v
}

// Find is the value of a type that was provided, or its zero value and false.
func Find[T any](e *Env) (T, bool) {
	v, ok := e.provided[reflect.TypeFor[T]()].(T)
	return v, ok
}

// Get is Find for what must be there: a slice that stands too early in the list panics,
// in every test that opens the service.
func Get[T any](e *Env) T {
	v, ok := Find[T](e)
	if !ok {
		panic(fmt.Sprintf("module: nobody provides %s before it is needed: look at the order of slices in package app", reflect.TypeFor[T]()))
	}
	return v
}

// Offer adds a value to what All answers for its type.
func Offer[T any](e *Env, v T) {
	if e.offered == nil {
		e.offered = map[reflect.Type][]any{}
	}
	t := reflect.TypeFor[T]()
	e.offered[t] = append(e.offered[t], v)
}

// All are the values of a type that slices offered, in the order of slices. It is
// complete once every slice is made (Module.Ready).
func All[T any](e *Env) (out []T) {
	for _, v := range e.offered[reflect.TypeFor[T]()] {
		out = append(out, v.(T))
	}
	return out
}
