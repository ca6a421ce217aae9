package photo

import (
	"context"
	"testing"

	"golang.org/x/sync/singleflight"
)

// TestAPanicOfTheWorkIsAnError: it runs on a goroutine of its own, where a
// panic would end the process.
func TestAPanicOfTheWorkIsAnError(t *testing.T) {
	var g singleflight.Group
	v, err := join(t.Context(), &g, "Q1", func(context.Context) (any, error) { panic("boom") })
	if err == nil || v != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := join(t.Context(), &g, "Q1", func(context.Context) (any, error) { return 7, nil }); err != nil || v != 7 {
		t.Errorf("afterwards: %v, %v", v, err)
	}
}
