package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newConfigCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Look at the configuration",
		Example: "  svc config check --config /etc/svc/config.yaml",
		Args:    unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(newConfigCheckCommand(p))
	return cmd
}

func newConfigCheckCommand(p Parts) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the configuration and print what would be used",
		Long: `Check the file, the environment and the flags exactly as 'svc serve' reads
them, and print each setting with the place it comes from. Every mistake is
named with its line; the exit code is then 1, or 2 when only flags are wrong.
Files that settings name are not looked at; nothing is started or written.`,
		Example: `  svc config check --config /etc/svc/config.yaml
  SVC_KEY_RATE=60 svc config check`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd, p.Env)
			if err != nil {
				return err
			}
			return printConfig(cmd.OutOrStdout(), cmd.ErrOrStderr(), l)
		},
	}
	addConfigFlags(cmd)
	return cmd
}

func printConfig(stdout, stderr io.Writer, l *loaded) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tVALUE\tFROM")
	for i := range settings {
		s := &settings[i]
		text := l.shown(s)
		if text == "" {
			text = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.name, text, l.source(s.name))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, warning := range l.Warnings {
		fmt.Fprintln(stderr, "warning: "+warning)
	}
	return nil
}
