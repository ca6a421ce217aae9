package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/text/width"

	"svc/app/mapkey"
)

// newKeysCommand groups the commands about keys: of the map's key file, which work on the
// file alone, so that a running server takes the change up by itself, and the master key.
func newKeysCommand(p Parts) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Add, list and revoke the map's API keys; rotate the master key",
		Long: `add, list and revoke edit the JSON file that 'svc serve --keys FILE' reads. A
running server takes a change up within its --key-reload (5 s). Several commands
may run at once. rotate-master is about the key of everything that the messaging
service seals.`,
		Example: `  svc keys add "My site" --keys keys.json --origins https://acme.example
  svc keys list --keys keys.json
  svc keys revoke "My site" --keys keys.json`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&file, "keys", "", "the key file of the map (required for add, list and revoke)")
	cmd.AddCommand(newKeysAddCommand(&file), newKeysListCommand(&file), newKeysRevokeCommand(&file), newRotateMasterCommand(p))
	return cmd
}

// needFile refuses to guess which file is meant.
func needFile(cmd *cobra.Command, file string) error {
	if file == "" {
		return usageErrorf(cmd, "which key file? Give --keys FILE")
	}
	return nil
}

func newKeysAddCommand(file *string) *cobra.Command {
	var n mapkey.NewKey
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a new key and print it",
		Long: `Makes a key of 32 random hex characters, adds it to the key file (created with
mode 0600 when missing) and prints it, and nothing else, on standard output.
Without --origins the key works from everywhere, so whoever sees it can use it.`,
		Example: `  svc keys add "My site" --keys keys.json --origins 'https://acme.example,https://*.acme.example'
  KEY=$(svc keys add backend --keys keys.json --rate 1200 --quota 1000000 --note "invoice 17")`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf(cmd, "add takes one NAME, got %d; put a name with spaces in quotes", len(args))
			}
			return needFile(cmd, *file)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			n.Name = args[0]
			added, err := mapkey.AddKey(*file, n, time.Now())
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(cmd.OutOrStdout(), added.Key.Key); err != nil {
				return fmt.Errorf("the key was added, but it could not be printed; revoke %s and add another: %w", mapkey.Mask(added.Key.Key), err)
			}
			adviseAdded(cmd.ErrOrStderr(), added, *file)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&n.Origins, "origins", nil, "origins the key works from, such as https://acme.example or https://*.acme.example; none: everywhere")
	f.Int64Var(&n.RateLimit, "rate", 0, "requests per minute; 0: the server's --key-rate")
	f.Int64Var(&n.MonthlyQuota, "quota", 0, "billable requests per UTC month; 0: unlimited")
	f.StringVar(&n.Note, "note", "", "a note for people")
	return cmd
}

// adviseAdded says on standard error what a person should know about the new key.
func adviseAdded(w io.Writer, added mapkey.Added, file string) {
	fmt.Fprintf(w, "added %q to %s\n", added.Name, file)
	if len(added.Origins) == 0 {
		fmt.Fprintln(w, "warning: the key has no origins, so it works from everywhere; restrict keys for browsers with --origins")
	}
	for _, o := range added.Origins {
		if problem := mapkey.CheckOrigin(o); problem != "" {
			fmt.Fprintln(w, "warning:", problem)
		}
	}
	if added.SameName > 0 {
		fmt.Fprintf(w, "warning: the file has %d more with that name; to revoke one of them, give the key\n", added.SameName)
	}
}

func newKeysListCommand(file *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the keys of a file",
		Long: `Shows the keys as a table. Of each key only the start is shown, enough to tell
keys apart and to revoke one: terminals are shared on screens and kept in logs.
--json prints the full records, keys included, for programs.`,
		Example: `  svc keys list --keys keys.json
  svc keys list --keys keys.json --json | jq -r '.[] | select(.disabled) | .name'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := noArgs(cmd, args); err != nil {
				return err
			}
			return needFile(cmd, *file)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			keys, err := mapkey.ListKeys(*file)
			if err != nil {
				return missingFile(*file, err)
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(keys)
			}
			return writeTable(cmd.OutOrStdout(), keyTable(keys))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the full records, keys included, as a JSON array")
	return cmd
}

func newKeysRevokeCommand(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke KEY-OR-NAME",
		Short: "Disable a key",
		Long: `Sets "disabled" on the key; its requests are then refused with 403. The record
stays, so that its usage keeps a name. KEY-OR-NAME is the key, its start as
'svc keys list' shows it, or the name of exactly one enabled key.`,
		Example: `  svc keys revoke "My site" --keys keys.json
  svc keys revoke 3fa94c1b --keys keys.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf(cmd, "revoke takes one KEY-OR-NAME, got %d; put a name with spaces in quotes", len(args))
			}
			return needFile(cmd, *file)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := mapkey.RevokeKey(*file, args[0])
			if err != nil {
				return missingFile(*file, err)
			}
			what := "revoked"
			if r.Already {
				what = "was already revoked:"
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%s %q (%s)\n", what, r.Name, r.Masked)
			return err
		},
	}
}

// missingFile turns the commonest mistake into advice.
func missingFile(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no key file %s; 'svc keys add NAME --keys %s' makes it", file, file)
	}
	return err
}

// keyTable is the table of a list, its head included.
func keyTable(keys []mapkey.Listed) [][]string {
	rows := [][]string{{"NAME", "KEY", "STATE", "RATE/MIN", "QUOTA/MONTH", "ORIGINS", "CREATED", "NOTE"}}
	for _, k := range keys {
		state := "active"
		if k.Disabled {
			state = "revoked"
		}
		rows = append(rows, []string{
			k.Name, mapkey.Mask(k.Key.Key), state, number(k.RateLimit, "default"), number(k.MonthlyQuota, "unlimited"),
			originCell(k.Origins), dateCell(k.CreatedAt), k.Note,
		})
	}
	return rows
}

func number(n int64, none string) string {
	if n <= 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

// originCell keeps the line short: two origins and how many more there are.
func originCell(origins []string) string {
	switch n := len(origins); {
	case n == 0:
		return "everywhere"
	case n > 2:
		return fmt.Sprintf("%s, %s and %d more", origins[0], origins[1], n-2)
	}
	return strings.Join(origins, ", ")
}

func dateCell(created string) string {
	if t, err := time.Parse(time.RFC3339, created); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return created
}

// maxCell bounds a column of the table, in terminal columns.
const maxCell = 60

// writeTable aligns rows by what a terminal shows, not by bytes: Cyrillic
// letters are two bytes and one column, Chinese ones three bytes and two.
// Control characters of a hand-edited file are made visible.
func writeTable(w io.Writer, rows [][]string) error {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = fitCell(row[i])
			wide[i] = max(wide[i], columns(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			line.WriteString(c)
			line.WriteString(strings.Repeat(" ", wide[i]-columns(c)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fitCell makes a value printable on one line and no wider than maxCell.
func fitCell(s string) string {
	var b strings.Builder
	used, letters := 0, 0
	for _, r := range s {
		text := string(r)
		if !unicode.IsPrint(r) && !zeroWidth(r) || unicode.Is(unicode.Bidi_Control, r) {
			text = fmt.Sprintf("\\u%04x", r)
		}
		n := columns(text)
		if letters++; used+n > maxCell-1 || letters > 4*maxCell { // marks without width are letters too
			return b.String() + "…"
		}
		b.WriteString(text)
		used += n
	}
	return b.String()
}

// columns is how many terminal columns a text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch k := width.LookupRune(r).Kind(); {
		case zeroWidth(r):
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// zeroWidth are marks that sit on the letter before them, and joiners.
func zeroWidth(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200d' || r == '\u200c'
}
