// Package mapfile has commands about index files of the map: svc map inspect, svc map publish
// and svc map explain.
package mapfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/app/cli/usage"
	"svc/geo/index"
)

// Inspect is the command.
func Inspect(rules usage.Rules) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect FILE.svcmap",
		Short: "Check an index file and say what is in it",
		Long: `Open an index file, verify the checksum of every section, and print what it
holds. A file that is damaged, foreign or of a newer version is an error.`,
		Example: `  svc map inspect uzbekistan.svcmap
  svc map inspect uzbekistan.svcmap --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return rules.Usage(cmd, "name one index file, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"svcmap"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := index.Inspect(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no file %s; 'svc map build' makes index files", args[0])
			}
			if err != nil {
				return err
			}
			if asJSON {
				return terminal.JSON(cmd.OutOrStdout(), info)
			}
			return printInfo(cmd.OutOrStdout(), info)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	return cmd
}

func printInfo(w io.Writer, i index.Info) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("file", "%s", i.Path)
	row("size", "%s", terminal.Bytes(i.Bytes))
	row("format", "%d", i.Format)
	row("built", "%s by svc %s", i.BuiltAt, i.Meta.Builder)
	if !i.Meta.SourceTime.IsZero() {
		row("source data of", "%s", i.Meta.SourceTime.UTC().Format("2006-01-02 15:04 UTC"))
	}
	b := i.Meta.Bounds
	row("bounds", "%.5f,%.5f,%.5f,%.5f", b[0], b[1], b[2], b[3])
	row("languages", "%s", cmp.Or(strings.Join(i.Meta.Languages, " "), "all"))
	row("entries", "%d", i.Meta.Entries)
	for _, kind := range slices.Sorted(maps.Keys(i.Meta.Kinds)) {
		row("  "+kind, "%d", i.Meta.Kinds[kind])
	}
	row("search terms", "%d", i.Terms)
	row("administrative areas", "%d", i.Areas)
	for _, name := range slices.Sorted(maps.Keys(i.Sections)) {
		row("section "+name, "%s", terminal.Bytes(i.Sections[name]))
	}
	return t.Flush()
}
