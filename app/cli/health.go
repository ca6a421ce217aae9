package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newHealthCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Ask the running server whether it serves",
		Long: `Ask the server that runs on this machine with the same --listen for /health. The
exit code is 0 when it serves, and 1 when it does not answer within 5 seconds or
stops: what a container or a service manager asks.`,
		Example: `  svc health
  svc health --listen 0.0.0.0:8080`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			if err := p.Health(cmd.Context(), l.Listen); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "serving on %s\n", l.Listen)
			return err
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().String("config", "", "YAML file with these settings")
	addSomeFlags(cmd.Flags(), []string{"listen"})
	_ = cmd.MarkFlagFilename("config")
	return cmd
}
