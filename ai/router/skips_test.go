package router_test

import (
	"context"
	"testing"

	"svc/ai"
	"svc/ai/router"
)

// TestSkips: what cannot be asked is said.
func TestSkips(t *testing.T) {
	bubble(t, func(w *world) {
		off, small, plain := entry("a", "m", says("ok")), entry("b", "m", says("ok")), entry("c", "m", says("ok"))
		off.Skip, small.ContextTokens, plain.NoTools = router.Disabled, 50, true
		steps, err := w.run(off, small, plain)
		if err != nil || steps[0].Skipped != router.Disabled || steps[1].Skipped != router.Context || steps[2].Skipped != "" {
			t.Errorf("%+v %v", steps, err)
		}
		_, steps, err = w.r.Run(context.Background(), router.Plan{
			Chain:   []router.Entry{plain, entry("d", "m", says("ok"))},
			Request: ai.Request{MaxTokens: 10, Tools: []ai.Tool{{Name: "look", Parameters: ai.Obj()}}},
		})
		if err != nil || len(steps) != 2 || steps[0].Skipped != router.NoTools || !steps[1].Asked {
			t.Errorf("%+v %v", steps, err)
		}
	})
}
