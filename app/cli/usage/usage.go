// Package usage is what commands in folders of their own share with those of package
// cli: how they refuse arguments.
package usage

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Rules are how the commands of the program refuse arguments.
type Rules struct {
	// Group is the Args of a command that only groups others, None of one without any.
	Group, None cobra.PositionalArgs
	// Usage makes the error of a command that was called wrongly.
	Usage func(cmd *cobra.Command, format string, args ...any) error
}

// Count is a number with its noun, in English: "1 check", "2 checks".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
