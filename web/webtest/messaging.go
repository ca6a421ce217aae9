package webtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"svc/ai/providers"
	"svc/ai/search"
	"svc/ai/simulator"
	pages "svc/ai/web"
	"svc/app"
	"svc/app/api"
	"svc/app/mail"
	"svc/app/mapkey/managed"
	"svc/app/send"
	"svc/app/setting"
	"svc/messenger"
	"svc/messenger/platform/sim"
	"svc/store"
	"svc/store/queue"
	"svc/web/apiv1"
	"svc/web/hookclient"
)

// service is the messaging service of a story, at work.
type service struct {
	app   *app.App
	api   *apiv1.API
	stop  context.CancelFunc
	ended chan error
	held  *holding // nil while nobody holds the database
}

// noMap is what a server without a map warns administrators of.
const noMap = "map is empty: what needs an index answers 503; make one with 'svc map build' and name it with --map FILE"

// openService opens the database of the story and lets the service work on it.
func (s *Server) openService(logger *slog.Logger) *service {
	var sender mail.Sender
	if s.o.Mail {
		sender = &s.letters
	}
	a, err := app.Open(context.Background(), app.Options{
		AI: providers.Over(s.models), Pages: pages.New(pages.Options{Transport: simulator.Web{}, Unpaced: true}),
		Outside: s.outsideNetworks(), Calendar: s.outsideCalendar(), Searcher: search.NewSearXNG("http://search.example", simulator.Web{}), Mail: sender, Engine: s.shared, Store: s.store, IDs: s.ids, MapKeys: managed.Gate{Keys: s.keys, Meter: s.meter},
		Data: filepath.Join(s.dir, "data"), PublicURL: s.o.PublicURL, Version: "1.4.0", Log: logger, Clock: s.Clock.Now, SharedClock: true, NoUsualHours: !s.o.Hours, AICalls: s.o.AICalls, Warnings: []string{noMap},
		Messenger: func() (messenger.Driver, error) { return s.messenger(logger), nil }, PrivateProxies: true, PrivateWebhooks: true, Webhooks: hookclient.New(hookclient.Options{AllowPrivate: true, Roots: s.o.Roots}),
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := &service{app: a, stop: cancel, ended: make(chan error, 1)}
	go func() { h.ended <- a.Run(ctx) }()
	endpoints, err := s.endpoints(a.Endpoints())
	if err != nil {
		s.tb.Fatal(err)
	}
	h.api = apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: endpoints, Identify: a.Sessions.Identify, Maintenance: a.Maintenance, Accessed: a.Support.Accessed,
		PublicURL: s.o.PublicURL, Log: logger, Clock: s.Clock.Now,
	})
	return h
}

// messaging are the handlers of the nodes; one that is nil without them.
func (s *Server) messaging() (out []http.Handler) {
	for _, n := range s.nodes {
		out = append(out, n.api)
	}
	if out == nil {
		out = append(out, nil)
	}
	return out
}

// App is the messaging service, for tests that look behind the operations.
func (s *Server) App() *app.App { return s.service.app }

// Networks are the simulated photo and page network.
func (s *Server) Networks() *sim.Simulator { return s.nets.Simulator }

// close ends the service and proves that its database agrees with itself.
func (h *service) close(tb testing.TB) {
	tb.Helper()
	if err := h.release(); err != nil {
		tb.Error(err)
	}
	h.stop()
	if err := <-h.ended; err != nil && !errors.Is(err, context.Canceled) {
		tb.Errorf("the messaging service ended: %v", err)
	}
	if err := h.app.DB.Check(context.Background()); err != nil {
		tb.Errorf("the database: %v", err)
	}
	if err := h.app.Close(); err != nil {
		tb.Error(err)
	}
}

// settleWithin bounds how long a story waits for jobs.
const settleWithin = time.Minute

// settle waits until no job is due or runs.
func (h *service) settle() error {
	if err := h.look(); err != nil {
		return err
	}
	deadline := time.Now().Add(settleWithin)
	for {
		busy, err := h.busy()
		if err != nil || busy == "" {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("still at work: %s", busy)
		}
		<-time.After(time.Millisecond)
	}
}

// look tells whoever waits by his own clock to look at that of the story.
func (h *service) look() error {
	return h.app.DB.Update(context.Background(), func(tx *store.Tx) error { return queue.Pause(tx, queue.Maintenance, false) })
}

// busy names a queue with a job that is due or runs, "" when there is none.
func (h *service) busy() (name string, err error) {
	err = h.app.DB.View(context.Background(), func(tx *store.Tx) error {
		name = ""
		for _, q := range queue.Names() {
			for _, state := range []queue.State{queue.Active, queue.Pending, queue.Scheduled, queue.Retry} {
				first, _, err := queue.List(tx, q, state, 0, 1)
				if err != nil {
					return err
				}
				if len(first) > 0 && !first[0].At.After(tx.DB().Now()) {
					name = string(q)
				}
			}
		}
		idle, err := send.Idle(tx, tx.DB().Now())
		if err == nil && !idle {
			name = "sending"
		}
		return err
	})
	return name, err
}

// set changes settings of the platform.
func (h *service) set(arg string) error {
	var change map[string]any
	if err := json.Unmarshal([]byte(arg), &change); err != nil {
		return err
	}
	return h.app.DB.Update(context.Background(), func(tx *store.Tx) error {
		_, err := setting.Put(tx, api.System(context.Background(), store.Platform, tx.DB().Now()), change)
		return err
	})
}

// admin makes a person an administrator of the platform.
func (h *service) admin(email string) error {
	_, err := h.app.CreateAdmin(context.Background(), email)
	return err
}
