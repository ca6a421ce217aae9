package mapfile

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"svc/geo/search"
)

// PrintExplanation draws how a query was read and what its answers are made of.
func PrintExplanation(w io.Writer, x search.Explanation) error {
	fmt.Fprintf(w, "query    %s\n", x.Query)
	fmt.Fprintf(w, "tokens   %s\n", strings.Join(x.Tokens, " · "))
	if x.Intent != "" {
		fmt.Fprintf(w, "category %s\n", x.Intent)
	}
	fmt.Fprintln(w, "\nreadings")
	for i, r := range x.Readings {
		fmt.Fprintf(w, "  %d. %s\n", i+1, r.Reading)
		if r.Cost > 0 {
			fmt.Fprintf(w, "       costs %.2f\n", r.Cost)
		}
		for _, word := range r.Words {
			fmt.Fprintf(w, "       %s\n", word)
		}
		switch {
		case r.Found == 0:
			fmt.Fprintln(w, "     → nothing")
		case r.Strong:
			fmt.Fprintf(w, "     → %d, best %s, every word answered\n", r.Found, r.Best)
		default:
			fmt.Fprintf(w, "     → %d, best %s\n", r.Found, r.Best)
		}
	}
	for _, r := range x.Untried {
		fmt.Fprintf(w, "  -  %s (not needed)\n", r)
	}
	fmt.Fprintln(w, "\nanswers")
	if len(x.Answers) == 0 {
		fmt.Fprintln(w, "  none")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, a := range x.Answers {
		fmt.Fprintf(t, "  %d.\t%.3f\t%s\t%q\t%s\t%s\treading %d\n", i+1, a.Score, a.Category, a.Name, a.Label, a.Reason, a.Reading)
		if a.Text > 0 {
			fmt.Fprintf(t, "\t\t= 0.6 × %.3f text + 0.3 × %.3f rank + %.2f prior %+.3f rest\n", a.Text, a.Rank, a.Prior, a.Rest)
		}
		if a.Areas != "" {
			fmt.Fprintf(t, "\t\tby its areas: %s\n", a.Areas)
		}
	}
	return t.Flush()
}
