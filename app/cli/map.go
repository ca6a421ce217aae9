package cli

import (
	"github.com/spf13/cobra"
)

func newMapCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "map",
		Short: "Build and inspect index files",
		Example: `  svc map build uzbekistan.osm.pbf --out uzbekistan.svcmap
  svc map inspect uzbekistan.svcmap`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(newMapBuildCommand(p), newMapInspectCommand())
	return cmd
}
