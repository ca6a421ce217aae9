package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"svc/geo/route"
)

func newDoctorCommand(p Parts) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check everything that the server needs",
		Long: `Look at everything that 'svc serve' with the same settings would use: the map
and the tiles, the key file, the usage file, the master key, disk space, the clock
(also beside the messaging platform and the database, while the server runs), and
whether a running routing engine allows what legal requests ask of it. Nothing is
changed. Each line begins with ✓ (good), ! (look at it) or ✗ (broken) and says
what to do; the exit code is 1 when something is broken.`,
		Example: `  svc doctor --config /etc/svc/config.yaml
  svc doctor --map uzbekistan.svcmap --routing-url http://127.0.0.1:8002
  svc doctor --config /etc/svc/config.yaml --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			database := ""
			if p.Database != nil {
				database = p.Database(l.Config)
			}
			found := examine(cmd.Context(), l.Config, database, time.Now())
			if l.Messaging {
				found.checkMasterKey(cmd.Context(), l.Config, databaseExists(p, l.Config))
			}
			if asJSON {
				err = printFindingsJSON(cmd.OutOrStdout(), found)
			} else {
				err = printFindings(cmd.OutOrStdout(), found)
			}
			if err != nil {
				return err
			}
			if n := countOf(found, route.Bad); n > 0 {
				return fmt.Errorf("%s failed", count(n, "check"))
			}
			return nil
		},
	}
	addConfigFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// finding is one line of the doctor.
type finding struct {
	Area    string        `json:"area"` // "map", "keys", "engine", ...
	Name    string        `json:"name"` // what was looked at
	Verdict route.Verdict `json:"verdict"`
	Found   string        `json:"found"`
	Do      string        `json:"do,omitempty"` // empty when good
}

// findings collects lines.
type findings []finding

func (f *findings) good(area, name, format string, args ...any) {
	*f = append(*f, finding{area, name, route.Good, fmt.Sprintf(format, args...), ""})
}

func (f *findings) warn(area, name, do, format string, args ...any) {
	*f = append(*f, finding{area, name, route.Warning, fmt.Sprintf(format, args...), do})
}

func (f *findings) bad(area, name, do, format string, args ...any) {
	*f = append(*f, finding{area, name, route.Bad, fmt.Sprintf(format, args...), do})
}

// examine looks at everything that a server with this configuration would use. database
// is the file of the messaging service, "" for none.
func examine(ctx context.Context, c Config, database string, now time.Time) findings {
	var f findings
	for _, w := range c.Warnings {
		if strings.HasPrefix(w, "map is empty") {
			continue // told below
		}
		what, do, _ := strings.Cut(w, "; ")
		f.warn("settings", "doubt", do, "%s", what)
	}
	towns := f.checkMap(c.Map, now)
	f.checkTiles(c)
	f.checkKeys(c)
	f.checkUsage(c)
	f.checkDisk(c)
	f.checkClock(ctx, c, database, now)
	f.checkEngine(ctx, c.RoutingURL, towns)
	f.checkMail(ctx, c)
	return f
}

func countOf(found findings, v route.Verdict) (n int) {
	for _, f := range found {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

var marks = map[route.Verdict]string{route.Good: "✓", route.Warning: "!", route.Bad: "✗"}

// printFindings writes a line for each, aligned by hand: a tabwriter counts the
// bytes of a mark, not its width.
func printFindings(w io.Writer, found findings) error {
	area, name := 0, 0
	for _, f := range found {
		area, name = max(area, len(f.Area)), max(name, len(f.Name))
	}
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s %-*s  %-*s  %s\n", marks[f.Verdict], area, f.Area, name, f.Name, f.Found)
		if f.Do != "" {
			fmt.Fprintf(&b, "  %*s  %*s  → %s\n", area, "", name, "", f.Do)
		}
	}
	fmt.Fprintf(&b, "\n%s, %d to look at, %d broken\n", count(len(found), "check"), countOf(found, route.Warning), countOf(found, route.Bad))
	_, err := io.WriteString(w, b.String())
	return err
}

func printFindingsJSON(w io.Writer, found findings) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		OK     bool     `json:"ok"`
		Checks findings `json:"checks"`
	}{countOf(found, route.Bad) == 0, found})
}
