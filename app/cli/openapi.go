package cli

import (
	"github.com/spf13/cobra"
)

func newOpenAPICommand(p Parts) *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI document of the messaging service",
		Long: `Print the OpenAPI 3.1 document that a server of this version has at
/api/v1/openapi.json, without a server. With --strict it names the fields that
every answer has: take that one to make a typed client from.`,
		Example: `  svc openapi > openapi.json
  svc openapi --strict | npx openapi-typescript > schema.d.ts`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			document, err := p.Describe(cmd.Context(), strict)
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(append(document, '\n'))
			return err
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "mark what every answer has as required")
	return cmd
}
