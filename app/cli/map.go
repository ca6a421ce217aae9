package cli

import (
	"github.com/spf13/cobra"

	"svc/app/cli/mapfile"
)

func newMapCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "map",
		Short: "Build, inspect, publish and question maps, find the places of a file, configure the routing engine",
		Example: `  svc map build uzbekistan.osm.pbf --out uzbekistan.svcmap
  svc map inspect uzbekistan.svcmap
  svc map publish --to /mnt/maps --map uzbekistan.svcmap
  svc map explain --map uzbekistan.svcmap "Chilonzor dorixona"
  svc map geocode customers.csv --out places.csv --map uzbekistan.svcmap
  svc map engine-config --tiles /var/lib/valhalla`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	mapOf := func(cmd *cobra.Command) (string, error) {
		l, err := load(cmd, p.Env)
		if err != nil {
			return "", err
		}
		return l.Map, nil
	}
	cmd.AddCommand(newMapBuildCommand(p), mapfile.Inspect(rules), mapfile.Publish(rules, TilesPath), mapfile.Explain(rules, addConfigFlags, mapOf), newMapGeocodeCommand(p), newMapEngineConfigCommand())
	return cmd
}
