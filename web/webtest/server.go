package webtest

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	aisimulator "svc/ai/simulator"
	"svc/app/cli"
	"svc/app/mail/mailtest"
	"svc/app/mapkey"
	"svc/embed/assets"
	"svc/embed/sdk"
	"svc/geo/live"
	"svc/geo/photo"
	"svc/geo/route"
	"svc/geo/tileset"
	"svc/messenger/simulator"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/kv/postgres/pgtest"
	"svc/store/recordid"
	"svc/store/storetest"
	"svc/web"
	"svc/web/gate"
	"svc/web/mapapi"
	"svc/web/mapbundle"
	"svc/web/mapstyle"
	"svc/web/maptiles"
	"svc/web/webtest/fakes"
)

// defaultNow is a Friday noon in Tashkent (07:00 UTC).
var defaultNow = time.Date(2026, time.November, 20, 7, 0, 0, 0, time.UTC)

// Options say what server a story talks to. The zero value is a server without
// map, keys, metering, photos and routing.
type Options struct {
	Map        string // path of a map file; "" for none
	Now        time.Time
	Keys       string // content of the key file; "" for none
	RequireKey bool
	Usage      bool
	KeyRate    int64
	Photos     bool   // with the hosts of FakePhotos
	Routing    string // a behaviour of FakeEngine, or "": not configured
	PublicURL  string
	// Mail: the service has a mail server, which takes everything.
	Mail      bool
	Messaging bool // with the messaging service over a new database
	// Nodes is how many processes the messaging service has over one database in memory;
	// each request goes to the next of them. 0: one, with its database in a file.
	Nodes int
	// Postgres puts the database on a PostgreSQL server, whether SVC_TEST_STORE asks for it
	// or not.
	Postgres bool
	// Engine is what the database is in; nil: a file, or what Nodes and Postgres say.
	Engine kv.Engine
	// Patience is how long the messenger may take to answer, 20 s for 0.
	Patience time.Duration
	// Hours gives campaigns their organization's default sending hours. Without it they
	// send at any time, because most stories are not about the time of day at which
	// they happen to stand.
	Hours bool
	// AICalls is how many calls one provider of AI has at a time; 0 is the default.
	AICalls int
	// Faults adds operations that fail on purpose. Hurry is "OPERATION DURATION": how
	// long that one may take.
	Faults bool
	Hurry  string
	// Roots are the authorities that vouch for servers of the outside; nil: those of the
	// machine.
	Roots *x509.CertPool
}

// Clock is a clock that only moves when it is told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now tells the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Server is a running server with what tests turn on and off.
type Server struct {
	URL    string
	Client *http.Client
	Clock  *Clock

	tb       testing.TB
	o        Options
	dir      string
	log      *lockedBuffer
	letters  mailtest.Letterbox
	maps     *live.Map
	tiles    *maptiles.Source // nil without a map
	keys     *mapkey.Keys
	meter    *mapkey.Meter
	hosts    *fakes.Photos
	engine   *fakes.Engine
	service  *service        // nil without messaging: what actions are done by
	nodes    []*service      // all of them
	shared   kv.Engine       // nil: each has its own file
	store    string          // address of the database of all; "": none
	ids      *recordid.Maker // of all nodes; nil: each has its own
	sim      *simulator.Simulator
	arrivals arrivals
	line     *fakes.Telephone       // to the simulator
	models   *aisimulator.Simulator // the providers of language models
	nets     *networks              // the photo and the page network; nil without messaging
	handlers []http.Handler         // behind the listener, one of each node; replaced by a restart
	asked    atomic.Uint64
	mu       sync.RWMutex
}

// Start starts a server that ends with the test.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	if o.Now.IsZero() {
		o.Now = defaultNow
	}
	s := &Server{tb: tb, o: o, dir: tb.TempDir(), log: &lockedBuffer{}, Clock: &Clock{now: o.Now}, models: aisimulator.New()}
	if o.Keys != "" {
		s.writeKeys(o.Keys)
	}
	if o.Photos {
		s.hosts = fakes.NewPhotos(tb)
	}
	if o.Routing != "" {
		s.engine = fakes.NewEngine(tb, o.Routing)
	}
	ctx, cancel := context.WithCancel(context.Background())
	logger := slog.New(slog.NewJSONHandler(s.log, nil))
	s.maps = live.New(o.Map, 0, false, logger, nil)
	if o.Map != "" {
		s.tiles = live.Open(cli.TilesPath(o.Map), 0, logger, live.Kind[*tileset.Set]{Name: "tiles", Open: tileset.OpenVector})
	}
	var work sync.WaitGroup
	work.Go(func() { _ = s.maps.Run(ctx) })
	if s.tiles != nil {
		work.Go(func() { _ = s.tiles.Run(ctx) })
	}
	if o.Nodes > 0 {
		s.ids = recordid.NewMaker(s.Clock.Now)
	}
	if s.store = storetest.Address(tb); o.Postgres && s.store == "" {
		s.store = pgtest.Address(tb)
	}
	if s.shared = o.Engine; s.shared != nil {
		s.store = ""
	} else if s.store == "" && o.Nodes > 0 {
		s.shared = kvtest.Shared{Engine: kv.NewMemory()}
	}
	if o.Messaging {
		s.openNetworks()
	}
	s.open(logger)
	ts := httptest.NewServer(s)
	s.URL = ts.URL
	s.Client = &http.Client{
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	tb.Cleanup(func() {
		s.Client.CloseIdleConnections()
		ts.Close()
		cancel()
		work.Wait()
		s.close()
		s.nets.close(s)
	})
	return s
}

// notBuilt is what a binary made without Node carries for browsers, so that
// stories do not depend on what was built.
var notBuilt = fstest.MapFS{"placeholder.html": {Data: []byte("<!doctype html><title>svc</title>")}}

// ServeHTTP hands a request to the server without a network.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	h := s.handlers[s.asked.Add(1)%uint64(len(s.handlers))]
	s.mu.RUnlock()
	h.ServeHTTP(w, r)
}

// open makes everything behind the listener, as the program does at its start.
func (s *Server) open(logger *slog.Logger) {
	metrics := web.NewMetrics("test")
	s.keys, s.meter = nil, nil
	if s.o.Keys != "" || s.o.Messaging {
		file := ""
		if s.o.Keys != "" {
			file = s.keyFile()
		}
		keys, err := mapkey.OpenKeys(file, mapkey.KeyOptions{DefaultRate: s.o.KeyRate, Log: logger})
		if err != nil {
			s.tb.Fatal(err)
		}
		s.keys = keys
	}
	if s.o.Usage {
		s.meter = mapkey.OpenMeter(filepath.Join(s.dir, "usage.db"), mapkey.MeterOptions{Clock: s.Clock.Now, Log: logger})
	}
	if s.o.Messaging {
		for range max(1, s.o.Nodes) {
			s.nodes = append(s.nodes, s.openService(logger))
		}
		s.service = s.nodes[0]
	}
	door := gate.New(gate.Config{
		Keys: s.keys, Require: s.o.RequireKey, Meter: s.meter, PublicURL: s.o.PublicURL,
		Clock: s.Clock.Now, Observe: metrics.GateDecision, Log: logger,
	})
	handlers := []http.Handler{}
	for _, messaging := range s.messaging() {
		handlers = append(handlers, web.New(web.Config{
			Messaging: messaging, Gate: door.Wrap, Metrics: metrics, Log: logger, Clock: s.Clock.Now, Trusted: netip.Addr.IsLoopback,
			Map: mapapi.New(mapapi.Config{
				Map: s.maps, Tiles: s.tiles, Photos: s.photos(logger), Engine: s.routing(metrics), Usage: door.Usage(), Charge: door.Charge,
				Version: "1.4.0", Log: logger, Clock: s.Clock.Now,
			}),
			Tiles: maptiles.New(maptiles.Config{Tiles: s.tiles, PublicURL: s.o.PublicURL, Log: logger}),
			Style: mapstyle.New(mapstyle.Config{Assets: assets.Files(), PublicURL: s.o.PublicURL, Log: logger}),
			Page:  mapbundle.New(mapbundle.Config{Files: notBuilt, PublicURL: s.o.PublicURL, Command: sdk.Command, Log: logger}),
		}).Handler())
	}
	s.mu.Lock()
	s.handlers = handlers
	s.mu.Unlock()
}

func (s *Server) close() {
	for _, n := range s.nodes {
		n.close(s.tb)
	}
	s.service, s.nodes = nil, nil
	if s.meter == nil {
		return
	}
	if err := s.meter.Close(context.Background()); err != nil {
		s.tb.Errorf("the usage file: %v", err)
	}
}

func (s *Server) photos(logger *slog.Logger) *photo.Client {
	if s.hosts == nil {
		return nil
	}
	c, err := photo.New(photo.Config{
		EntityBase: s.hosts.Entity, ImageBase: s.hosts.Image, CacheDir: filepath.Join(s.dir, "photos"),
		Clock: s.Clock.Now, Log: logger,
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	return c
}

// routing is the real client in front of the fake engine.
func (s *Server) routing(metrics *web.Metrics) route.Engine {
	if s.engine == nil {
		return nil
	}
	return &route.Client{BaseURL: s.engine.URL, Clock: s.Clock.Now, Observe: metrics.EngineCall, Budget: fakes.EngineBudget}
}

// origin is where the console of the server stands, as browsers see it.
func (s *Server) origin() string {
	if s.o.PublicURL != "" {
		return s.o.PublicURL
	}
	return s.URL
}

func (s *Server) keyFile() string { return filepath.Join(s.dir, "keys.json") }

func (s *Server) writeKeys(content string) {
	if err := os.WriteFile(s.keyFile(), []byte(content), 0o600); err != nil {
		s.tb.Fatal(err)
	}
}

// Log is what the server has logged.
func (s *Server) Log() string { return s.log.String() }

// Reload asks for the map file again; it is loaded soon after.
func (s *Server) Reload() { s.maps.Reload() }

// Act does one action of a story.
func (s *Server) Act(name, arg string) error {
	switch name {
	case "advance":
		d, err := time.ParseDuration(arg)
		s.Clock.Advance(d)
		return err
	case "flush":
		return s.meter.Flush(context.Background())
	case "restart":
		s.close()
		s.open(slog.New(slog.NewJSONHandler(s.log, nil)))
		return nil
	case "keys":
		s.writeKeys(arg)
		_ = s.keys.Reload() // a file that cannot be read changes nothing: that is a story too
		return nil
	case "ai":
		return fakes.Models(s.models, arg)
	case "engine":
		return s.engine.Behave(arg)
	case "messenger":
		s.arrivals.connected(s.sim.World(), arg)
		return s.sim.World().Script(arg)
	case "messenger-down", "messenger-up":
		s.line.Cut(name == "messenger-down")
		return nil
	case "platforms":
		return s.nets.Script(arg)
	case "allow":
		return s.allow(arg)
	case "settle":
		if s.sim != nil {
			s.arrivals.wait(s.sim.World())
		}
		s.nets.idle()
		return s.service.settle()
	case "probes":
		return s.service.probes(s.Clock.Advance)
	case "database-held":
		s.service.hold()
		return nil
	case "database-free":
		return s.service.release()
	case "setting":
		return s.service.set(arg)
	case "admin":
		return s.service.admin(arg)
	case "suspend", "reactivate", "limits", "disable", "enable", "support":
		return s.service.administer(name, arg)
	case "pause", "resume", "sending", "campaign", "campaign-over", "propose", "remember", "miss", "book", "units":
		return s.service.beside(name, arg)
	case "photos-down":
		s.hosts.Close()
		return nil
	}
	return fmt.Errorf("no such action")
}

// lockedBuffer is a log that goroutines share.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
