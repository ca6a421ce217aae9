package campaign

import (
	"strings"
	"testing"
	"time"

	"svc/app/campaign/results"
)

// TestTextAfterTheLaunch: what a launch would refuse, a paused campaign does not get
// either, and what it refuses changes nothing.
func TestTextAfterTheLaunch(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":60}`)
		h.crowd(3)
		h.person("with_city", map[string]any{"first_name": strings.Repeat("o", 50), "attributes": map[string]any{"city": "Buxoro"}})
		begun := h.started([]string{a}, nil)
		waits := h.started([]string{a}, map[string]any{"scheduled_at": time.Now().Add(time.Hour)})
		h.after(time.Second)
		long := strings.Repeat("{{first_name}}", 90) + "{{opt_out_url}}"
		for _, id := range []string{begun, waits} {
			h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
			for text, say := range map[string]string{
				"No way out": "opt_out_url", "": "text or an attachment", "Hi {{frist_name}}! {{opt_out_url}}": "{{frist_name}}", long: "4096 are allowed",
			} {
				got := h.Do("PATCH /campaigns/"+id, map[string]any{"message": map[string]any{"text": text}})
				details, _ := got.At("error.details").(map[string]any)
				if said, _ := details["message.text"].(string); got.Status != 422 || !strings.Contains(said, say) {
					t.Errorf("%.20q: %s", text, got.Body)
				}
			}
			if got := h.campaign(id).String("message.text"); got != hello {
				t.Errorf("the text is %q", got)
			}
		}
		h.Do("PATCH /campaigns/"+begun, `{"message":{"text":"To {{city}}: {{opt_out_url}}"}}`).Want(200)
		h.Do("POST /campaigns/"+begun+"/resume", nil).Want(200)
		h.after(time.Hour)
		h.totals(begun, results.Totals{Total: 4, Completed: 2, Skipped: 2}) // one before, one with a city
	})
}
