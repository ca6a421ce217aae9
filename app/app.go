package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/account"
	"svc/app/admin"
	"svc/app/api"
	"svc/app/api/replay"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/content"
	"svc/app/event"
	"svc/app/hook"
	"svc/app/local"
	"svc/app/mail"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/overview"
	"svc/app/recipient"
	"svc/app/send"
	"svc/app/session"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

// Options are what the messaging service is made with.
type Options struct {
	// Data is the folder of the database and of attachments; made when needed.
	Data string
	// MasterKey is the file of the key of everything sealed; "": in Data.
	MasterKey string
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
	// Mail gives mails to a mail server; nil: there is none, and links are copied.
	Mail mail.Sender
	// SessionTTLHours and InboxMaxFileMB hold where no administrator chose
	// otherwise; 0 is the default.
	SessionTTLHours, InboxMaxFileMB int
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
	// Clock tells the time; nil: time.Now.
	Clock func() time.Time
}

// production says whether people reach the service over https (contract 20.14).
func (o Options) production() bool { return strings.HasPrefix(o.PublicURL, "https://") }

// noAddress is what checks say of opt-out links that nobody can open: on a simulator
// nobody real misses them.
func (a *App) noAddress() campaign.Verdict {
	switch {
	case a.o.PublicURL != "":
		return ""
	case a.driver != nil && a.driver.Kind() == messenger.MTProto:
		return campaign.Fail
	}
	return campaign.Warn
}

// messengerKind names the driver, "" for none.
func (a *App) messengerKind() string {
	if a.driver == nil {
		return ""
	}
	return string(a.driver.Kind())
}

// Database is where the database of a data folder is.
func Database(data string) string { return filepath.Join(data, "svc.db") }

// keyIsFile says whether the master key lies in a file.
func (o Options) keyIsFile() bool { return true }

func (o Options) keyFile() string {
	if o.MasterKey != "" {
		return o.MasterKey
	}
	return filepath.Join(o.Data, "master.key")
}

// Slice is one promise of the service: its operations.
type Slice interface{ Endpoints() []api.Endpoint }

// App is the messaging service: every slice over one store.
type App struct {
	DB       *store.DB
	Sessions *session.Service
	// Signup says who may sign up now.
	Signup   func(context.Context) (setting.Signup, error)
	orgs     *org.Service
	content  *content.Service
	accounts *account.Service
	driver   messenger.Driver // nil: none

	o       Options
	log     *slog.Logger // never nil
	slices  []Slice
	workers *queue.Workers
	runs    []func(context.Context) error
}

// tables are those of every slice.
func tables() []store.AnyTable {
	return slices.Concat(queue.Tables(), replay.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(),
		user.Tables(), org.Tables(), session.Tables(), hook.Tables(), recipient.Tables(), content.Tables(),
		account.Tables(), send.Tables(), campaign.Tables(), admin.Tables())
}

// migrations are the changes to what is stored, in the order in which they came. New
// ones are added at the end; none is ever taken away or renamed.
func migrations() []store.Migration {
	return []store.Migration{audit.Migration}
}

// StoreOptions are what the database of these options is opened with, also by
// commands about a file that nobody serves from.
func (o Options) StoreOptions() store.Options {
	return store.Options{Tables: tables(), Migrations: migrations(), KeyFile: o.keyFile(), Prove: proveAudit, Now: o.Clock, Log: o.Log}
}

// Open opens the database, or makes it, and puts the slices over it. It starts
// nothing: see Run. Close it.
func Open(ctx context.Context, o Options) (*App, error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	so := o.StoreOptions()
	so.BeforeUpgrade = o.beforeUpgrade
	db, err := store.Open(ctx, Database(o.Data), so)
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
	a.build()
	if err := errors.Join(a.configure(ctx), a.purge(ctx, replay.Recover)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return a, nil
}

// beforeUpgradeName is added to the name of the database for its copy from before an
// upgrade.
const beforeUpgradeName = ".before-upgrade"

// beforeUpgrade keeps a copy of a database that a newer program is about to change
// (contract 19).
func (o Options) beforeUpgrade(ctx context.Context, db *store.DB) error {
	file := Database(o.Data) + beforeUpgradeName
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return db.Backup(ctx, file)
}

// build makes the slices, lowest first, and connects what points upward.
func (a *App) build() {
	o, bus := a.o, &signal.Bus{}
	a.orgs = org.New(a.DB, bus, org.Options{
		Meter: org.Meter{Messages: send.Messages}, Counters: map[org.LimitKey]org.Counter{
			org.LimitRecipients:      recipient.Used,
			org.LimitWebhooks:        hook.Count,
			org.LimitStorageMB:       content.StorageUsed,
			org.LimitAccounts:        account.Count,
			org.LimitActiveCampaigns: campaign.Active,
		},
	})
	users, log := user.New(bus, "svc"), audit.New(a.DB)
	a.Sessions = session.New(a.DB, bus, users, session.Options{Secure: o.production(), PublicURL: o.PublicURL})
	hooks := hook.New(a.DB, hook.Options{
		Sender: o.Webhooks, Production: o.production(), AllowPrivate: o.PrivateWebhooks, Version: o.Version, Log: o.Log,
	})
	a.content = content.New(a.DB, content.Options{
		Dir: filepath.Join(o.Data, "files"), PublicURL: o.PublicURL, HasAttribute: recipient.HasAttribute, Log: o.Log,
	})
	a.accounts = account.New(a.DB, account.Options{
		Driver: a.driver, Bus: bus, AllowPrivateProxies: o.PrivateProxies, InUse: campaign.InUse, Log: o.Log,
	})
	sends := send.New(a.DB, send.Options{Accounts: a.accounts, Content: a.content, Bus: bus, Worker: worker(), Log: o.Log})
	campaigns := campaign.New(a.DB, campaign.Options{Bus: bus, Content: a.content, Org: a.orgs, NoAddress: a.noAddress(), NoUsualHours: o.NoUsualHours, Log: o.Log})
	sends.Register(send.Campaign, campaigns)
	recipients := recipient.New(a.DB, bus, recipient.Options{Campaign: campaigns.Reach, KnownTo: account.KnownTo})
	administration := admin.New(a.DB, a.administration(users, log, campaigns, map[queue.Name]admin.Tasks{queue.Send: sends, queue.Webhooks: hooks}))
	settings := setting.New(a.DB, o.Version, o.PublicURL, setting.Channels{}, user.HasAdministrator).WithMessenger(a.messengerKind())
	a.Signup = settings.Signup
	a.slices = []Slice{
		log, event.New(a.DB).WithNames(names), settings, notify.New(a.DB),
		a.orgs, a.Sessions, hooks, recipients, a.content, a.accounts, sends, campaigns, overview.New(a.DB, overview.Known()), administration,
	}
	for _, s := range []interface{ Work(*queue.Workers) }{a.Sessions, hooks, recipients, a.content, a.accounts, sends, campaigns} {
		s.Work(a.workers)
	}
	mail.Work(a.workers, a.DB, o.Mail)
	queue.Register(a.workers, a.housekeep)
	queue.Register(a.workers, a.anchor)
	a.runs = append(a.runs, a.workers.Run, a.Sessions.Run, hooks.Run, administration.Run)
	if a.driver != nil {
		a.runs = append(a.runs, a.deliver(sends))
	}
}

// worker names this process where people see who works.
func worker() string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return host + "/" + strconv.Itoa(os.Getpid())
}

// deliver runs accounts and sending. At the end the connections outlive the messages
// that are on their way.
func (a *App) deliver(sends *send.Service) func(context.Context) error {
	return func(ctx context.Context) error {
		connected, disconnect := context.WithCancel(context.WithoutCancel(ctx))
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		ended := make(chan error, 1)
		go func() {
			ended <- a.accounts.Run(connected)
			stop() // what fails there ends everything
		}()
		err := sends.Run(ctx)
		disconnect()
		return errors.Join(err, <-ended)
	}
}

// configure keeps what the installation says, and asks for the first housekeeping.
func (a *App) configure(ctx context.Context) error {
	s := setting.Default()
	ttl, size := a.o.SessionTTLHours, a.o.InboxMaxFileMB
	if ttl == 0 {
		ttl = s.SessionTTLHours
	}
	if size == 0 {
		size = s.InboxMaxFileMB
	}
	return a.DB.Update(ctx, func(tx *store.Tx) error {
		if err := setting.Configure(tx, ttl, size); err != nil {
			return err
		}
		if err := mail.Configure(tx, a.o.Mail != nil, a.o.PublicURL); err != nil {
			return err
		}
		if err := event.Resume(tx); err != nil {
			return err
		}
		return a.schedulePeriodicJobs(tx)
	})
}

// schedulePeriodicJobs asks for the jobs that run for ever; those that wait already stay as they are.
func (a *App) schedulePeriodicJobs(tx *store.Tx) error {
	for _, schedule := range []func(*store.Tx) error{session.Schedule, a.content.Schedule, a.accounts.Schedule, campaign.Schedule, a.scheduleAnchors} {
		if err := schedule(tx); err != nil {
			return err
		}
	}
	_, err := queue.Add(tx, housekeeping{}, time.Time{}, queue.Once("hourly"))
	return err
}

// Endpoints are the operations of every slice.
func (a *App) Endpoints() (out []api.Endpoint) {
	for _, s := range a.slices {
		out = append(out, s.Endpoints()...)
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

// Run works on jobs and listens for local commands until the context ends.
func (a *App) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, run := range a.runs {
		group.Go(func() error { return run(ctx) })
	}
	group.Go(func() error { return local.Serve(ctx, a.o.Data, a) })
	return group.Wait()
}

// Close closes the database.
func (a *App) Close() error { return a.DB.Close() }
