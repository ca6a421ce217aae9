package app

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"svc/store/storetest"
)

// TestNeededJobs: the kinds of jobs that are never given up because nodes ended under them are
// those that the contract marks (61.2). They were promised to somebody: that a webhook is taken in,
// that a reply has an outcome, that an appointment is made or refused.
func TestNeededJobs(t *testing.T) {
	a, err := Open(t.Context(), Options{Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer storetest.RunAndClose(t, nil, a.Close)()
	text, err := os.ReadFile("../docs/contract/61-jobs.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| \\w+( ¹)? \\|").FindAllStringSubmatch(string(text), -1)
	marked := 0
	for _, row := range rows {
		needed := row[2] != ""
		if needed {
			marked++
		}
		if a.workers.Keeps(row[1]) != needed {
			t.Errorf("%s: marked %v, and the worker says %v", row[1], needed, !needed)
		}
	}
	if marked == 0 || !strings.Contains(string(text), "| `channel.intake` | inbound ¹ |") {
		t.Errorf("%d of %d kinds are marked", marked, len(rows))
	}
}
