// Package cli holds the commands of the svc binary, one file each, and the
// configuration they share.
//
// It promises that every setting has one name in four places (flag,
// environment, file, example file), that flags win over the environment and
// the environment over the file, and that a mistake is answered with its
// place, what is wrong and what to write instead. It refuses to start
// anything itself: what a command starts is handed in by main (Parts), so
// that this package knows no HTTP.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"svc/app/cli/database"
	"svc/app/cli/files"
	"svc/app/cli/seller"
	"svc/app/cli/usage"
	"svc/app/local"
)

// Parts is what main hands to the commands.
type Parts struct {
	// Version is what `svc version` prints, for example "1.4.0".
	Version string
	// Env is the process environment as "NAME=value" entries.
	Env []string
	// Stdout and Stderr are where commands write; nil: the process's own.
	Stdout, Stderr io.Writer
	// Serve runs the server until ctx ends; it returns nil after a clean stop.
	Serve func(ctx context.Context, c Config) error
	// Health asks the server that listens on an address of this machine whether it serves.
	Health func(ctx context.Context, listen string) error
	// Simulate runs the messenger simulator until ctx ends.
	Simulate func(ctx context.Context, c Simulator) error
	// Describe is the OpenAPI document of the messaging service, without a server;
	// strict says which fields an answer always has.
	Describe func(ctx context.Context, strict bool) ([]byte, error)
	// Admin finds who has the database of the messaging service: the running
	// server, or this process. done lets go of it.
	Admin func(ctx context.Context, c Config) (a local.Admin, done func() error, err error)
	// Files are the kinds of files that an installation has.
	Files []string
	// Database is the file of the messaging service's database, which may not be there.
	Database func(c Config) string
	// VerifyBackup and Restore are about a file that nobody has open. VerifyBackup tells out
	// which files the backup names and the place of files does not have.
	VerifyBackup func(ctx context.Context, c Config, file string, out io.Writer) error
	Restore      func(ctx context.Context, c Config, file string) error
	// Compact makes the database of a stopped server smaller, and answers its length
	// before and after, in bytes.
	Compact func(ctx context.Context, c Config) (before, after int64, err error)
	// RotateMaster gives the database of a stopped server a new master key, and tells out
	// what it does. newKey is a file for the key when it comes from no file.
	RotateMaster func(ctx context.Context, c Config, newKey string, out io.Writer) error
}

// New returns the root command with every subcommand on it.
func New(p Parts) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "svc",
		Short: "A map service and a messaging service in one file",
		Long: `svc serves a map from files that it builds itself: tiles, search while typing,
reverse geocoding, places, opening hours and routes, behind API keys with quotas.
And it serves organizations that write to people who consented, and answer them in
one inbox with an AI seller within limits: recipients, opt-outs, campaigns, outside
networks, a calendar, signed webhooks, an event stream and an audit log.`,
		Example: `  svc map build uzbekistan.osm.pbf --out uzbekistan.svcmap
  svc keys add "My site" --keys keys.json --origins https://acme.example
  svc serve --map uzbekistan.svcmap --keys keys.json --require-key`,
		Args:          unknownCommand,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return printVersion(cmd, p)
			}
			return cmd.Help()
		},
		SuggestionsMinimumDistance: 2,
	}
	// A flag of our own: cobra's prints a template, and a program that runs templates keeps
	// every method of every type, whether it is called or not.
	root.Flags().BoolVarP(&version, "version", "v", false, "version for svc")
	// Set first: cobra's completion command remembers the output it is made with.
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newServeCommand(p),
		newMapCommand(p),
		newKeysCommand(p),
		newConfigCommand(p),
		newAdminCommand(p),
		newBackupCommand(p),
		newRestoreCommand(p),
		newCompactCommand(p),
		newAuditCommand(p),
		newSimulatorCommand(p),
		database.Command(rules),
		files.Command(rules, p.Files),
		seller.Command(rules),
		newOpenAPICommand(p),
		newDoctorCommand(p),
		newHealthCommand(p),
		newVersionCommand(p),
	)
	completeExample(root)
	checkHelp(root)
	return root
}

// checkHelp makes 'svc help' refuse what 'svc' would.
func checkHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		c.Args = func(_ *cobra.Command, args []string) error {
			found, rest, _ := root.Find(args) // the only error is what rest says too
			return unknownCommand(found, rest)
		}
	}
}

// completeExample adds cobra's completion command and gives it the example
// that every command of this program has.
func completeExample(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Example = "  source <(svc completion bash)"
		for _, shell := range c.Commands() {
			shell.Example = "  svc completion " + shell.Name() + " > svc." + shell.Name()
		}
	}
}

// UsageError is a mistake in how a command was called: the caller should look
// at the command's help.
type UsageError struct {
	// Command is the full name of the command, for example "svc map build".
	Command string
	// Err says what is wrong.
	Err error
}

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Report writes err for a person and returns the exit code: 0 for nil, 2 for a
// mistake in the command line, 1 for everything else.
func Report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(w, "svc: %v\n", err)
	var usage *UsageError
	if errors.As(err, &usage) {
		fmt.Fprintf(w, "Run '%s --help' for what it takes.\n", usage.Command)
		return 2
	}
	return 1
}

func usageErrorf(cmd *cobra.Command, format string, args ...any) error {
	return &UsageError{Command: cmd.CommandPath(), Err: fmt.Errorf(format, args...)}
}

// rules are how commands in folders of their own refuse arguments.
var rules = usage.Rules{Group: unknownCommand, None: noArgs, Usage: usageErrorf}

// unknownCommand is the Args rule of a command that only groups others.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usageErrorf(cmd, "unknown command %q%s", args[0], usage.Suggestion(args[0], names, ""))
}

// noArgs is the Args rule of a command that takes flags only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf(cmd, "%s takes no argument, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// flagError turns pflag's words into a sentence with the nearest flag, or with
// what the flag takes.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		name := unknown.GetSpecifiedName()
		return usageErrorf(cmd, "unknown flag --%s%s", name, usage.Suggestion(name, flagNames(cmd), "--"))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if s := find(invalid.GetFlag().Name); s != nil {
			if wrong := s.valid(invalid.GetValue()); wrong != nil {
				return usageErrorf(cmd, "--%s: %w", s.name, wrong)
			}
		}
	}
	return &UsageError{Command: cmd.CommandPath(), Err: err}
}
