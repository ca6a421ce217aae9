package web_test

import (
	"testing"

	"svc/web/webtest"
)

func TestStories(t *testing.T) {
	webtest.Stories(t, "testdata/*.txt")
}
