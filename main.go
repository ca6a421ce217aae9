// Command svc is a map service and a messaging service in one file.
//
// This file and serve.go are wiring only: they make the parts, hand them to each
// other and to the commands of app/cli. They decide nothing that a part could
// decide.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"svc/app"
	"svc/app/cli"
	"svc/web"
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
			return serve(ctx, c, web.NewLogger(stderr), stdout)
		},
		Simulate: func(ctx context.Context, c cli.Simulator) error {
			return simulate(ctx, c, web.NewLogger(stderr), stdout)
		},
		Health:       web.Healthy,
		Describe:     describe,
		Admin:        localAdmin,
		Database:     func(c cli.Config) string { return app.Database(c.Data) },
		VerifyBackup: verifyBackup,
		Restore:      restore,
		RotateMaster: rotateMaster,
	})
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}
