// Package database is the command svc store: it copies the database of the messaging
// service from a file to a server that several nodes share, and back.
package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"svc/app/cli/usage"
	"svc/store/kv"
	"svc/store/kv/postgres"
	"svc/store/transfer"
)

// Command is svc store.
func Command(rules usage.Rules) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "store",
		Short:   "Move the database between a file and a PostgreSQL server",
		Example: "  svc store copy --from data/svc.db --to postgres://svc@db.example/svc",
		Args:    rules.Group,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(copyCommand(rules))
	return cmd
}

func copyCommand(rules usage.Rules) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "copy --from SOURCE --to TARGET",
		Short: "Copy the database of a stopped server, and prove the copy",
		Long: `Copy every record from SOURCE to TARGET. Each is the file of a database, such as
data/svc.db, or the address of a PostgreSQL database. Stop every server that uses
one of them first. TARGET must be empty: a new file, or a database that was just
made. A copy that was interrupted goes on where it stood when it is called again.
At the end both sides are read and compared.

The copy holds sealed data: every server needs the master key file of the old one.
Attachments and files of conversations are files of the data folder, not of the
database: every server needs them too, from a folder that they share.

A password in an address is seen by other users of this machine while the command
runs: give it in PGPASSWORD, or in a file .pgpass.`,
		Example: `  svc store copy --from data/svc.db --to postgres://svc@db.example/svc
  PGPASSWORD=… svc store copy --from postgres://svc@db.example/svc --to back.db`,
		Args: rules.None,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" || to == "" {
				return rules.Usage(cmd, "name both sides with --from and --to")
			}
			return run(cmd.Context(), from, to, cmd.ErrOrStderr(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "file, or address of a PostgreSQL database, to copy")
	cmd.Flags().StringVar(&to, "to", "", "new file, or address of an empty PostgreSQL database")
	return cmd
}

// side is one end of a copy.
type side struct {
	engine kv.Engine
	name   string // without what is secret
}

func run(ctx context.Context, from, to string, progress, out io.Writer) (err error) {
	source, err := open(ctx, from, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.engine.Close()) }()
	target, err := open(ctx, to, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.engine.Close()) }()
	sum, err := transfer.Copy(ctx, source.engine, target.engine, lines(progress))
	if err != nil {
		return fmt.Errorf("copy %s to %s: %w", source.name, target.name, err)
	}
	_, err = fmt.Fprintf(out, "%s is a copy of %s: %d pairs, %.1f MB, SHA-256 %s\n", target.name, source.name, sum.Pairs, float64(sum.Bytes)/1e6, sum.SHA256)
	return err
}

func open(ctx context.Context, where string, source bool) (side, error) {
	if strings.Contains(where, "://") {
		if err := postgres.CheckAddress(where); err != nil {
			return side{}, fmt.Errorf("the address of a database %w", err)
		}
		e, err := postgres.Open(ctx, where, postgres.Options{})
		return side{e, postgres.Name(where)}, err
	}
	if _, err := os.Stat(where); source && errors.Is(err, fs.ErrNotExist) {
		return side{}, fmt.Errorf("there is no file %s", where)
	}
	e, err := kv.OpenBolt(where)
	return side{e, where}, err
}

// each is how often a line says how far the copy is.
const each = 2 * time.Second

func lines(w io.Writer) func(transfer.Progress) {
	var last time.Time
	return func(p transfer.Progress) {
		if time.Since(last) < each {
			return
		}
		last = time.Now()
		_, _ = fmt.Fprintf(w, "%s %d pairs, %.1f MB\n", p.Step, p.Pairs, float64(p.Bytes)/1e6)
	}
}
