package wiring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"

	"svc/app/cli"
	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/telegram"
	"svc/web"
)

// simulatorDir is where a simulator keeps its state below a data folder, and
// publicKeyName the file there with its public key.
const (
	simulatorDir  = "simulator"
	publicKeyName = "public.pem"
)

// messengerDriver reaches the messenger that is configured: the real one, a simulator
// of its own process, or one inside this process.
func (s *parts) messengerDriver(ctx context.Context) (messenger.Driver, error) {
	o := telegram.Options{AppID: s.MessengerAppID, AppHash: s.MessengerHash, Kind: messenger.MTProto, Version: cli.Version(version), Log: s.log}
	if s.MessengerDriver == cli.DriverMTProto {
		return telegram.New(o), nil
	}
	o.Kind, o.DC = messenger.Simulator, simulator.DataCentre
	o.AppID, o.AppHash = 1, "simulator"
	centre, key, err := s.simulator(ctx, &o)
	if err != nil {
		return nil, err
	}
	o.DCs, o.PublicKeys = dcs.List{Options: []tg.DCOption{centre}}, []exchange.PublicKey{key}
	return telegram.New(o), nil
}

// simulator finds the simulator of another process, or makes one in this.
func (s *parts) simulator(ctx context.Context, o *telegram.Options) (tg.DCOption, exchange.PublicKey, error) {
	if s.Simulator != "" {
		return s.otherSimulator(ctx)
	}
	sim, err := simulator.Open(simulator.Options{Dir: filepath.Join(s.Data, simulatorDir), Demo: true, Log: s.log})
	if err != nil {
		return tg.DCOption{}, exchange.PublicKey{}, err
	}
	s.log.Warn("messenger: accounts are on a simulator, which reaches nobody; name your application with --messenger-app-id for the real one")
	s.background = append(s.background, web.Background{Name: "messenger simulator", Run: sim.Run})
	o.People, o.NewSession = sim, sim.NewSession
	return sim.DCOption(), sim.PublicKey(), nil
}

func (s *parts) otherSimulator(ctx context.Context) (centre tg.DCOption, key exchange.PublicKey, err error) {
	file := s.SimulatorKey
	if file == "" {
		file = filepath.Join(s.Data, simulatorDir, publicKeyName)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return centre, key, fmt.Errorf("simulator-key: %w; start svc simulator first, and name its %s/%s", err, simulatorDir, publicKeyName)
	}
	if key, err = simulator.ParsePublicPEM(data); err != nil {
		return centre, key, fmt.Errorf("simulator-key: %s: %w", file, err)
	}
	host, port, err := net.SplitHostPort(s.Simulator)
	if err != nil {
		return centre, key, err
	}
	ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return centre, key, fmt.Errorf("simulator: %w", err)
	}
	n, err := strconv.Atoi(port)
	return tg.DCOption{ID: simulator.DataCentre, IPAddress: ips[0].IP.String(), Port: n, Static: true}, key, err
}

// scriptOf is the text of the file with scenes, "" where none is named.
func scriptOf(c *cli.Simulator) (string, error) {
	if c.Script == "" {
		return "", nil
	}
	script, err := os.ReadFile(c.Script)
	if err != nil {
		return "", fmt.Errorf("the script cannot be read: %w", err)
	}
	return string(script), nil
}

// simulate runs the simulator as a process of its own.
func simulate(ctx context.Context, c cli.Simulator, log *slog.Logger, stdout io.Writer) error {
	script, err := scriptOf(&c)
	if err != nil {
		return err
	}
	o := simulator.Options{Dir: filepath.Join(c.Data, simulatorDir), Listen: c.Listen, Demo: true, Log: log, Script: script}
	sim, err := simulator.Open(o)
	if err != nil {
		return err
	}
	key := filepath.Join(o.Dir, publicKeyName)
	if err := os.WriteFile(key, sim.PublicPEM(), 0o600); err != nil {
		return errors.Join(err, sim.Close())
	}
	log.Info("simulating the messenger", "address", sim.Addr().String())
	_, _ = fmt.Fprintf(stdout, "svc serve --simulator %s --simulator-key %s\n", sim.Addr(), key)
	return sim.Run(ctx)
}
