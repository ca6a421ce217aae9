package cli

import (
	"github.com/spf13/cobra"
)

func newServeCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the map, its page and the messaging service",
		Long: `Serve the map API, at / its page, and below /api/v1 the messaging service, until
SIGTERM or SIGINT. While nobody administers the platform, each start prints a
one-time link for the first person.

Settings come from flags, then from the environment (--map-reload is
SVC_MAP_RELOAD), then from the YAML file of --config. SIGHUP reloads the map
file and the key file at once. On SIGTERM requests in progress are finished
and usage counts are written before the process ends.`,
		Example: `  svc serve --map uzbekistan.svcmap
  svc serve --config /etc/svc/config.yaml
  svc serve --map uzbekistan.svcmap --keys keys.json --require-key --usage usage.db
  SVC_MAP=uzbekistan.svcmap svc serve --listen 0.0.0.0:8080 --metrics 127.0.0.1:9090`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			return p.Serve(cmd.Context(), l.Config)
		},
	}
	addConfigFlags(cmd)
	return cmd
}

// addConfigFlags gives cmd --config and one flag a setting, in the order of
// the table, which groups them by subject.
func addConfigFlags(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	cmd.Flags().String("config", "", "YAML file with these settings")
	addFlags(cmd.Flags())
	for _, name := range []string{"map", "tiles", "terrain", "keys", "usage", "config"} {
		_ = cmd.MarkFlagFilename(name)
	}
	_ = cmd.MarkFlagDirname("data")
}
