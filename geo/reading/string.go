package reading

import (
	"fmt"
	"strings"
)

// String says what a reading takes the query for.
func (rd *Reading) String() string {
	var b strings.Builder
	b.WriteString(hows[rd.How])
	quote := func(what string, words []string) {
		if len(words) > 0 {
			fmt.Fprintf(&b, "%s %q", what, strings.Join(words, " "))
		}
	}
	quote("", rd.Words)
	quote(", number", rd.Houses)
	if rd.Category != "" {
		b.WriteString(", category " + rd.Category)
	}
	switch {
	case rd.How == AsCrossing:
		quote(" and", rd.Place)
	case rd.Near:
		quote(", near", rd.Place)
	default:
		quote(", in or along", rd.Place)
	}
	if rd.Postcode != "" {
		b.WriteString(" " + rd.Postcode)
	}
	if rd.Point != nil && rd.Point.Short == "" {
		fmt.Fprintf(&b, " %.6f,%.6f", rd.Point.At.Lat(), rd.Point.At.Lon())
	}
	if rd.Floor > 0 {
		b.WriteString(", as whole names")
	}
	quote(", kind", rd.Types)
	return b.String()
}
