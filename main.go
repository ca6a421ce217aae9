// Command svc is a map, search and routing server in one file.
//
// This file is wiring only: it makes the parts, hands them to each other and
// to the commands of app/cli. It decides nothing that a part could decide.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"svc/app/cli"
	"svc/app/place"
	"svc/geo/live"
	"svc/geo/photo"
	"svc/geo/route"
	"svc/web"
	"svc/web/gate"
	"svc/web/mapapi"
)

// version is set by the release build (-ldflags "-X main.version=1.4.0").
var version = ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(cli.Report(os.Stderr, run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)))
}

// run is the whole program without its process: tests can call it.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) error {
	root := cli.New(cli.Parts{
		Version: cli.Version(version),
		Env:     env,
		Stdout:  stdout,
		Stderr:  stderr,
		Serve: func(ctx context.Context, c cli.Config) error {
			return serve(ctx, c, web.NewLogger(stderr))
		},
	})
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// serve makes the parts of the server from its configuration and runs it.
func serve(ctx context.Context, c cli.Config, log *slog.Logger) error {
	for _, w := range c.Warnings {
		log.Warn(w)
	}
	metrics := web.NewMetrics(cli.Version(version))
	var background []web.Background
	var reload []func()
	var keys *place.Keys
	if c.Keys != "" {
		var err error
		if keys, err = place.OpenKeys(c.Keys, place.KeyOptions{DefaultRate: int64(c.KeyRate), Reload: c.KeyReload, Log: log}); err != nil {
			return err
		}
		metrics.WatchKeys(keys)
		background = append(background, web.Background{Name: "key file", Run: keys.Run})
		reload = append(reload, func() { _ = keys.Reload() }) // logs its failure
	}
	var meter *place.Meter
	if c.Usage != "" {
		meter = place.OpenMeter(c.Usage, place.MeterOptions{Flush: c.UsageFlush, Log: log})
		metrics.WatchUsage(meter.Stats)
		background = append(background, web.Background{Name: "usage file", Run: runMeter(meter)})
	}
	maps := live.New(c.Map, c.MapReload, log, metrics)
	metrics.WatchMap(maps, time.Now)
	background = append(background, web.Background{Name: "map", Run: maps.Run})
	reload = append(reload, maps.Reload)
	var photos *photo.Client
	if c.Photos {
		var err error
		if photos, err = photo.New(photo.Config{
			EntityBase: c.PhotoEntityURL, ImageBase: c.PhotoImageURL, CacheDir: filepath.Join(c.Data, "photos"),
			UserAgent: strings.TrimSpace("svc/" + cli.Version(version) + " (map server photo lookup) " + c.PublicURL), Log: log,
		}); err != nil {
			return err
		}
	}
	door := gate.New(gate.Config{
		Keys: keys, Require: c.RequireKey, Meter: meter, PublicURL: c.PublicURL, Observe: metrics.GateDecision, Log: log,
	})
	background = append(background, web.OnHangup(log, reload...))
	server := web.New(web.Config{
		Listen: c.Listen, MetricsListen: c.Metrics, Gate: door.Wrap,
		Map: mapapi.New(mapapi.Config{
			Map: maps, Photos: photos, Routing: engineStatus(c.RoutingURL, metrics), Usage: door.Usage(), Version: cli.Version(version), Log: log,
			Layout: c.LayoutFix,
		}),
		Metrics: metrics, Log: log, Background: background,
		Listening: func(addr net.Addr) {
			log.Info("serving", "address", "http://"+addr.String(), "version", cli.Version(version))
		},
	})
	return server.Run(ctx)
}

// runMeter flushes on the interval and once more at the end, when the last
// request has been counted.
func runMeter(meter *place.Meter) func(context.Context) error {
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

// engineStatus asks the routing engine how it is; nil without one.
func engineStatus(address string, metrics *web.Metrics) func(context.Context) mapapi.EngineStatus {
	if address == "" {
		return nil
	}
	engine := &route.Client{BaseURL: address, Observe: metrics.EngineCall}
	return func(ctx context.Context) (s mapapi.EngineStatus) {
		s.Version, s.DataTime, s.OK = engine.Status(ctx)
		return s
	}
}
