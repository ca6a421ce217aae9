package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/ai/providers"
	"svc/ai/search"
	aiweb "svc/ai/web"
	"svc/app/account"
	"svc/app/account/proxy"
	"svc/app/admin"
	"svc/app/anchor"
	"svc/app/api"
	"svc/app/api/replay"
	"svc/app/audit"
	"svc/app/automation"
	"svc/app/business"
	"svc/app/calendar"
	"svc/app/campaign"
	"svc/app/channel"
	"svc/app/content"
	"svc/app/engine"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/hook"
	"svc/app/inbox"
	"svc/app/inbox/file"
	"svc/app/inbox/history"
	"svc/app/inbox/network"
	"svc/app/inbox/push"
	"svc/app/insight"
	"svc/app/jev"
	"svc/app/knowledge"
	"svc/app/local"
	"svc/app/mail"
	"svc/app/mapkey/managed"
	"svc/app/module"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/overview"
	"svc/app/quality"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/imports"
	"svc/app/recipient/optout"
	"svc/app/seller"
	"svc/app/seller/decision"
	"svc/app/send"
	"svc/app/send/testmessage"
	"svc/app/session"
	"svc/app/session/apikey"
	"svc/app/session/passkey"
	"svc/app/session/support"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/social"
	"svc/app/user"
	"svc/app/vault"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
	"svc/store/kv"
	"svc/store/masterkey"
	"svc/store/queue"
	"svc/store/recordid"
)

// Options are what the messaging service is made with.
type Options struct {
	// Data is the folder of the database and of attachments; made when needed.
	Data string
	// Store is the address of a PostgreSQL database that several processes share; "": the
	// database is a file of the data folder.
	Store string
	// Files is where attachments and other files lie; nil: in the data folder.
	Files vault.Root
	// MasterKey is where the key of everything sealed comes from; zero: a file in Data.
	MasterKey masterkey.Source
	// PublicURL is where people reach the service, without a slash at its end.
	PublicURL string
	// Version is that of the program.
	Version string
	// Webhooks sends deliveries; PrivateWebhooks lets them go to private addresses.
	Webhooks        hook.Sender
	PrivateWebhooks bool
	// Messenger makes what reaches people, once the database is ours; nil for commands
	// that only look at what is stored. PrivateProxies lets its accounts use proxies in
	// the service's own network.
	Messenger      func() (messenger.Driver, error)
	PrivateProxies bool
	// AI reaches providers of language models; nil: one that reaches public addresses alone.
	AI *providers.Opener
	// Pages fetches pages of the web for knowledge; nil: those at public addresses. Searcher
	// finds pages for research; nil: there is no search engine.
	Pages    *aiweb.Client
	Searcher search.Searcher
	// Outside are the outside networks; zero: none can be connected.
	Outside channel.Outside
	// Calendar is the outside calendar; zero: none can be connected.
	Calendar calendar.Outside
	// Mail gives mails to a mail server; nil: there is none, and links are copied.
	Mail mail.Sender
	// MapKeys is where the map keys of the store are in force; zero: nowhere.
	MapKeys managed.Gate
	// SessionTTLHours and InboxMaxFileMB hold where no administrator chose
	// otherwise; 0 is the default.
	SessionTTLHours, InboxMaxFileMB int
	// AICalls is how many calls one provider of AI has at a time on this node; 0 is the
	// default.
	AICalls int
	// NoUsualHours makes campaigns without their organization's default sending hours, for
	// tests that are not about hours.
	NoUsualHours bool
	// Warnings are sentences about settings that are surely not meant, for administrators.
	Warnings []string
	// AuditAnchors is a file and AuditAnchorURL an address that get the ends of the audit
	// chains every hour; "": none. AnchorSender reaches the address.
	AuditAnchors, AuditAnchorURL string
	AnchorSender                 hook.Sender
	Log                          *slog.Logger
	// Engine replaces the file of the database: what several processes share. nil: the file.
	Engine kv.Engine
	// IDs makes the ids: several processes in a test whose clock stands still share one, so
	// that lists have one order. nil: one of its own.
	IDs *recordid.Maker
	// Clock tells the time; nil: time.Now. SharedClock says that all nodes have this one, as
	// in tests; else that of a database server corrects it.
	Clock       func() time.Time
	SharedClock bool
}

// everySlice is the service, lowest first: a slice uses those above it.
func everySlice() []module.Slice {
	return []module.Slice{
		{Name: "queue", Tables: queue.Tables},
		{Name: "replay", Tables: replay.Tables, New: func(e *module.Env) module.Module {
			return module.Module{
				Cleanup: []module.Cleanup{{Platform: replay.Recover, AtStart: true}, {Platform: replay.Purge}, {Platform: coord.ForgetFull}},
				Run:     func(ctx context.Context) error { return replay.Follow(ctx, e.DB, e.Log) },
			}
		}},
		audit.Slice(), event.Slice(), mail.Slice(), setting.Slice(), notify.Slice(), user.Slice(), org.Slice(), session.Slice(), apikey.Slice(), support.Slice(), passkey.Slice(),
		hook.Slice(), anchor.Slice(), recipient.Slice(), audience.Slice(), imports.Slice(), optout.Slice(), content.Slice(), account.Slice(), channel.Slice(), send.Slice(), testmessage.Slice(), campaign.Slice(), inbox.Slice(), file.Slice(), network.Slice(), history.Slice(), push.Slice(),
		business.Slice(), engine.Slice(), jev.Slice(), knowledge.Slice(), calendar.Slice(), seller.Slice(), insight.Slice(), quality.Slice(), automation.Slice(), social.Slice(),
		managed.Slice(), overview.Slice(), admin.Slice(),
	}
}

// App is the messaging service: every slice over one store.
type App struct {
	DB       *store.DB
	Sessions *session.Service
	// Support notes what support looks at.
	Support *support.Service
	// AI runs language models.
	AI *engine.Service
	// Calendar books times.
	Calendar *calendar.Service
	// Signup says who may sign up now.
	Signup func(context.Context) (setting.Signup, error)
	driver messenger.Driver // nil: none

	o       Options
	log     *slog.Logger // never nil
	modules []module.Module
	mapKeys *managed.Service
	workers *queue.Workers
	node    *coord.Session // this process is a node as long as it is open
	names   api.NameReader // of records that answers mention
}

// tables are those of every slice.
func tables() (out []store.AnyTable) {
	for _, s := range everySlice() {
		if s.Tables != nil {
			out = append(out, s.Tables()...)
		}
	}
	return out
}

// migrations are the changes to what is stored, in the order in which they came. New
// ones are added at the end; none is ever taken away or renamed.
func migrations() []store.Migration {
	return []store.Migration{audit.Migration, hook.Migration, proxy.Migration, queue.Migration, hook.SlotMigration, send.SlotMigration, inbox.Migration,
		decision.Migration, execution.DecisionMigration, calendar.DecisionMigration, agent.ResearchMigration}
}

// StoreOptions are what the database of these options is opened with, also by
// commands about a file that nobody serves from.
func (o Options) StoreOptions() store.Options {
	return store.Options{Tables: tables(), Migrations: migrations(), Key: o.keySource(), Prove: proveAudit, Now: o.Clock, SharedNow: o.SharedClock, Log: o.Log}
}

// Open opens the database, or makes it, and puts the slices over it. It starts
// nothing: see Run. Close it.
func Open(ctx context.Context, o Options) (*App, error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	if err := o.oneKey(); err != nil {
		return nil, err
	}
	so := o.StoreOptions()
	so.IDs = o.IDs
	db, err := o.openStore(ctx, so)
	if err != nil {
		return nil, err
	}
	a := &App{DB: db, o: o, log: o.Log, workers: queue.New(db, queue.Options{Log: o.Log})}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if o.Messenger != nil {
		if a.driver, err = o.Messenger(); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	coord.Of(db).Configure(coord.Options{Log: o.Log})
	if a.node, err = coord.Of(db).Enter(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	a.build()
	if err := errors.Join(a.configure(ctx), a.cleanAtStart(ctx)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return a, nil
}

// build makes the slices in their order.
func (a *App) build() {
	o := a.o
	e := &module.Env{
		DB: a.DB, Bus: &signal.Bus{}, Log: a.log, Workers: a.workers, Periodic: a.schedulePeriodicJobs,
		Options: module.Options{
			Data: o.Data, Files: o.files(), PublicURL: o.PublicURL, Version: o.Version, Worker: worker(), SessionTTLHours: o.SessionTTLHours, InboxMaxFileMB: o.InboxMaxFileMB, AICalls: o.AICalls,
			PrivateWebhooks: o.PrivateWebhooks, PrivateProxies: o.PrivateProxies, NoUsualHours: o.NoUsualHours, Warnings: o.Warnings,
			AuditAnchors: o.AuditAnchors, AuditAnchorURL: o.AuditAnchorURL,
		},
	}
	module.Provide(e, o.Webhooks)
	module.Provide(e, anchor.Sender{Sender: o.AnchorSender})
	module.Provide(e, o.Mail)
	if o.AI != nil {
		module.Provide(e, o.AI)
	}
	if o.Pages != nil {
		module.Provide(e, o.Pages)
	}
	module.Provide(e, o.Searcher)
	o.Outside.PublicURL = o.PublicURL
	module.Provide(e, o.Outside)
	if o.Calendar.Client != nil || len(o.Calendar.Missing) > 0 {
		o.Calendar.PublicURL = o.PublicURL
		module.Provide(e, o.Calendar)
	}
	module.Provide(e, o.MapKeys)
	module.Provide(e, a.driver)
	for _, s := range everySlice() {
		if s.New != nil {
			a.modules = append(a.modules, s.New(e))
		}
	}
	for _, m := range a.modules {
		if m.Ready != nil {
			m.Ready()
		}
		if m.Workers != nil {
			m.Workers(a.workers)
		}
	}
	names := api.NamesFrom(module.All[api.NameSource](e))
	a.names = func(c *api.Call, org string, ids []string) (out map[string]string, err error) {
		err = a.DB.View(c, func(tx *store.Tx) error {
			out, err = names(c, tx, org, ids)
			return err
		})
		return out, err
	}
	queue.Register(a.workers, a.clean)
	a.mapKeys = module.Get[*managed.Service](e)
	a.AI = module.Get[*engine.Service](e)
	a.Calendar = module.Get[*calendar.Service](e)
	a.Support = module.Get[*support.Service](e)
	a.Sessions, a.Signup = module.Get[*session.Service](e), module.Get[*setting.Service](e).Signup
}

// worker names this process where people see who works.
func worker() string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return host + "/" + strconv.Itoa(os.Getpid())
}

// configure lets every slice store what the installation says, and asks for the periodic
// jobs.
func (a *App) configure(ctx context.Context) error {
	return a.DB.Update(ctx, func(tx *store.Tx) error {
		for _, m := range a.modules {
			if m.Open == nil {
				continue
			}
			if err := m.Open(tx); err != nil {
				return err
			}
		}
		return a.schedulePeriodicJobs(tx)
	})
}

// schedulePeriodicJobs asks for the periodic jobs of every slice; those that wait already
// stay as they are.
func (a *App) schedulePeriodicJobs(tx *store.Tx) error {
	for _, m := range a.modules {
		if m.Periodic == nil {
			continue
		}
		if err := m.Periodic(tx); err != nil {
			return err
		}
	}
	_, err := queue.Add(tx, cleanup{}, time.Time{}, queue.Once("hourly"))
	return err
}

// Endpoints are the operations of every slice.
func (a *App) Endpoints() (out []api.Endpoint) {
	for _, m := range a.modules {
		out = append(out, m.Endpoints...)
	}
	for i := range out {
		out[i].ReadNames(a.names)
	}
	return out
}

// Maintenance says whether the platform is in maintenance, and what people are told.
func (a *App) Maintenance(ctx context.Context) (on bool, message string, err error) {
	err = a.DB.View(ctx, func(tx *store.Tx) error {
		s, err := setting.Get(tx)
		on, message = s.MaintenanceMode, ""
		if s.MaintenanceMessage != nil {
			message = *s.MaintenanceMessage
		}
		return err
	})
	return on, message, err
}

// Run works on jobs and listens for local commands until the context ends. What slices
// stand on ends last.
func (a *App) Run(ctx context.Context) error {
	supported, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	support, supported := errgroup.WithContext(supported)
	group, ctx := errgroup.WithContext(ctx)
	for _, m := range a.modules {
		if m.Support != nil {
			support.Go(func() error { return m.Support(supported) })
		}
		if m.Run != nil {
			group.Go(func() error { return m.Run(ctx) })
		}
	}
	group.Go(func() error { return a.workers.Run(ctx) })
	group.Go(func() error { return local.Serve(ctx, a.o.Data, a) })
	// What fails there ends everything.
	group.Go(func() error {
		select {
		case <-ctx.Done():
			return nil
		case <-supported.Done():
			return context.Cause(supported)
		}
	})
	err := group.Wait()
	end()
	if failed := support.Wait(); err == nil {
		return failed
	}
	return err
}

// Close closes the database.
func (a *App) Close() error {
	a.node.Leave()
	return a.DB.Close()
}
