package campaign

import (
	"testing"
	"time"

	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/event"
	"svc/store"
)

// TestACampaign: written, checked, launched, done; every number adds up.
func TestACampaign(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		accounts := []string{h.account(""), h.account("")}
		h.crowd(20)
		h.person("gone", map[string]any{"consent_status": "UNKNOWN"})
		out := h.person("opted_out", nil)
		h.Do("PATCH /recipients/"+out, `{"consent_status":"OPTED_OUT"}`).Want(200)
		h.person("nameless", map[string]any{"first_name": ""})
		id := h.draft(accounts, nil)
		report := h.Do("POST /campaigns/"+id+"/validate", nil).Want(200)
		if report.At("ok") != true || report.Int("audience.matched") != 23 || report.Int("audience.missing_variables") != 1 || report.At("estimated_hours") == nil {
			t.Errorf("report %s", report.Body)
		}
		preview := h.Do("GET /campaigns/"+id+"/audience-preview", nil).Want(200)
		if preview.Int("sendable") != 20 || preview.Int("excluded.opted_out") != 1 || preview.Int("excluded.unknown_consent") != 1 || preview.Int("excluded.missing_variables") != 1 {
			t.Errorf("preview %s", preview.Body)
		}
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
		h.is(id, record.Running, "")
		h.after(time.Second)
		if a := h.campaign(id); a.String("waiting_reason") != "PACING" || a.At("estimated_finish_at") == nil {
			t.Errorf("under way: %s, %v", a.String("waiting_reason"), a.At("estimated_finish_at"))
		}
		h.after(time.Hour)
		h.is(id, record.Completed, "")
		h.totals(id, results.Totals{Total: 23, Completed: 20, Skipped: 3})
		if n := h.out.count(); n != 20 {
			t.Errorf("%d messages were sent", n)
		}
		for kind, want := range map[event.Type]int{
			event.MessageDelivered: 20, event.MessageSkipped: 3, event.MessageFailed: 0, event.CampaignStarted: 1, event.CampaignCompleted: 1,
		} {
			if n := h.events(kind); n != want {
				t.Errorf("%d %s, want %d", n, kind, want)
			}
		}
		if h.events(event.CampaignProgress) == 0 {
			t.Error("nobody was told of the progress")
		}
		stats := h.Do("GET /campaigns/"+id+"/statistics", nil).Want(200)
		if stats.Int("totals.completed") != 20 || stats.At("delivery_rate") != 1.0 || stats.Int("by_account.0.delivered")+stats.Int("by_account.1.delivered") != 20 {
			t.Errorf("statistics %s", stats.Body)
		}
		h.view(func(tx *store.Tx) error {
			by, err := record.ByStatus(tx, h.Org)
			if err != nil || by[record.Completed] != 1 || by[record.Draft] != 0 {
				t.Errorf("by status %v, %v", by, err)
			}
			lately, err1 := record.CompletedSince(tx, h.Org, time.Now().Add(-2*time.Hour))
			after, err2 := record.CompletedSince(tx, h.Org, time.Now())
			if lately != 1 || after != 0 || err1 != nil || err2 != nil {
				t.Errorf("completed: %d and %d, %v, %v", lately, after, err1, err2)
			}
			page, err := h.s.PageAcross(tx, "", record.Completed, api.PageIn{Limit: 10})
			if err != nil || page.Total != 1 || page.Data[0].Org != h.Org || page.Data[0].Record.ID != id {
				t.Errorf("across organizations: %+v, %v", page, err)
			}
			ownerOrgID, err := record.Find(tx, id)
			if err != nil || ownerOrgID != h.Org {
				t.Errorf("whose it is: %s, %v", ownerOrgID, err)
			}
			return nil
		})
		if n := h.Do("GET /campaigns?status=COMPLETED&q=spr", nil).Want(200).Int("total"); n != 1 {
			t.Errorf("%d are found by status and name", n)
		}
		if n := h.Do("GET /campaigns?status=DRAFT", nil).Want(200).Int("total"); n != 0 {
			t.Errorf("%d drafts are found", n)
		}
		if rows := h.Do("GET /campaigns/"+id+"/recipients?status=SKIPPED", nil).Want(200); rows.Int("total") != 3 {
			t.Errorf("skipped %s", rows.Body)
		}
	})
}
