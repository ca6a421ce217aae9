package recipient_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/recipienttest"
	"svc/store"
)

func TestBulk(t *testing.T) {
	h := recipienttest.New(t).Work()
	list := h.Do("POST /lists", `{"name":"L"}`).Want(201).String("id")
	full := make([]string, 50)
	for i := range full {
		full[i] = fmt.Sprint("t", i)
	}
	ids := map[string]string{
		"olga": h.Add(map[string]any{"username": "olga"}),
		"ivan": h.Add(map[string]any{"username": "ivan", "tags": []string{"x"}, "list_ids": []string{list}}),
		"gone": h.Add(map[string]any{"username": "gone", "consent_status": "OPTED_OUT"}),
		"full": h.Add(map[string]any{"username": "full", "tags": full}),
	}
	busy := h.Add(map[string]any{"username": "busy"})
	h.Update(func(tx *store.Tx) error { return recipient.MarkSending(tx, h.Org, busy, h.DB.Now().Add(1e12)) })
	all := []string{ids["olga"], ids["ivan"], ids["gone"], ids["full"], ids["olga"], "rcp_01jyd1zq6x4t9v2n8m5c7b3k1h", "nonsense"}
	for _, tt := range []struct {
		body               map[string]any
		changed, unchanged int
		skipped            string
	}{
		{map[string]any{"action": "tag", "tags": []string{"x", " y "}}, 3, 0, "too_many_tags"},
		{map[string]any{"action": "tag", "tags": []string{"x", "y"}}, 0, 3, "too_many_tags"},
		{map[string]any{"action": "untag", "tags": []string{"y", "t1"}}, 4, 0, ""},
		{map[string]any{"action": "untag", "tags": []string{"y"}}, 0, 4, ""},
		{map[string]any{"action": "add_to_list", "list_id": list}, 3, 1, ""},
		{map[string]any{"action": "remove_from_list", "list_id": list}, 4, 0, ""},
		{map[string]any{"action": "set_consent", "consent_status": "AUTHORIZED", "consent_note": "form"}, 3, 0, "recipient_opted_out"},
		{map[string]any{"action": "set_consent", "consent_status": "AUTHORIZED"}, 0, 3, ""},
		{map[string]any{"action": "opt_out"}, 3, 1, ""},
		{map[string]any{"action": "delete"}, 4, 0, ""},
	} {
		tt.body["recipient_ids"] = all
		a := h.Do("POST /recipients/bulk", tt.body).Want(200)
		reasons := map[string]int{}
		for i := range 10 {
			if r := a.String(fmt.Sprintf("skipped.%d.reason", i)); r != "" {
				reasons[r]++
			}
		}
		want := map[string]int{"not_found": 2}
		for _, r := range strings.Fields(tt.skipped) {
			want[r]++
		}
		if tt.body["action"] == "set_consent" && tt.unchanged == 3 {
			want["recipient_opted_out"] = 1
		}
		if a.String("action") != tt.body["action"] || a.Int("requested") != 6 || a.Int("changed") != tt.changed || a.Int("unchanged") != tt.unchanged || fmt.Sprint(reasons) != fmt.Sprint(want) {
			t.Errorf("%v: %s", tt.body["action"], a.Body)
		}
	}
	if a := h.Do("POST /recipients/bulk", map[string]any{"action": "delete", "recipient_ids": []string{busy}}).Want(200); a.String("skipped.0.reason") != "recipient_busy" {
		t.Errorf("busy: %s", a.Body)
	}
	h.Idle()
	if n := h.Do("GET /recipients", nil).Int("total"); n != 1 {
		t.Errorf("%d recipients are left, want the busy one", n)
	}
}

func TestBulkByFilter(t *testing.T) {
	h := recipienttest.New(t).Work()
	var b strings.Builder
	b.WriteString("messenger_id,lang,tags\n")
	for i := range 5100 {
		fmt.Fprintf(&b, "%d,%s,%s\n", i+1, []string{"uz", "ru", "en"}[i%3], []string{"a", "b"}[i%2])
	}
	h.Upload(b.String(), nil).Want(201)
	a := h.Do("POST /recipients/bulk", `{"action":"tag","tags":["new"],"filter":{"language":"uz","tag":["a"]}}`).Want(200)
	if a.Int("requested") != 850 || a.Int("changed") != 850 {
		t.Errorf("by filter: %s", a.Body)
	}
	if n := h.Do("GET /recipients?tag=new", nil).Int("total"); n != 850 {
		t.Errorf("%d carry the tag", n)
	}
	for _, filter := range []string{`{}`, `{"all":true}`, `{"q":"@ "}`, `{"created_from":"2001-01-01T00:00:00Z"}`, `{"language":"uz","taggg":"a"}`} {
		h.Do("POST /recipients/bulk", `{"action":"tag","tags":["new"],"filter":`+filter+`}`).Refused(api.ErrInvalid)
	}
	if a := h.Do("POST /recipients/bulk", `{"action":"delete","filter":{"tags":"new"},"dry_run":true}`).Want(200); a.Int("requested") != 850 || a.Int("changed") != 0 {
		t.Errorf("a dry run: %s", a.Body)
	}
	if a := h.Do("POST /recipients/bulk", `{"action":"opt_out","filter":{"tag":["new"]}}`).Want(200); a.Int("changed") != 850 {
		t.Errorf("opted out: %s", a.Body)
	}
	if n := h.Do("GET /suppressions", nil).Int("total"); n != 850 {
		t.Errorf("%d are suppressed", n)
	}
}

func TestBulkRefuses(t *testing.T) {
	h := recipienttest.New(t)
	id := h.Add(map[string]any{"username": "olga"})
	for name, body := range map[string]map[string]any{
		"no action":      {"recipient_ids": []string{id}},
		"unknown action": {"action": "explode", "recipient_ids": []string{id}},
		"nobody":         {"action": "opt_out"},
		"both":           {"action": "opt_out", "recipient_ids": []string{id}, "filter": map[string]any{}},
		"no tags":        {"action": "tag", "recipient_ids": []string{id}},
		"blank tags":     {"action": "tag", "tags": []string{" "}, "recipient_ids": []string{id}},
		"no list":        {"action": "add_to_list", "recipient_ids": []string{id}},
		"no consent":     {"action": "set_consent", "recipient_ids": []string{id}},
		"opts out":       {"action": "set_consent", "consent_status": "OPTED_OUT", "recipient_ids": []string{id}},
		"too many":       {"action": "opt_out", "recipient_ids": make([]string, 5001)},
	} {
		t.Run(name, func(t *testing.T) { h.Do("POST /recipients/bulk", body).Refused(api.ErrInvalid) })
	}
	if got := h.Find("olga")["consent_status"]; got != "UNKNOWN" {
		t.Errorf("consent is %v", got)
	}
}

func TestHistory(t *testing.T) {
	h := recipienttest.New(t).Work()
	id := h.Add(map[string]any{"username": "olga"})
	h.Do("PATCH /recipients/"+id, `{"consent_status":"OPTED_IN","consent_note":"form"}`).Want(200)
	imp := h.Upload("username,name\nolga,Olga\n", nil).Want(201).String("import_id")
	h.Update(func(tx *store.Tx) error {
		return errors.Join(
			recipient.RecordContact(tx, h.Org, id, recipient.Contact{At: h.DB.Now(), Sent: true, Account: "acc_1", CampaignID: "cmp_1", MessageID: "msg_1", Status: "DELIVERED"}),
			recipient.RecordContact(tx, h.Org, id, recipient.Contact{At: h.DB.Now(), Received: true, ConversationID: "cnv_1"}),
			recipient.RecordContact(tx, h.Org, id, recipient.Contact{Account: "acc_2"}),
			recipient.RecordContact(tx, h.Org, "rcp_01jyd1zq6x4t9v2n8m5c7b3k1h", recipient.Contact{Sent: true}))
	})
	h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200)
	a := h.Do("GET /recipients/"+id+"/history", nil).Want(200)
	for path, want := range map[string]any{
		"total": 6.0, "data.0.kind": "OPTED_OUT", "data.0.previous_consent_status": "OPTED_IN", "data.0.source": "MANUAL", "data.0.actor": "Olga",
		"data.1.kind": "REPLY", "data.1.conversation_id": "cnv_1", "data.2.kind": "MESSAGE", "data.2.campaign_id": "cmp_1", "data.2.status": "DELIVERED",
		"data.3.kind": "IMPORTED", "data.3.import_id": imp, "data.4.kind": "CONSENT", "data.4.consent_status": "OPTED_IN", "data.4.note": "form",
		"data.5.kind": "CREATED", "data.5.campaign_id": nil,
	} {
		if got := a.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if a := h.Do("GET /recipients/"+id+"/history?limit=2&offset=4", nil).Want(200); a.String("data.0.kind") != "CONSENT" || a.String("data.1.kind") != "CREATED" || a.At("data.2") != nil {
		t.Errorf("a page: %s", a.Body)
	}
	r := h.Find("olga")
	if r["last_messaged_at"] == nil || r["last_replied_at"] == nil || r["conversation_id"] != "cnv_1" || len(r["known_to_accounts"].([]any)) != 2 {
		t.Errorf("what the recipient shows: %v", r)
	}
	h.Do("DELETE /recipients/"+id, nil).Want(204)
	h.Idle()
	h.Do("GET /recipients/"+id+"/history", nil).Refused(api.ErrNotFound)
}
