// Package admin is the administration of the platform: who runs it sees every
// organization, account, campaign, queue and worker, and steers them.
//
// It promises that nothing here answers anybody but a platform administrator whose
// session gave its two-factor code (contract 44.7), that every
// change stands in the log of the platform and, where it concerns an organization, in
// the log of that organization with the reason, and that looking into an organization
// happens in a support session only, which changes nothing and which the organization
// sees. It refuses to do anything itself that another slice can: it asks the slice.
package admin

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"time"

	"svc/app/account"
	"svc/app/admin/disk"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/engine"
	"svc/app/org"
	"svc/app/user"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

// Build says which program this is.
type Build struct {
	Version string
	// Commit and BuiltAt are empty when nobody knows them; the program then tells
	// what its own file says.
	Commit  string
	BuiltAt time.Time
}

// Options of New.
type Options struct {
	Orgs      *org.Service
	Users     *user.Service
	Audit     *audit.Service
	Accounts  *account.Service
	Campaigns *campaign.Service
	AI        *engine.Service
	// Workers run the jobs of this process; nil: none do.
	Workers *queue.Workers
	// Tasks are what waits and runs for a queue outside of package queue; nil, or a queue
	// that is not named: nothing.
	Tasks map[queue.Name]Tasks
	// Loads are what workers of this process have in hand beside jobs; nil, or a kind
	// that is not named: nothing.
	Loads map[WorkerKind]func() Load
	Build Build
	// Data is the folder whose space is told.
	Data string
	// Driver is the messenger's.
	Driver messenger.Kind
	// SchedulePeriodicJobs asks for the tasks that run for ever, as at the start; nil: there are none.
	SchedulePeriodicJobs func(*store.Tx) error
	// ClockSkew is how far the clock of this machine is ahead of the world's; nil, or
	// false: nobody knows.
	ClockSkew func() (time.Duration, bool)
	// Warnings are sentences about settings that are surely not meant.
	Warnings []string
	Log      *slog.Logger
}

// Service administers the platform.
type Service struct {
	db      *store.DB
	o       Options
	host    string
	started time.Time
	disk    disk.Folder
	days    days

	mu     sync.Mutex
	latest time.Duration // of the commit of the last heartbeat; 0 for none yet
	ids    map[WorkerKind]string
}

// New makes the service. It starts nothing: see Run.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Driver == "" {
		o.Driver = messenger.Simulator
	}
	o.Build = o.Build.known()
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	s := &Service{db: db, o: o, host: host, started: db.Now(), ids: map[WorkerKind]string{}}
	for _, k := range workerKinds {
		s.ids[k] = db.NewID("wrk")
	}
	return s
}

// Tables are what a store that is administered is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{workers, reports, notes} }

// Run beats the heart of this process's workers until the context ends.
func (s *Service) Run(ctx context.Context) error { return s.beat(ctx) }

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() (out []api.Endpoint) {
	for _, group := range [][]api.Endpoint{
		s.platformEndpoints(), s.organizationEndpoints(), s.userEndpoints(), s.accountEndpoints(), s.campaignEndpoints(), s.queueEndpoints(), s.supportEndpoints(), s.reportEndpoints(), s.aiEndpoints(),
	} {
		out = append(out, group...)
	}
	return out
}

// e is an operation for platform administrators.
func e[In, Out any](route, id, summary string, h func(*api.Call, In) (Out, error), opts ...api.Option) api.Endpoint {
	return api.E(route, "admin."+id, perm.Administrator, summary, h, opts...)
}

func (s *Service) platformEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/overview", "overview", "Read the platform at one glance, with what needs somebody.", s.overview),
		e("GET /admin/workers", "list_workers", "List the workers of the service with their load.", api.Read(s.db, s.listWorkers)),
		e("GET /admin/system", "system", "Read how the program, its database and its disk are.", s.system),
		e("GET /admin/audit-logs", "list_audit", "List who changed what on the platform, or in one organization, newest first.", s.listAudit, api.Errors(api.ErrNotFound)),
		e("GET /admin/settings", "get_settings", "Read the settings of the platform.", api.Read(s.db, s.getSettings)),
		e("PUT /admin/settings", "put_settings", "Change settings of the platform: any subset.", s.putSettings),
		e("GET /admin/billing", "billing", "List what organizations used in a month, as JSON or CSV.", api.Read(s.db, s.billing)),
	}
}

// in is the call as it acts in an organization.
func in(c *api.Call, orgID string) *api.Call {
	there := *c
	there.Org = orgID
	return &there
}

// note writes a change that concerns an organization into the log of the platform.
// The slice that made it wrote the organization's.
func note(tx *store.Tx, c *api.Call, action string, on audit.Resource, orgID string, details ...audit.Detail) error {
	if orgID != "" && orgID != on.ID {
		details = append(details, audit.Changed("organization_id", nil, orgID))
	}
	return audit.WriteTo(tx, store.Platform, c, action, on, details...)
}
