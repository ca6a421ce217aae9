package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"svc/app/mapkey"
)

// noKeys is a key set without keys, for tests that make many gates.
var noKeys *mapkey.Keys

func TestMain(m *testing.M) {
	keys, err := mapkey.OpenKeys(filepath.Join(os.TempDir(), "svc-gate-test-no-such-file.json"), mapkey.KeyOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	noKeys = keys
	os.Exit(m.Run())
}
