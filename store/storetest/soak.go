package storetest

import (
	"os"
	"testing"
)

// OnlyInSoak skips a test that takes minutes, unless SVC_TEST_SOAK says how long such tests last:
// `make soak` does.
func OnlyInSoak(t testing.TB) {
	t.Helper()
	if os.Getenv("SVC_TEST_SOAK") == "" {
		t.Skip("it takes minutes: set SVC_TEST_SOAK, such as 10m")
	}
}
