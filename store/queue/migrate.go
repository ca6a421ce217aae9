package queue

import (
	"encoding/json"
	"fmt"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// Migration gives the jobs of versions before package dispatch their slots. A job that
// was running is taken for one of a node that ended, so that it is released as such.
var Migration = store.Migration{Name: "2026-11 jobs: slots for dispatch", Step: jobs.Rewrite(addSlot)}

// addSlot is one job of the migration. It knows of a job what it needs, so that it works
// on whatever else a job will be.
func addSlot(old json.RawMessage) (json.RawMessage, error) {
	var j struct {
		State State     `json:"state"`
		At    time.Time `json:"at"`
		Lane  string    `json:"lane"`
		Front bool      `json:"front"`
	}
	if err := json.Unmarshal(old, &j); err != nil {
		return nil, fmt.Errorf("a job: %w", err)
	}
	slot := dispatch.Slot{}
	switch {
	case j.State.waits() && (j.Lane == "" || j.Front):
		slot.Due = j.At
	case j.State == Active:
		slot.Token, slot.Claims = 1, []dispatch.Claim{{Node: "before dispatch", Token: 1, Since: j.At}}
	default:
		return nil, nil
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(old, &fields); err != nil {
		return nil, err
	}
	b, err := json.Marshal(slot)
	if err != nil {
		return nil, err
	}
	fields["slot"] = b
	return json.Marshal(fields)
}
