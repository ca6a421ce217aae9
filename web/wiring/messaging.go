package wiring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"svc/ai/providers"
	"svc/ai/search"
	pages "svc/ai/web"
	"svc/app"
	"svc/app/cli"
	"svc/app/cli/files"
	"svc/app/local"
	"svc/app/mail/smtp"
	"svc/messenger"
	"svc/store/offline"
	"svc/web"
	"svc/web/apiv1"
	"svc/web/hookclient"
)

// messagingOptions are what the messaging service is made with.
func messagingOptions(c cli.Config) (app.Options, error) {
	place, err := files.Open(c.Files)
	if err != nil {
		return app.Options{}, fmt.Errorf("--files: %w", err)
	}
	return app.Options{
		Data: c.Data, Store: c.Store, Files: place, MasterKey: c.MasterKey, PublicURL: c.PublicURL, Version: cli.Version(version),
		SessionTTLHours: c.SessionTTLHours, InboxMaxFileMB: c.InboxMaxFileMB, AICalls: c.AICalls, Warnings: c.Warnings,
		Clock: clock,
	}, nil
}

// messaging opens the messaging service and lets it work beside the requests.
func (s *parts) messaging(ctx context.Context) (*app.App, error) {
	o, err := messagingOptions(s.Config)
	if err != nil {
		return nil, err
	}
	o.MapKeys = s.keys
	o.Log, o.PrivateWebhooks, o.PrivateProxies = s.log, s.PrivateWebhooks, s.PrivateProxies
	o.Webhooks = hookclient.New(hookclient.Options{AllowPrivate: s.PrivateWebhooks})
	o.AI = providers.New(s.PrivateProviders)
	o.Pages = pages.New(pages.Options{AllowPrivate: s.PrivatePages, Agent: "svc/" + cli.Version(version)})
	switch {
	case s.SearXNGURL != "":
		o.Searcher = search.NewSearXNG(s.SearXNGURL, nil)
	case s.BraveAPIKey != "":
		o.Searcher = search.NewBrave(s.BraveAPIKey, "", nil)
	}
	o.AuditAnchors, o.AuditAnchorURL = s.AuditAnchors, s.AuditAnchorURL
	o.AnchorSender = hookclient.New(hookclient.Options{AllowPrivate: true}) // who configures it owns the machine
	o.Messenger = func() (messenger.Driver, error) { return s.messengerDriver(ctx) }
	if o.Outside, o.Calendar, err = s.outside(); err != nil {
		return nil, err
	}
	if s.SMTPURL != "" {
		client, err := smtp.New(smtp.Options{URL: s.SMTPURL, From: s.MailFrom})
		if err != nil {
			return nil, err
		}
		o.Mail = client
	}
	a, err := app.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	link, err := a.Sessions.SetupLink(ctx)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if link != "" {
		s.welcome = link
	}
	s.metrics.WatchAI(a.AI.Runs.Figures)
	s.metrics.WatchCalendar(a.Calendar.Figures)
	s.background = append(s.background, web.Background{Name: "messaging", Run: a.Run})
	return a, nil
}

// greet shows the link of the first person. It is a secret, so it does not go to
// the log.
func (s *parts) greet(w io.Writer, address string) {
	if s.welcome == "" {
		return
	}
	link := s.welcome
	if strings.HasPrefix(link, "/") {
		link = address + link
	}
	_, _ = fmt.Fprintf(w, "\nNobody administers this server yet. The first person signs up here, once:\n\n  %s\n\n", link)
}

// door is the HTTP side of the messaging service.
func (s *parts) door(a *app.App) *apiv1.API {
	return apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: a.Endpoints(), Identify: a.Sessions.Identify, Maintenance: a.Maintenance, Accessed: a.Support.Accessed,
		Origins: s.AllowedOrigins, PublicURL: s.PublicURL, TrustedProxies: s.TrustedProxies, Log: s.log,
	})
}

// describe makes the OpenAPI document of a service that nobody uses: its database is
// empty and gone at the end.
func describe(ctx context.Context, strict bool) (document []byte, err error) {
	dir, err := os.MkdirTemp("", "svc-openapi-")
	if err != nil {
		return nil, fmt.Errorf("the document cannot be made: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	log := slog.New(slog.DiscardHandler)
	a, err := app.Open(ctx, app.Options{Data: dir, Version: cli.Version(version), Log: log})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	s := &parts{log: log}
	return s.door(a).Description(strict)
}

// localAdmin finds who has the database: the running server, or else this process.
func localAdmin(ctx context.Context, c cli.Config) (local.Admin, func() error, error) {
	client, err := local.Dial(ctx, c.Data)
	switch {
	case err == nil:
		return client, client.Close, nil
	case !errors.Is(err, local.ErrNotRunning):
		return nil, nil, err
	}
	o, err := messagingOptions(c)
	if err != nil {
		return nil, nil, err
	}
	a, err := app.Open(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	return a, a.Close, nil
}

// verifyBackup proves that a backup is whole, and tells out which files of conversations it
// names that are not in the place of files.
func verifyBackup(ctx context.Context, c cli.Config, file string, out io.Writer) error {
	o, err := messagingOptions(c)
	if err != nil {
		return err
	}
	missing, err := o.VerifyBackup(ctx, file)
	if err != nil || missing.Records == 0 {
		return err
	}
	_, err = fmt.Fprintln(out, missing)
	return err
}

func restore(ctx context.Context, c cli.Config, file string) error {
	o, err := messagingOptions(c)
	if err != nil {
		return err
	}
	return offline.Restore(ctx, file, app.Database(c.Data), o.StoreOptions())
}

func compact(ctx context.Context, c cli.Config) (before, after int64, err error) {
	return offline.Compact(ctx, app.Database(c.Data))
}

// rotateMaster gives the database of a stopped server a new master key.
func rotateMaster(ctx context.Context, c cli.Config, newKey string, out io.Writer) error {
	o, err := messagingOptions(c)
	if err != nil {
		return err
	}
	done, err := o.RotateMaster(ctx, newKey, func(what string) { _, _ = fmt.Fprintln(out, "sealing again:", what) })
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "everything is sealed with the new master key; %d files were sealed again\n", done.Files)
	for _, name := range done.Damaged {
		_, _ = fmt.Fprintf(out, "the file %s was damaged before and stays as it is\n", name)
	}
	if done.NewKey != "" {
		_, _ = fmt.Fprintf(out, "put the content of %s where the key comes from, in place of the old one, before the server starts\n", done.NewKey)
	}
	if done.Retired != "" {
		_, _ = fmt.Fprintf(out, "%s is the old key; only backups from before need it, so keep it with them or delete it\n", done.Retired)
	}
	_, err = fmt.Fprintln(out, "make a new backup now")
	return err
}
