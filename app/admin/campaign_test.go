package admin_test

import (
	"testing"
	"time"

	"svc/app/api"
	"svc/app/campaign"
)

// campaign writes a draft for one person, who agreed.
func (b *browser) campaign(name, account string) (id string) {
	b.h.t.Helper()
	person := b.do("POST /recipients", map[string]any{"username": "gulnora_" + name, "consent_status": "OPTED_IN", "first_name": "Gulnora"}).Want(201).String("id")
	return b.do("POST /campaigns", map[string]any{
		"name": name, "message": map[string]any{"text": "Hello, {{first_name}}. {{opt_out_url}}", "format": "PLAIN"},
		"account_ids": []string{account}, "audience": map[string]any{"recipient_ids": []string{person}},
	}).Want(201).String("id")
}

func TestCampaigns(t *testing.T) {
	h := newHarness(t)
	acc := h.olga.account("+998901234567", "")
	draft, id := h.olga.campaign("draft", acc), h.olga.campaign("spring", acc)
	later := h.clock.Now().Add(24 * time.Hour)
	h.olga.do("POST /campaigns/"+id+"/start", map[string]any{"scheduled_at": later}).Want(200)

	list := h.boss.do("GET /admin/campaigns", nil).Want(200)
	if list.Int("total") != 2 || list.String("data.0.id") != id || list.String("data.0.organization.name") != "Acme" || list.String("data.0.status") != "SCHEDULED" {
		t.Error(list.Body)
	}
	for query, want := range map[string]string{"?status=DRAFT": draft, "?limit=1&offset=1": draft, "?status=SCHEDULED": id} {
		if a := h.boss.do("GET /admin/campaigns"+query, nil).Want(200); a.String("data.0.id") != want || a.At("data.1") != nil {
			t.Errorf("%q: %s", query, a.Body)
		}
	}
	h.boss.do("GET /admin/campaigns?status=HAPPY", nil).Refused(api.ErrInvalid)
	if a := h.boss.do("GET /admin/campaigns/"+id, nil).Want(200); a.String("name") != "spring" || a.String("organization.id") != h.acme {
		t.Error(a.Body)
	}

	path, reason := "POST /admin/campaigns/"+id, map[string]any{"reason": "Complaints"}
	h.boss.do(path+"/resume", nil).Refused(campaign.ErrNotByAdmin)
	h.boss.do(path+"/pause", map[string]any{"reason": " "}).Refused(api.ErrInvalid)
	a := h.boss.do(path+"/pause", reason).Want(200)
	if a.String("status") != "PAUSED" || a.String("pause_reason") != "ADMIN" || a.String("organization.name") != "Acme" {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN campaign.paused: Complaints")
	h.olga.do("POST /campaigns/"+id+"/resume", nil).Refused(campaign.ErrPausedByAdmin)
	h.boss.do(path+"/pause", reason).Refused(api.ErrState)
	a = h.boss.do(path+"/resume", map[string]any{"reason": "Settled"}).Want(200)
	if a.String("status") != "SCHEDULED" || a.At("pause_reason") != nil || a.String("organization.id") != h.acme {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN campaign.resumed: Settled")
	h.boss.do(path+"/cancel", map[string]any{}).Refused(api.ErrInvalid)
	if a := h.boss.do(path+"/cancel", reason).Want(200); a.String("status") != "CANCELLED" {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN campaign.cancelled: Complaints")
	for _, do := range []string{"pause", "cancel"} {
		h.boss.do(path+"/"+do, reason).Refused(api.ErrState)
		h.boss.do("POST /admin/campaigns/"+draft+"/"+do, reason).Refused(api.ErrState)
		for _, missing := range []string{"cmp_01arz3ndektsv4rrffq69g5fav", "nonsense"} {
			h.boss.do("POST /admin/campaigns/"+missing+"/"+do, reason).Refused(api.ErrNotFound)
		}
	}
	h.boss.do("POST /admin/campaigns/nonsense/resume", nil).Refused(api.ErrNotFound)
	h.boss.do("GET /admin/campaigns/cmp_01arz3ndektsv4rrffq69g5fav", nil).Refused(api.ErrNotFound)
	if a := h.boss.do("GET /admin/overview", nil); a.Int("campaigns.by_status.CANCELLED") != 1 || a.Int("campaigns.by_status.DRAFT") != 1 {
		t.Error(a.Body)
	}
}

// TestResumeRefused: an administrator's pause holds against the organization, and his
// resuming is refused for what would refuse theirs.
func TestResumeRefused(t *testing.T) {
	h := newHarness(t)
	acc := h.olga.account("+998901234567", "")
	id := h.olga.campaign("spring", acc)
	h.olga.do("POST /campaigns/"+id+"/start", map[string]any{"scheduled_at": h.clock.Now().Add(24 * time.Hour)}).Want(200)
	h.olga.do("POST /campaigns/"+id+"/pause", nil).Want(200)
	reason := map[string]any{"reason": "Complaints"}
	if a := h.boss.do("POST /admin/campaigns/"+id+"/pause", reason).Want(200); a.String("pause_reason") != "ADMIN" {
		t.Error(a.Body)
	}
	h.olga.do("POST /accounts/"+acc+"/pause", nil).Want(200)
	h.boss.do("POST /admin/campaigns/"+id+"/resume", nil).Refused(campaign.ErrNoAccounts)
}
