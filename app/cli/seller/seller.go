// Package seller is the command svc seller: it measures the rules of the AI seller on
// labelled messages, without a server and without a model, or with one that the user names.
package seller

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"svc/ai"
	"svc/ai/measure"
	"svc/app/cli/terminal"
	"svc/app/cli/usage"
)

// Command is svc seller.
func Command(rules usage.Rules) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "seller",
		Short:   "Measure the rules of the AI seller on labelled messages",
		Example: "  svc seller measure messages.jsonl",
		Args:    rules.Group,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(measureCommand(rules, openProvider))
	return cmd
}

func measureCommand(rules usage.Rules, open func(ai.Config) ai.Provider) *cobra.Command {
	var mistakes bool
	model := modelOptions{open: open}
	cmd := &cobra.Command{
		Use:   "measure FILE",
		Short: "Print how often the rules agree with the labels of a file",
		Long: `Read a file with one labelled message a line, as JSON, and print precision, recall
and confusion; or one object with chunks of knowledge and questions, and print how many
find their answer. It needs no server and no model. The fields say what is labelled:

  ` + strings.Join(measure.Forms(), "\n  ") + `

For example {"text": "не пишите мне", "lang": "ru", "stop": true, "human": false,
"complaint": false, "asks_ai": false, "pii": {"card": 0, "phone": 0, "email": 0}}.

With --provider the messages that are labelled for signals are also measured as the
seller decides with a model: rules first, the model for what they leave open, one call a
message, personal data masked. The number of calls and the most that they cost are
printed before the first one. The key is read from --key-file or ` + KeyVariable + `, never from
the command line.`,
		Example: `  svc seller measure messages.jsonl
  svc seller measure messages.jsonl --mistakes
  svc seller measure messages.jsonl --provider openai --key-file openai.key
  svc seller measure messages.jsonl --provider compatible --base-url http://127.0.0.1:11434/v1 --model qwen4:8b`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return rules.Usage(cmd, "name one file, got %d", len(args))
			}
			return model.check(cmd, rules)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no file %s", args[0])
			}
			if err != nil {
				return err
			}
			defer func() { _ = f.Close() }()
			var r *measure.Report
			if model.provider == "" {
				r, err = measure.Run(f)
			} else {
				r, err = model.run(cmd.Context(), f, cmd.ErrOrStderr())
			}
			if errors.Is(err, measure.ErrNoForm) {
				return fmt.Errorf("%s: %w; each needs all fields of one of %s", args[0], err, strings.Join(measure.Forms(), "; "))
			}
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return printReport(cmd.OutOrStdout(), args[0], r, mistakes)
		},
	}
	cmd.Flags().BoolVar(&mistakes, "mistakes", false, "print each mistake with its line, personal data masked")
	model.flags(cmd)
	return cmd
}

func printReport(w io.Writer, file string, r *measure.Report, mistakes bool) error {
	if _, err := fmt.Fprintf(w, "%s: %d items\n", file, r.Items); err != nil {
		return err
	}
	for _, t := range r.Tables {
		if _, err := fmt.Fprintf(w, "\n%s\n", t.Title); err != nil {
			return err
		}
		if err := terminal.WriteTable(w, t.Rows); err != nil {
			return err
		}
	}
	if !mistakes || len(r.Mistakes) == 0 {
		return nil
	}
	rows := [][]string{{"line", "what", "labelled", "found", "text"}}
	for _, m := range r.Mistakes {
		rows = append(rows, []string{strconv.Itoa(m.Line), m.Form, m.Want, m.Got, m.Text})
	}
	if _, err := fmt.Fprintln(w, "\nMistakes"); err != nil {
		return err
	}
	return terminal.WriteTable(w, rows)
}
