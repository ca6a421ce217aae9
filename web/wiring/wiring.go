// Package wiring makes the parts of the program and hands them to each other and to the
// commands of app/cli. It decides nothing that a part could decide.
package wiring

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"svc/app"
	"svc/app/cli"
	"svc/web"
)

// version is that of the release; "" in a build without one.
var version = ""

// clock is that of the messaging service; nil: time.Now.
var clock func() time.Time

// Main runs the program as a process and answers its exit code. release is the version of
// the release build, "" for none.
func Main(release string) int {
	version = release
	return process()
}

// MainAt is Main, without a release, of a machine whose clock is another.
func MainAt(now func() time.Time) int {
	clock = now
	return process()
}

func process() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return cli.Report(os.Stderr, run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// run is the program without its process.
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
			if c.Platforms != "" {
				return simulatePlatforms(ctx, c, web.NewLogger(stderr), stdout)
			}
			return simulate(ctx, c, web.NewLogger(stderr), stdout)
		},
		Health:       web.Healthy,
		Describe:     describe,
		Admin:        localAdmin,
		Files:        app.Files,
		Database:     func(c cli.Config) string { return app.Database(c.Data) },
		VerifyBackup: verifyBackup,
		Restore:      restore,
		Compact:      compact,
		RotateMaster: rotateMaster,
	})
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}
