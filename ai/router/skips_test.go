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

// TestTooLongForAgents: agents ask in one message of JSON; the older half of the conversation in it
// is left out once (contract 12.2).
func TestTooLongForAgents(t *testing.T) {
	bubble(t, func(w *world) {
		m := says(fault(ai.TooLong))
		_, _, err := w.r.Run(w.Context(), router.Plan{Chain: []router.Entry{entry("a", "m", m)}, Request: ai.Request{
			MaxTokens: 10, Messages: []ai.Message{{Role: ai.User, Text: `{"messages":["1","2","3","4"]}`}},
		}})
		if ai.FaultOf(err) != ai.TooLong || m.count() != 2 || m.asked[1].Messages[0].Text != `{"messages":["3","4"]}` {
			t.Errorf("%v %+v", err, m.asked)
		}
	})
}
