// Package simtest starts simulators for tests, and the production driver that uses one.
//
// It promises that a simulator ends with its test, and that what fails in it fails the
// test. It refuses to be a messenger of its own: the driver is the product's.
package simtest

import (
	"context"
	"testing"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/telegram/dcs"

	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/telegram"
)

// Start starts a simulator that ends with the test.
func Start(tb testing.TB, o simulator.Options) *simulator.Simulator {
	tb.Helper()
	sim, err := simulator.Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- sim.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Errorf("the simulator ended: %v", err)
		}
	})
	return sim
}

// Options are those of the production driver that uses a simulator.
func Options(sim *simulator.Simulator) telegram.Options {
	return telegram.Options{
		AppID: 1, AppHash: "simulator", Kind: messenger.Simulator, DC: sim.DC(),
		DCs: dcs.List{Options: sim.DCOptions()}, PublicKeys: []exchange.PublicKey{sim.PublicKey()},
	}
}
