package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"svc/app/cli/doctor"
	"svc/app/cli/usage"
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
			s := subject(l.Config)
			s.HasDatabase = databaseExists(p, l.Config)
			if p.Database != nil {
				s.Database = p.Database(l.Config)
			}
			found := doctor.Examine(cmd.Context(), s, time.Now())
			if asJSON {
				err = found.PrintJSON(cmd.OutOrStdout())
			} else {
				err = found.Print(cmd.OutOrStdout())
			}
			if err != nil {
				return err
			}
			if n := found.Count(route.Bad); n > 0 {
				return fmt.Errorf("%s failed", usage.Count(n, "check"))
			}
			return nil
		},
	}
	addConfigFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// subject is what the doctor looks at of a configuration.
func subject(c Config) *doctor.Subject {
	return &doctor.Subject{
		Map: c.Map, Tiles: c.Tiles, TilesBeside: TilesPath(c.Map), Terrain: c.Terrain, MapSource: c.MapSource, Keys: c.Keys, RequireKey: c.RequireKey, Usage: c.Usage, Store: c.Store, Files: c.Files,
		Data: c.Data, Messaging: c.Messaging, MasterKey: c.MasterKey, RoutingURL: c.RoutingURL, SMTPURL: c.SMTPURL, MailFrom: c.MailFrom, Warnings: c.Warnings,
	}
}
