package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"svc/store/masterkey"
)

// keyVariable is the environment variable that may hold the master key itself, and
// credentialName the credential of systemd that may, in the folder that the variable
// credentialFolder names (contract 21.3, Keys).
const (
	keyVariable      = envPrefix + "MASTER_KEY"
	credentialFolder = "CREDENTIALS_DIRECTORY"
	credentialName   = "master.key"
)

// keysOf finds the master key in the environment.
func keysOf(environ []string) (k masterkey.Source) {
	for _, entry := range environ {
		switch name, text, _ := strings.Cut(entry, "="); {
		case name == keyVariable:
			k.Text = strings.TrimSpace(text)
		case name == credentialFolder && text != "":
			file := filepath.Join(text, credentialName)
			if _, err := os.Stat(file); err == nil {
				k.Credential = file
			}
		}
	}
	return k
}

// masterKey is where the master key comes from.
func (l *loaded) masterKey() masterkey.Source {
	k := l.keys
	k.File, k.Command = l.v.GetString("master-key"), l.v.GetString("master-key-command")
	return k
}

// keyConflicts refuses a master key from two places.
func (l *loaded) keyConflicts() []mistake {
	k := l.MasterKey
	var from []string
	for _, s := range []struct{ value, where string }{
		{k.File, l.source("master-key") + " (a file)"}, {k.Command, l.source("master-key-command") + " (a command)"},
		{k.Text, keyVariable + " (the key)"}, {k.Credential, "$" + credentialFolder + "/" + credentialName + " (a credential)"},
	} {
		if s.value != "" {
			from = append(from, s.where)
		}
	}
	if len(from) > 1 {
		return []mistake{{from[0], "the master key comes from several places: " + strings.Join(from, ", ") + "; leave all but one out"}}
	}
	if k.Text != "" {
		if _, err := os.Stat(k.Text); err == nil {
			return []mistake{{keyVariable, "is the name of a file; the variable takes the key itself, and " + keyVariable + "_FILE or --master-key takes a file"}}
		}
		if err := k.Check(context.Background()); err != nil {
			return []mistake{{keyVariable, err.Error() + "; for a file there is " + keyVariable + "_FILE"}}
		}
	}
	return nil
}

func newRotateMasterCommand(p Parts) *cobra.Command {
	var newKey string
	cmd := &cobra.Command{
		Use:   "rotate-master",
		Short: "Give the messaging service a new master key and seal everything again",
		Long: `Make a new master key, and seal everything that is sealed again: records and
attachments. Stop the server first. When the command is interrupted, run it again:
it goes on where it was. It needs room for another copy of the database.

The key file gets the new key. The old one is kept beside it, with .before-rotation
at the end of its name while the command works and .retired- and a time afterwards:
the service does not need it any more, only backups from before do. Move it to where
they are, or delete it together with them. Then make a new backup, of data/files too.

When the key comes from an environment variable, a credential or a command, name a
file for the new key with --new-key. Its content then goes where the key comes from.`,
		Example: `  svc keys rotate-master --data /var/lib/svc
  svc keys rotate-master --config /etc/svc/config.yaml --new-key /root/new.key`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			if !databaseExists(p, l.Config) {
				return fmt.Errorf("there is no database in the folder %s; name the data folder of the server with --data", l.Data)
			}
			return p.RotateMaster(cmd.Context(), l.Config, newKey, cmd.OutOrStdout())
		},
	}
	addDatabaseFlags(cmd)
	cmd.Flags().StringVar(&newKey, "new-key", "", "file for the new key, made unless it is there; only when the key comes from no file")
	_ = cmd.MarkFlagFilename("new-key")
	return cmd
}
