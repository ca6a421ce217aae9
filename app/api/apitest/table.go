package apitest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"svc/app/api"
)

// Table compares a table of states and events with its golden file, which it rewrites
// when update is set. Every state and event of the table must be listed.
func Table[S, E ~string](t testing.TB, file string, update bool, table api.Table[S, E], states []S, events []E) {
	t.Helper()
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		for _, s := range states {
			to, ok := table.Next(s, e)
			if !ok {
				to = "-"
			}
			fmt.Fprintf(&b, "%-30s %-18s %s\n", e, s, to)
		}
	}
	if update {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s changed; read it, then run with -update:\n%s", file, b.String())
	}
	for _, row := range table {
		for _, s := range row.From {
			if !slices.Contains(states, s) || !slices.Contains(states, row.To) || !slices.Contains(events, row.On) {
				t.Errorf("the row %v is not drawn", row)
			}
		}
	}
}
