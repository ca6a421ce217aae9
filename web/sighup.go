package web

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// OnHangup is background work that calls every reload, in order, on each SIGHUP.
// The signal is caught from the call on, before the work runs: uncaught, it ends
// the process.
func OnHangup(log *slog.Logger, reloads ...func()) Background {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	return Background{Name: "signals", Run: func(ctx context.Context) error {
		defer signal.Stop(hangups)
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-hangups:
				log.Info("reloading on SIGHUP")
				for _, reload := range reloads {
					reload()
				}
			}
		}
	}}
}
