package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand(p Parts) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  svc version",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd, p) },
	}
}

// printVersion is what 'svc version' and 'svc --version' do.
func printVersion(cmd *cobra.Command, p Parts) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "svc %s (%s, %s/%s)\n", p.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// Version is the version of this binary: the one of the release build, else
// that of the module, else "dev".
func Version(release string) string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
