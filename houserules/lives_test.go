package houserules

import (
	"strings"
	"testing"
)

func TestUndescribed(t *testing.T) {
	s, err := Parse("app/x/x.go", []byte(`// Package x does.
package x
type Status string
const (
	Open Status = "OPEN"
	Shut Status = "SHUT"
	Not  = "NOT"
)
type job struct{}
func (job) Kind() string { return "x.sweep" }
func (job) Other() string { return "x.other" }
`))
	if err != nil {
		t.Fatal(err)
	}
	const head = "### 60.1 Door\n\n`app/x.Status`. "
	for docs, want := range map[string]string{
		"":                               "no section",
		head + "**OPEN** is entered.":    "SHUT of app/x.Status",
		head + "**OPEN, SHUT** are both": "",
		head + "**OPEN**\n### 60.2 Other\n\n**SHUT**": "SHUT of app/x.Status",
	} {
		wrong := strings.Join(undescribedStates([]Source{s}, docs), "\n")
		if want == "" && wrong != "" || !strings.Contains(wrong, want) {
			t.Errorf("%q: %q, want %q", docs, wrong, want)
		}
	}
	for docs, want := range map[string]string{
		"":                              "no row for x.sweep",
		"| `x.sweep` | maintenance |\n": "x.sweep in its heading",
		"| `x.sweep` | m |\n### 61.2 x.a, x.sweep": "",
	} {
		wrong := strings.Join(undescribedJobs([]Source{s}, docs), "\n")
		if want == "" && wrong != "" || !strings.Contains(wrong, want) {
			t.Errorf("%q: %q, want %q", docs, wrong, want)
		}
	}
}
