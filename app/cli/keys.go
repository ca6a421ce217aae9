package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/app/mapkey"
	"svc/app/mapkey/origin"
)

// keySet is which of the map's keys a command is about: those of a file, or those that
// are stored in the database of the messaging service (map contract 54.10).
type keySet struct {
	p      Parts
	file   string
	stored bool
}

// newKeysCommand groups the commands about keys: of the map's key file, which work on the
// file alone, so that a running server takes the change up by itself; of those that the
// console makes too; and the master key.
func newKeysCommand(p Parts) *cobra.Command {
	set := &keySet{p: p}
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Add, list, edit and revoke the map's API keys; rotate the master key",
		Long: `add, list, edit and revoke are about one of two sets of keys, which the map checks side by side:

--keys FILE  the JSON file that 'svc serve --keys FILE' reads. A running server takes
             a change up within its --key-reload (5 s). A map without the messaging
             service needs nothing else.
--stored     the keys in the database of the messaging service, which administrators
             see and make in the console too. A running server makes the change, and
             it holds at once; otherwise the command opens the database itself.

Several commands may run at once. rotate-master is about the key of everything that
the messaging service seals.`,
		Example: `  svc keys add "My site" --keys keys.json --origins https://acme.example
  svc keys add "My site" --stored --data /var/lib/svc --origins https://acme.example
  svc keys list --keys keys.json
  svc keys edit "My site" --stored --data /var/lib/svc --rate 1200
  svc keys revoke "My site" --keys keys.json`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&set.file, "keys", "", "the key file of the map (for add, list, edit and revoke)")
	cmd.PersistentFlags().BoolVar(&set.stored, "stored", false, "the keys in the database of the messaging service (for add, list, edit and revoke)")
	cmd.AddCommand(newKeysAddCommand(set), newKeysListCommand(set), newKeysEditCommand(set), newKeysRevokeCommand(set), newRotateMasterCommand(p))
	return cmd
}

// chosen refuses to guess which keys are meant.
func (s *keySet) chosen(cmd *cobra.Command) error {
	switch {
	case s.file == "" && !s.stored:
		return usageErrorf(cmd, "which keys? Give --keys FILE for a key file, or --stored for those in the database")
	case s.file != "" && s.stored:
		return usageErrorf(cmd, "--keys and --stored are two sets of keys; give one of them")
	}
	return nil
}

// oneOf is the Args rule of a command about one key of a set.
func (s *keySet) oneOf(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageErrorf(cmd, "%s takes one %s, got %d; put a name with spaces in quotes", cmd.Name(), what, len(args))
		}
		return s.chosen(cmd)
	}
}

func newKeysAddCommand(set *keySet) *cobra.Command {
	var n mapkey.NewKey
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a new key and print it",
		Long: `Makes a key of 32 random hex characters and prints it, and nothing else, on standard
output. It is added to the key file (--keys, created with mode 0600 when missing), or
to the database (--stored), which keeps a hash of it only. Without --origins the key
works from everywhere, so whoever sees it can use it.`,
		Example: `  svc keys add "My site" --keys keys.json --origins 'https://acme.example,https://*.acme.example'
  KEY=$(svc keys add backend --keys keys.json --rate 1200 --quota 1000000 --note "invoice 17")
  svc keys add "My site" --stored --data /var/lib/svc --origins https://acme.example`,
		Args: set.oneOf("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n.Name = args[0]
			if set.stored {
				return set.addStored(cmd, n)
			}
			added, err := mapkey.AddKey(set.file, n, time.Now())
			if err != nil {
				return err
			}
			return printAdded(cmd, added, set.file)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&n.Origins, "origins", nil, "origins the key works from, such as https://acme.example or https://*.acme.example; none: everywhere")
	f.Int64Var(&n.RateLimit, "rate", 0, "requests per minute; 0: the server's --key-rate")
	f.Int64Var(&n.MonthlyQuota, "quota", 0, "billable requests per UTC month; 0: unlimited")
	f.StringVar(&n.Note, "note", "", "a note for people")
	addDatabaseFlags(cmd)
	return cmd
}

// printAdded prints the key alone on standard output and what else is to be said on
// standard error. where is what it was added to.
func printAdded(cmd *cobra.Command, added mapkey.Added, where string) error {
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), added.Key.Key); err != nil {
		return fmt.Errorf("the key was added, but it could not be printed; revoke %s and add another: %w", mapkey.Mask(added.Key.Key), err)
	}
	adviseAdded(cmd.ErrOrStderr(), added, where)
	return nil
}

// adviseAdded says on standard error what a person should know about the new key.
func adviseAdded(w io.Writer, added mapkey.Added, where string) {
	fmt.Fprintf(w, "added %q to %s\n", added.Name, where)
	adviseOrigins(w, added.Origins)
	adviseName(w, added.SameName, where)
}

func adviseOrigins(w io.Writer, origins []string) {
	if len(origins) == 0 {
		fmt.Fprintln(w, "warning: the key has no origins, so it works from everywhere; restrict keys for browsers with --origins")
	}
	for _, o := range origins {
		if problem := origin.Check(o); problem != "" {
			fmt.Fprintln(w, "warning:", problem)
		}
	}
}

func adviseName(w io.Writer, same int, where string) {
	if same > 0 {
		fmt.Fprintf(w, "warning: %s has %d more with that name; to revoke one of them, give the key\n", where, same)
	}
}

func newKeysListCommand(set *keySet) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the keys",
		Long: `Shows the keys as a table. Of each key only the start is shown, enough to tell
keys apart and to revoke one: terminals are shared on screens and kept in logs.
--json prints the full records for programs: of a key file with the keys; of the
database without them, for nobody has them any more.`,
		Example: `  svc keys list --keys keys.json
  svc keys list --keys keys.json --json | jq -r '.[] | select(.disabled) | .name'
  svc keys list --stored --data /var/lib/svc`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := noArgs(cmd, args); err != nil {
				return err
			}
			return set.chosen(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if set.stored {
				return set.listStored(cmd, asJSON)
			}
			keys, err := mapkey.ListKeys(set.file)
			if err != nil {
				return missingFile(set.file, err)
			}
			if asJSON {
				return terminal.JSON(cmd.OutOrStdout(), keys)
			}
			rows := [][]string{keyTableHead}
			for _, k := range keys {
				rows = append(rows, keyRow(k.Key, mapkey.Mask(k.Key.Key)))
			}
			return terminal.WriteTable(cmd.OutOrStdout(), rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the full records as a JSON array, those of a file with the keys")
	addDatabaseFlags(cmd)
	return cmd
}

func newKeysRevokeCommand(set *keySet) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "revoke KEY-OR-NAME",
		Short: "Disable a key",
		Long: `Disables the key; its requests are then refused with 403. The record stays, so that
its usage keeps a name. KEY-OR-NAME is the key, its start as 'svc keys list' shows it,
or the name of exactly one enabled key.`,
		Example: `  svc keys revoke "My site" --keys keys.json
  svc keys revoke 3fa94c1b --keys keys.json
  svc keys revoke "My site" --stored --data /var/lib/svc`,
		Args: set.oneOf("KEY-OR-NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if set.stored {
				return set.revokeStored(cmd, args[0])
			}
			r, err := mapkey.RevokeKey(set.file, args[0])
			if err != nil {
				return missingFile(set.file, err)
			}
			return printRevoked(cmd, r)
		},
	}
	addDatabaseFlags(cmd)
	return cmd
}

func printRevoked(cmd *cobra.Command, r mapkey.Revoked) error {
	what := "revoked"
	if r.Already {
		what = "was already revoked:"
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "%s %q (%s)\n", what, r.Name, r.Masked)
	return err
}

// missingFile turns the commonest mistake into advice.
func missingFile(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no key file %s; 'svc keys add NAME --keys %s' makes it", file, file)
	}
	return err
}
