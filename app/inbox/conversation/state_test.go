package conversation

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates are the lives of the AI state, a reply and a file (contract 60.19 to 60.21).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/ai_state.golden", *update, transitions, AIStates(), AIEvents())
	apitest.Table(t, "testdata/message.golden", *update, life, Statuses(), MessageEvents())
	apitest.Table(t, "testdata/file.golden", *update, fetching, FileStatuses(), FileStatuses())
}
