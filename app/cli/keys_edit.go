package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"svc/app/local"
	"svc/app/mapkey"
)

func newKeysEditCommand(set *keySet) *cobra.Command {
	var n mapkey.NewKey
	cmd := &cobra.Command{
		Use:   "edit KEY-OR-NAME",
		Short: "Change name, origins, rate, quota or note of a key",
		Long: `Changes what is named by a flag and leaves the rest of the key as it is; the key
itself stays the same. --origins gives the whole list anew, and --origins '' takes every
origin away, so that the key works from everywhere. KEY-OR-NAME is the key, its start as
'svc keys list' shows it, or the name of exactly one enabled key.`,
		Example: `  svc keys edit "My site" --keys keys.json --origins 'https://acme.example,https://shop.acme.example'
  svc keys edit 3fa94c1b --keys keys.json --rate 1200 --quota 0
  svc keys edit "My site" --stored --data /var/lib/svc --quota 2000000 --note "invoice 18"`,
		Args: set.oneOf("KEY-OR-NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := changesOf(cmd, &n)
			if c.Empty() {
				return usageErrorf(cmd, "nothing to change: give --name, --origins, --rate, --quota or --note")
			}
			if set.stored {
				return set.editStored(cmd, args[0], c)
			}
			e, err := mapkey.EditKey(set.file, args[0], c)
			if err != nil {
				return missingFile(set.file, err)
			}
			return printEdited(cmd, e, c, set.file)
		},
	}
	f := cmd.Flags()
	f.StringVar(&n.Name, "name", "", "the new name")
	f.StringSliceVar(&n.Origins, "origins", nil, "origins the key works from, all of them; '': everywhere")
	f.Int64Var(&n.RateLimit, "rate", 0, "requests per minute; 0: the server's --key-rate")
	f.Int64Var(&n.MonthlyQuota, "quota", 0, "billable requests per UTC month; 0: unlimited")
	f.StringVar(&n.Note, "note", "", "a note for people")
	addDatabaseFlags(cmd)
	return cmd
}

// changesOf are the flags that were given.
func changesOf(cmd *cobra.Command, n *mapkey.NewKey) (c mapkey.KeyChanges) {
	given := cmd.Flags().Changed
	if given("name") {
		c.Name = &n.Name
	}
	if given("origins") {
		c.Origins = &n.Origins
	}
	if given("rate") {
		c.RateLimit = &n.RateLimit
	}
	if given("quota") {
		c.MonthlyQuota = &n.MonthlyQuota
	}
	if given("note") {
		c.Note = &n.Note
	}
	return c
}

// printEdited says what the key has now, on standard error.
func printEdited(cmd *cobra.Command, e mapkey.Edited, c mapkey.KeyChanges, where string) error {
	w := cmd.ErrOrStderr()
	what := "changed"
	if e.Same {
		what = "was like that already:"
	}
	_, err := fmt.Fprintf(w, "%s %q (%s): %s a minute, %s a month, from %s\n", what, e.Name, e.Masked,
		number(e.RateLimit, "default"), number(e.MonthlyQuota, "unlimited"), originCell(e.Origins))
	if e.Disabled {
		_, err = fmt.Fprintln(w, "warning: the key is revoked; it stays refused")
	}
	if c.Origins != nil {
		adviseOrigins(w, e.Origins)
	}
	if c.Name != nil {
		adviseName(w, e.SameName, where)
	}
	return err
}

func (s *keySet) editStored(cmd *cobra.Command, who string, c mapkey.KeyChanges) error {
	return withDatabase(cmd, s.p, func(a local.Admin) error {
		e, err := a.EditMapKey(cmd.Context(), who, c)
		if err != nil {
			return err
		}
		k := fields(&e.MapKey)
		return printEdited(cmd, mapkey.Edited{Key: k, Masked: e.KeyStart, Same: e.Same, SameName: e.SameName}, c, inDatabase)
	})
}
