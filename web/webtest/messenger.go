package webtest

import (
	"context"
	"log/slog"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/telegram"
)

// messenger is the production driver over a simulator of the story's own, which lives
// on when the server restarts. Its world is the demonstration's; the action messenger
// LINE sets a scene (world.Script).
func (s *Server) messenger(logger *slog.Logger) messenger.Driver {
	s.tb.Helper()
	if s.sim == nil {
		sim, err := simulator.Open(simulator.Options{Demo: true, Clock: s.Clock.Now})
		if err != nil {
			s.tb.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- sim.Run(ctx) }()
		s.tb.Cleanup(func() {
			cancel()
			if err := <-ended; err != nil {
				s.tb.Errorf("the simulator ended: %v", err)
			}
		})
		s.sim = sim
	}
	return telegram.New(telegram.Options{
		AppID: 1, AppHash: "simulator", Kind: messenger.Simulator, DC: s.sim.DC(), Log: logger,
		DCs: dcs.List{Options: []tg.DCOption{s.sim.DCOption()}}, PublicKeys: []exchange.PublicKey{s.sim.PublicKey()},
	})
}
