// Package e2e holds the tests that look at the product as a person does: the
// real program, a real browser.
package e2e

import (
	"os"
	"testing"

	"svc/web/e2e/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
