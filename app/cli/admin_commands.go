package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"svc/app/cli/usage"
	"svc/app/local"
)

// databaseFlags are the settings that the commands about the database read.
var databaseFlags = []string{"data", "store", "files", "master-key", "master-key-command", "public-url"}

// addDatabaseFlags gives a command the settings that say where the database is.
func addDatabaseFlags(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	cmd.Flags().String("config", "", "YAML file with these settings")
	addSomeFlags(cmd.Flags(), databaseFlags)
	_ = cmd.MarkFlagDirname("data")
	for _, name := range []string{"config", "master-key"} {
		_ = cmd.MarkFlagFilename(name)
	}
}

// withAdmin runs f with the running server, or with the database itself when none
// runs. A database that is not there is made.
func withAdmin(cmd *cobra.Command, p Parts, f func(local.Admin) error) error {
	l, err := load(cmd, p.Env)
	if err != nil {
		return err
	}
	return callAdmin(cmd, p, l, f)
}

// withDatabase is withAdmin for what makes no sense without a database: a backup of
// nothing would look like one.
func withDatabase(cmd *cobra.Command, p Parts, f func(local.Admin) error) error {
	l, err := load(cmd, p.Env)
	if err != nil {
		return err
	}
	if !databaseExists(p, l.Config) {
		return fmt.Errorf("there is no database in the folder %s; name the data folder of the server with --data", l.Data)
	}
	return callAdmin(cmd, p, l, f)
}

// databaseExists says whether the data folder has a database. What else is wrong with it,
// opening it says.
func databaseExists(p Parts, c Config) bool {
	if p.Database == nil {
		return false
	}
	if c.Store != "" {
		return true // opening it says what is wrong with it
	}
	_, err := os.Stat(p.Database(c))
	return !errors.Is(err, fs.ErrNotExist)
}

// errNoFile refuses what is about the file of a database.
func errNoFile(instead string) error {
	return fmt.Errorf("the database is no file, as --store says: %s", instead)
}

func callAdmin(cmd *cobra.Command, p Parts, l *loaded, f func(local.Admin) error) (err error) {
	a, done, err := p.Admin(cmd.Context(), l.Config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	return f(a)
}

func newBackupCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database of the messaging service, also while it serves",
		Long: `Copy the database of the messaging service to FILE, also while it serves. The
copy gets a checksum of its content, and before FILE appears it is verified like
svc backup verify does: every page, record, index, count and secret, and every
audit chain. A database that does not pass gets no new backup; what is wrong is
said, and an older FILE stays as it is.

FILE may be new, or an older backup, which is replaced. It is never the master
key or another file of the data folder, whatever it is called or linked as. Any
other file that exists is replaced with --force only.

The master key is not in the copy, wherever it comes from: without the key of the
time of the copy nobody can read what is sealed in it, you neither, so keep the
key apart from the copies and keep it safe, also after it was rotated. Attachments and files of conversations
are files below the data folder that never change: copy that folder's files and
inbox directories with any tool.

A database on a PostgreSQL server (--store) is copied with the tools of that server,
such as pg_dump --format=custom, and files in a bucket or a shared folder (--files)
with the tools of theirs.`,
		Example: `  svc backup /backups/svc-2026-05-01.db
  svc backup --data /var/lib/svc /backups/svc.db
  svc backup --force /backups/half-copied.db
  svc backup verify /backups/svc-2026-05-01.db`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			force, err := cmd.Flags().GetBool("force")
			if err != nil {
				return err
			}
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			if l.Store != "" { // not opened: that would upgrade it, and others may work on it
				return errNoFile("copy it with the tools of its server, as pg_dump --format=custom, then what --files names, and keep the master key apart")
			}
			return withDatabase(cmd, p, func(a local.Admin) error {
				file, err := filepath.Abs(args[0]) // the server may run in another folder
				if err != nil {
					return err
				}
				if err := a.Backup(cmd.Context(), file, force); err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is complete and verified\n", args[0])
				return err
			})
		},
	}
	cmd.Flags().Bool("force", false, "replace FILE although it is no backup of svc; never the key or a file of the data folder")
	addDatabaseFlags(cmd)
	verify := &cobra.Command{
		Use:   "verify FILE",
		Short: "Prove that a backup is whole",
		Long: `Read a backup from its first page to its last: its checksum, every record, index
and count, and every audit chain. With the master key every sealed secret is
opened too. Nothing is changed. A backup of an older svc may have no checksum; of
one that this svc would upgrade, only pages and checksum are read. Files of
conversations that it names and that are not in the data folder, or in what --files
names, are counted and the first ten told; copy them there from where they were.`,
		Example: `  svc backup verify /backups/svc-2026-05-01.db --master-key data/master.key`,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			if err := p.VerifyBackup(cmd.Context(), l.Config, args[0], cmd.OutOrStdout()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is whole\n", args[0])
			return err
		},
	}
	addDatabaseFlags(verify)
	cmd.AddCommand(verify)
	return cmd
}

func newRestoreCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database",
		Long: `Verify a backup, its audit chains too, and put a copy of it in the place of the
database. A backup that is not whole replaces nothing. Stop the server first. The
database that was there is kept beside it, with .replaced at the end of its name.`,
		Example: `  svc restore /backups/svc-2026-05-01.db --data /var/lib/svc`,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			if l.Store != "" {
				return errNoFile("restore it with the tools of its server, as pg_restore")
			}
			if err := p.Restore(cmd.Context(), l.Config, args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "restored %s\n", args[0])
			return err
		},
	}
	addDatabaseFlags(cmd)
	return cmd
}

func newCompactCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Make the database smaller, and overwrite what was deleted in it",
		Long: `Write the database of the messaging service anew, without the room that deleted
things left in it, and put it in the place of the old one. What was deleted, or is
sealed now and was not before an upgrade, is no longer in the file then; copies that
were made before, such as svc.db.before-upgrade, still have it. Stop the server
first. It needs as much free disk space as the database has.`,
		Example: `  svc compact
  svc compact --data /var/lib/svc`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			if l.Store != "" {
				return errNoFile("its server looks after that itself (VACUUM)")
			}
			before, after, err := p.Compact(cmd.Context(), l.Config)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "compacted %s from %.1f MB to %.1f MB\n", p.Database(l.Config), float64(before)/1e6, float64(after)/1e6)
			return err
		},
	}
	addDatabaseFlags(cmd)
	return cmd
}

func newAuditCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Prove the audit log", Example: "  svc audit verify", Args: unknownCommand, RunE: help}
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Prove that no entry of the audit log was changed, lost or added",
		Long: `Follow the chain of hashes of every organization and of the platform. The hashes
need the master key, so that nobody without it can count them again. A chain
that is broken is named with the first entry that is not as it was written, or
cannot be read; the other chains are followed all the same, and the exit code is 1.

Every hour the server anchors the end of each chain that grew: in its log and,
where they are set, in the file of --audit-anchors and at --audit-anchor-url of
svc serve. Kept on another machine, anchors prove what the database alone cannot:
with --anchors FILE each chain must still have the anchored hash at its place, so
that one that was cut shorter, set back to an older copy or written anew is found,
even when who did it had the key. FILE is such a file, or the log in JSON.`,
		Example: `  svc audit verify
  svc audit verify --data /var/lib/svc --anchors /mnt/other-machine/anchors.jsonl
  journalctl -u svc -o cat > log.jsonl && svc audit verify --anchors log.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			anchors, err := cmd.Flags().GetString("anchors")
			if err != nil {
				return err
			}
			if anchors != "" { // the server may run in another folder
				if anchors, err = filepath.Abs(anchors); err != nil {
					return err
				}
			}
			return withDatabase(cmd, p, func(a local.Admin) error {
				chains, err := a.VerifyAudit(cmd.Context(), anchors)
				if err != nil {
					return err
				}
				return reportChains(cmd.OutOrStdout(), chains)
			})
		},
	}
	verify.Flags().String("anchors", "", "file of anchors that were kept, or a log in JSON: no chain may contradict them")
	_ = verify.MarkFlagFilename("anchors")
	addDatabaseFlags(verify)
	cmd.AddCommand(verify)
	return cmd
}

func reportChains(w io.Writer, chains []local.Chain) error {
	broken := 0
	for _, c := range chains {
		owner := c.OwnerOrgID
		if owner == "" {
			owner = "platform"
		}
		state := fmt.Sprintf("whole, entries: %d", c.Entries)
		if c.Anchors > 0 {
			state += fmt.Sprintf(", anchors: %d", c.Anchors)
		}
		if c.Broken != "" {
			state = "BROKEN: " + c.Broken
			broken++
		}
		if _, err := fmt.Fprintf(w, "%-30s  %s\n", owner, state); err != nil {
			return err
		}
	}
	if broken > 0 {
		return fmt.Errorf("%s broken; restore a backup from before, or find out who changed the file", usage.Count(broken, "chain"))
	}
	return nil
}

func newAdminCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use: "admin", Short: "Make platform administrators, help people who cannot sign in",
		Example: "  svc admin create olga@example.uz", Args: unknownCommand, RunE: help,
	}
	cmd.AddCommand(newAdminCreateCommand(p), newAdminResetCommand(p))
	return cmd
}

func newAdminCreateCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create EMAIL",
		Short: "Make a person a platform administrator",
		Long: `Make a person a platform administrator, also while the server runs. A new
person gets a password, which is printed once. Who administers the platform must
turn on two-factor.`,
		Example: "  svc admin create olga@example.uz",
		Args:    oneAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withAdmin(cmd, p, func(a local.Admin) error {
				password, err := a.CreateAdmin(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if password == "" {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is a platform administrator now and signs in as before\n", args[0])
					return err
				}
				return printPassword(cmd, args[0], password)
			})
		},
	}
	addDatabaseFlags(cmd)
	return cmd
}

func newAdminResetCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reset-password EMAIL",
		Short: "Give a person a new password",
		Long: `Give a person a new password, which is printed once, and end the person's
sessions. --two-factor also turns two-factor off, for somebody who lost the
telephone.`,
		Example: `  svc admin reset-password olga@example.uz
  svc admin reset-password olga@example.uz --two-factor`,
		Args: oneAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			twoFactor, err := cmd.Flags().GetBool("two-factor")
			if err != nil {
				return err
			}
			return withDatabase(cmd, p, func(a local.Admin) error {
				password, err := a.ResetPassword(cmd.Context(), args[0], twoFactor)
				if err != nil {
					return err
				}
				return printPassword(cmd, args[0], password)
			})
		},
	}
	cmd.Flags().Bool("two-factor", false, "turn two-factor off too")
	addDatabaseFlags(cmd)
	return cmd
}

func printPassword(cmd *cobra.Command, email, password string) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s signs in with this password, which is shown once:\n%s\n", email, password)
	return err
}

func oneAddress(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageErrorf(cmd, "give one e-mail address")
	}
	return nil
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// oneFile is the Args rule of a command about one file.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageErrorf(cmd, "give one file")
	}
	return nil
}
