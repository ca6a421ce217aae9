package wiring

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"svc/app/cli"
	"svc/app/cli/files"
	"svc/app/mapkey"
	"svc/app/mapkey/managed"
	"svc/app/mapshare"
	"svc/embed/assets"
	consolefiles "svc/embed/console"
	"svc/embed/sdk"
	"svc/geo/live"
	"svc/geo/photo"
	"svc/geo/route"
	"svc/geo/tileset"
	"svc/messenger/platform/sim"
	"svc/web"
	"svc/web/console"
	"svc/web/gate"
	"svc/web/mapapi"
	"svc/web/mapbundle"
	"svc/web/mapstyle"
	"svc/web/maptiles"
	"svc/web/simworld"
	"svc/web/welcome"
)

// parts is a server on its way to start.
type parts struct {
	cli.Config
	log        *slog.Logger
	metrics    *web.Metrics
	background []web.Background
	reload     []func()
	keys       managed.Gate
	welcome    string                 // the link of the first person, "" when there is one
	world      *sim.Simulator         // of the networks, nil without one in this process
	address    atomic.Pointer[string] // where this process serves, once it does
}

// serve makes the parts of the server from its configuration and runs it.
func serve(ctx context.Context, c cli.Config, log *slog.Logger, stdout io.Writer) error {
	limitMemory(c, log)
	for _, w := range c.Warnings {
		log.Warn(w)
	}
	s := &parts{Config: c, log: log, metrics: web.NewMetrics(cli.Version(version))}
	door, err := s.gate()
	if err != nil {
		return err
	}
	photos, err := s.photos()
	if err != nil {
		return err
	}
	maps := live.New(c.Map, c.MapReload, c.MapSource != "", log, s.metrics)
	s.metrics.WatchMap(maps, time.Now)
	s.follow("map", maps.Run, maps.Reload)
	tiles := s.archive("tiles", c.Tiles, tileset.OpenVector)
	if c.Tiles == "" && c.Map != "" {
		tiles = s.archive("tiles", cli.TilesPath(c.Map), tileset.OpenVector)
	}
	terrain := s.archive("terrain", c.Terrain, tileset.OpenTerrain)
	if err := s.fetchMap(maps, tiles, terrain); err != nil {
		return err
	}
	config := web.Config{
		Listen: c.Listen, MetricsListen: c.Metrics, Gate: door.Wrap, Metrics: s.metrics, Log: log,
		Map: mapapi.New(mapapi.Config{
			Map: maps, Tiles: tiles, Terrain: terrain, Photos: photos, Engine: s.engine(), Usage: door.Usage(), Charge: door.Charge,
			Version: cli.Version(version), Log: log, Layout: c.LayoutFix,
		}),
		Tiles: maptiles.New(maptiles.Config{Tiles: tiles, Terrain: terrain, PublicURL: c.PublicURL, Log: log}),
		Style: mapstyle.New(mapstyle.Config{
			Assets: assets.Files(), PublicURL: c.PublicURL, Tiles: schemaOf(tiles), Terrain: present(terrain), Log: log,
		}),
		Page: mapbundle.New(mapbundle.Config{
			Files: sdk.Files(), Licenses: assets.Licenses(), PublicURL: c.PublicURL, Command: sdk.Command, Log: log,
		}),
		Trusted: s.isProxy, Connections: web.PerAddress{Most: c.ConnectionsPerAddress, Exempt: s.carriesMany, Log: log},
		Listening: func(addr net.Addr) {
			at := loopback(addr)
			s.address.Store(&at)
			log.Info("serving", "address", "http://"+addr.String(), "version", cli.Version(version))
			s.greet(stdout, "http://"+addr.String())
		},
	}
	if c.Messaging {
		messaging, err := s.messaging(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = messaging.Close() }()
		door := s.door(messaging)
		config.Messaging, config.Stopping = door, door.EndStreams
		if s.world != nil {
			config.Simulated = simworld.Mount(s.world.Handler(), simulated, door.SignedIn)
		}
		if config.Welcome, err = welcome.New(welcome.Options{Log: log, Signup: func(ctx context.Context) (string, error) {
			state, err := messaging.Signup(ctx)
			return string(state), err
		}}); err != nil {
			return err
		}
		config.Console, err = console.New(console.Config{Files: consolefiles.Files(), Dev: c.DevConsole, Command: consolefiles.Command, Log: log})
		if err != nil {
			return err
		}
	}
	s.background = append(s.background, web.OnHangup(log, s.reload...), web.Background{Name: "memory", Run: afterStart(log)})
	config.Background = s.background
	return web.New(config).Run(ctx)
}

// carriesMany says of an address that its connections are those of many people: a
// trusted proxy, or a program on this machine, which is where most proxies run.
func (s *parts) carriesMany(at netip.Addr) bool { return at.IsLoopback() || s.isProxy(at) }

// isProxy says whether an address is a trusted proxy's.
func (s *parts) isProxy(at netip.Addr) bool {
	return slices.ContainsFunc(s.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(at) })
}

// follow runs what keeps a file up to date, and reloads it on SIGHUP.
func (s *parts) follow(name string, run func(context.Context) error, reload func()) {
	s.background = append(s.background, web.Background{Name: name, Run: run})
	s.reload = append(s.reload, reload)
}

// gate is the key check, with the key file and the usage file that are
// configured.
func (s *parts) gate() (*gate.Gate, error) {
	config := gate.Config{Require: s.RequireKey, PublicURL: s.PublicURL, Observe: s.metrics.GateDecision, Log: s.log}
	if s.Keys != "" || s.Messaging { // administrators make keys too
		keys, err := mapkey.OpenKeys(s.Keys, mapkey.KeyOptions{DefaultRate: int64(s.KeyRate), Reload: s.KeyReload, Log: s.log})
		if err != nil {
			return nil, err
		}
		if s.Keys != "" {
			s.metrics.WatchKeys(keys)
			s.follow("key file", keys.Run, func() { _ = keys.Reload() }) // logs its failure
		}
		config.Keys, s.keys.Keys = keys, keys
	}
	if options := (mapkey.MeterOptions{Flush: s.UsageFlush, Log: s.log}); s.Usage != "" || s.Messaging {
		if config.Meter = mapkey.NewMeter(options); s.Usage != "" { // else package managed counts in its store
			config.Meter = mapkey.OpenMeter(s.Usage, options)
		}
		s.keys.Meter = config.Meter
		s.metrics.WatchUsage(config.Meter.Stats)
		s.background = append(s.background, web.Background{Name: "usage file", Run: runMeter(config.Meter)})
	}
	return gate.New(config), nil
}

// photos is nil when they are off.
func (s *parts) photos() (*photo.Client, error) {
	if !s.Photos {
		return nil, nil
	}
	return photo.New(photo.Config{
		EntityBase: s.PhotoEntityURL, ImageBase: s.PhotoImageURL, CacheDir: filepath.Join(s.Data, "photos"),
		UserAgent: strings.TrimSpace("svc/" + cli.Version(version) + " (map server photo lookup) " + s.PublicURL), Log: s.log,
	})
}

// engine is nil without a routing engine; an interface that holds a nil pointer
// would not be.
func (s *parts) engine() route.Engine {
	if s.RoutingURL == "" {
		return nil
	}
	return &route.Client{BaseURL: s.RoutingURL, Observe: s.metrics.EngineCall}
}

// archive opens a tile archive and keeps it up to date. One that stands beside
// the index without being named may be missing.
func (s *parts) archive(name, path string, open func(string) (*tileset.Set, error)) *maptiles.Source {
	if path == "" {
		return nil
	}
	source := live.Open(path, s.MapReload, s.log, live.Kind[*tileset.Set]{
		Name: name, Open: open, Optional: s.MapSource != "" || path != s.Tiles && path != s.Terrain,
		Loaded: func(t *tileset.Set) []any {
			s.metrics.ArchiveLoaded(name, true)
			return t.LogFields()
		},
		Failed: func() { s.metrics.ArchiveLoaded(name, false) },
	})
	s.follow(name, source.Run, source.Reload)
	return source
}

// fetchMap keeps the files of the map equal to those that are published, when there is a place
// for them: then all three have a path. Each is taken over as soon as it has come.
func (s *parts) fetchMap(maps *live.Map, tiles, terrain *maptiles.Source) error {
	if s.MapSource == "" {
		return nil
	}
	root, err := files.Open(s.MapSource)
	if err != nil {
		return err
	}
	paths := map[mapshare.Kind]string{mapshare.Index: maps.Path(), mapshare.Tiles: tiles.Path(), mapshare.Terrain: terrain.Path()}
	take := map[mapshare.Kind]func(){mapshare.Index: maps.Reload, mapshare.Tiles: tiles.Reload, mapshare.Terrain: terrain.Reload}
	follower := mapshare.NewFollower(root, paths, func(kind mapshare.Kind) { take[kind]() }, s.log)
	s.follow("published map", follower.Run, follower.Reload)
	return nil
}

// present says whether an archive serves now.
func present(source *maptiles.Source) func() bool {
	return func() bool {
		if source == nil {
			return false
		}
		_, release, ok := source.Acquire()
		release()
		return ok
	}
}

// schemaOf is the schema of the tiles that serve now, "" without tiles. An
// archive that does not say has ours.
func schemaOf(source *maptiles.Source) func() string {
	return func() string {
		if source == nil {
			return ""
		}
		set, release, ok := source.Acquire()
		defer release()
		if !ok {
			return ""
		}
		if schema := set.Info().Schema; schema != "" {
			return schema
		}
		return "shortbread"
	}
}

// runMeter flushes on the interval and once more at the end, when the last
// request has been counted.
func runMeter(meter *mapkey.Meter) func(context.Context) error {
	return func(ctx context.Context) error {
		_ = meter.Run(ctx)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err := meter.Close(last); err != nil {
			return fmt.Errorf("the last counts were not written: %w", err)
		}
		return nil
	}
}
