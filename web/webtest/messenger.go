package webtest

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/telegram"
)

// messenger is the production driver over a simulator of the story's own, which lives
// on when the server restarts. Its world is the demonstration's; the action messenger
// LINE sets a scene (world.Script), messenger-down and messenger-up cut the way to it.
func (s *Server) messenger(logger *slog.Logger) messenger.Driver {
	s.tb.Helper()
	if s.sim == nil {
		line, err := newTelephone()
		if err != nil {
			s.tb.Fatal(err)
		}
		s.tb.Cleanup(line.close)
		sim, err := simulator.Open(simulator.Options{Demo: true, Clock: s.Clock.Now, Advertise: line.ln.Addr().String()})
		if err != nil {
			s.tb.Fatal(err)
		}
		line.connect(sim.Addr().String())
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- sim.Run(ctx) }()
		s.tb.Cleanup(func() {
			cancel()
			if err := <-ended; err != nil {
				s.tb.Errorf("the simulator ended: %v", err)
			}
		})
		s.sim, s.line = sim, line
	}
	at, err := s.line.option(s.sim.DCOption())
	if err != nil {
		s.tb.Fatal(err)
	}
	return telegram.New(telegram.Options{
		AppID: 1, AppHash: "simulator", Kind: messenger.Simulator, DC: s.sim.DC(), Log: logger,
		DCs: dcs.List{Options: []tg.DCOption{at}}, PublicKeys: []exchange.PublicKey{s.sim.PublicKey()},
		ConnectTimeout: answersWithin, CallTimeout: answersWithin,
	})
}

// answersWithin is how long the messenger may take: a story does not wait for long.
const answersWithin = 20 * time.Second

// option is where clients find the data centre.
func (p *telephone) option(o tg.DCOption) (tg.DCOption, error) {
	host, port, err := net.SplitHostPort(p.ln.Addr().String())
	if err != nil {
		return o, err
	}
	if o.Port, err = strconv.Atoi(port); err != nil {
		return o, fmt.Errorf("the line to the simulator: %w", err)
	}
	o.IPAddress = host
	return o, nil
}
