package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// Simulator is what `svc simulator` was told.
type Simulator struct {
	Listen string // host:port
	Data   string // folder of its state
	Script string // file with scenes, "" for none
	// Platforms is the address of the photo and the page network instead, "" for the messenger;
	// Webhook is where they send what arrives.
	Platforms, Webhook string
}

func newSimulatorCommand(p Parts) *cobra.Command {
	var c Simulator
	cmd := &cobra.Command{
		Use:   "simulator",
		Short: "Run the messenger simulator as a process of its own",
		Long: `Run a server that speaks the messenger's protocol and reaches nobody. 'svc serve'
without an application id runs one inside itself; this one can be shared by
several servers, watched, and stopped while they go on.

Its state (phone numbers, sessions, messages, and its key) is kept in simulator/
in the data folder; simulator/sent.jsonl has a line for each message that it
took. Servers reach it with --simulator ADDR and --simulator-key
DATA/simulator/public.pem. A script sets scenes, one a line; the page of package
messenger/simulator explains them.

With --platforms it is the photo and the page network instead: svc serve reaches
them with --platforms-simulator ADDR, and they send what arrives to --webhook. Pages
for people stand at /_sim/; on other addresses than this machine's they ask for the
token that is printed. Its scenes are those of package messenger/platform/sim.`,
		Example: `  svc simulator --listen 127.0.0.1:9440 --data sim
  svc serve --simulator 127.0.0.1:9440 --simulator-key sim/simulator/public.pem
  svc simulator --listen 127.0.0.1:9440 --data sim --script floods.txt`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Platforms != "" {
				if err := errors.Join(checkAddress(c.Platforms), optional(checkURL)(c.Webhook)); err != nil {
					return &configError{[]mistake{{"--platforms", err.Error()}}}
				}
				return p.Simulate(cmd.Context(), c)
			}
			if err := checkAddress(c.Listen); err != nil {
				return &configError{[]mistake{{"--listen", err.Error()}}}
			}
			return p.Simulate(cmd.Context(), c)
		},
	}
	cmd.Flags().StringVar(&c.Listen, "listen", "127.0.0.1:9440", "address to serve on, host:port")
	cmd.Flags().StringVar(&c.Data, "data", "data", "folder for its state; made when needed")
	cmd.Flags().StringVar(&c.Script, "script", "", "file with scenes")
	cmd.Flags().StringVar(&c.Platforms, "platforms", "", "serve the photo and the page network at this address, host:port")
	cmd.Flags().StringVar(&c.Webhook, "webhook", "", "where these send webhooks, as in http://127.0.0.1:8080/api/v1/channels/meta/webhook")
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagFilename("script")
	return cmd
}
