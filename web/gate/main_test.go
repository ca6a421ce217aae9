package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"svc/app/place"
)

// noKeys is a key set without keys, for tests that make many gates.
var noKeys *place.Keys

func TestMain(m *testing.M) {
	keys, err := place.OpenKeys(filepath.Join(os.TempDir(), "svc-gate-test-no-such-file.json"), place.KeyOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	noKeys = keys
	os.Exit(m.Run())
}
