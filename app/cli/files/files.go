// Package files is the setting --files, which says where attachments, files of conversations
// and of knowledge lie, and the command svc files, which moves them.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"svc/app/cli/usage"
	"svc/app/vault"
	"svc/app/vault/bucket"
)

// Variable is the environment variable of the setting.
const Variable = "SVC_FILES"

// Check refuses what Open does not take. Its errors name no secret.
func Check(place string) error {
	_, err := Open(place)
	return err
}

// Open is the place that the setting names: the address of a bucket, or a folder that several
// servers may share. nil: it names none.
func Open(place string) (vault.Root, error) {
	switch {
	case place == "":
		return nil, nil
	case strings.HasPrefix(place, "s3://"):
		o, err := bucket.Parse(place)
		if err != nil {
			return nil, err
		}
		return bucket.Open(o)
	case strings.Contains(place, "://"):
		return nil, errors.New("is neither a folder nor an address such as " + bucket.Form)
	}
	return vault.Folder{Dir: place, Several: true}, nil
}

// Command is svc files. kinds are the kinds of files that an installation has.
func Command(rules usage.Rules, kinds []string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "files",
		Short:   "Move attachments and other files between a folder and a bucket",
		Example: "  SVC_FILES=s3://KEY:SECRET@s3.example.uz/svc svc files copy --from data",
		Args:    rules.Group,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(copyCommand(rules, kinds))
	return cmd
}

func copyCommand(rules usage.Rules, kinds []string) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "copy --from SOURCE --to TARGET",
		Short: "Copy the files of a stopped server",
		Long: `Copy the files of an installation from SOURCE to TARGET: attachments, files of
conversations and of knowledge. Each is a folder, such as the data folder, or the
address of a bucket. Stop every server first. Files that TARGET has already with the
same length are left, so that a copy that was interrupted goes on. They are copied as
they are sealed: every server needs the master key of the old one.

The secret in an address is seen by other users of this machine while the command
runs: leave one of the two flags out and give it in ` + Variable + `.`,
		Example: `  SVC_FILES=s3://KEY:SECRET@s3.example.uz/svc svc files copy --from data
  SVC_FILES=s3://KEY:SECRET@s3.example.uz/svc svc files copy --to data`,
		Args: rules.None,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd, rules, kinds, from, to)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder or bucket to copy from; empty: "+Variable)
	cmd.Flags().StringVar(&to, "to", "", "folder or bucket to copy to; empty: "+Variable)
	return cmd
}

func run(cmd *cobra.Command, rules usage.Rules, kinds []string, from, to string) error {
	named := os.Getenv(Variable)
	if from == "" {
		from, named = named, ""
	}
	if to == "" {
		to = named
	}
	if from == "" || to == "" {
		return rules.Usage(cmd, "name both sides with --from and --to, or one of them in %s", Variable)
	}
	source, err := Open(from)
	if err != nil {
		return fmt.Errorf("the source %w", err)
	}
	target, err := Open(to)
	if err != nil {
		return fmt.Errorf("the target %w", err)
	}
	for _, side := range []vault.Root{source, target} {
		if err := side.Check(cmd.Context()); err != nil {
			return err
		}
	}
	return copyAll(cmd.Context(), source, target, kinds, cmd.ErrOrStderr(), cmd.OutOrStdout())
}

// every is after how many files the progress is told.
const every = 100

func copyAll(ctx context.Context, from, to vault.Root, kinds []string, progress, out io.Writer) error {
	n := 0
	err := vault.Copy(ctx, from, to, kinds, func(string) {
		if n++; n%every == 0 {
			fmt.Fprintf(progress, "%s\n", usage.Count(n, "file"))
		}
	})
	if err != nil {
		return fmt.Errorf("%w; call the command again to go on", err)
	}
	_, err = fmt.Fprintf(out, "%s at the target\n", usage.Count(n, "file"))
	return err
}
