package hook

import (
	"context"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/org"
	"svc/store"
	"svc/store/recordid"
	"svc/store/storetest"
)

func apiWorld(t *testing.T) *world {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: allTables(), Now: clock.Now})
	w := &world{t: t, db: db, begun: clock.Now()}
	w.s = New(db, Options{Sender: w, Production: true})
	w.srv = apitest.New(t, db, w.s)
	w.srv.Org = w.newOrg(org.Enterprise)
	return w
}

func TestWebhooks(t *testing.T) {
	w := apiWorld(t)
	a := w.srv.Do("POST /webhooks", `{"url":"https://example.com/h?token=abc","events":["campaign.*","message.failed","message.failed"],"description":"Ours"}`).Want(201)
	id, secret := a.String("id"), a.String("signing_secret")
	if !recordid.Valid("whk", id) || !strings.HasPrefix(secret, "whsec_") || a.String("status") != "ACTIVE" || a.Int("failure_streak") != 0 ||
		a.String("events.0") != "campaign.*" || a.At("events.2") != nil || a.String("created_by") != w.srv.Call().Caller.ID || a.String("description") != "Ours" {
		t.Errorf("created %s", a.Body)
	}
	for _, field := range []string{"last_delivery_at", "last_success_at", "disabled_at", "disabled_reason"} {
		if !strings.Contains(a.Body, `"`+field+`":null`) {
			t.Errorf("%s is not null: %s", field, a.Body)
		}
	}
	second := w.hook("https://example.com/2")
	list := w.srv.Do("GET /webhooks", nil).Want(200)
	if list.Int("total") != 2 || list.String("data.0.id") != second || list.String("data.1.id") != id {
		t.Errorf("list %s", list.Body)
	}
	for _, a := range []apitest.Answer{
		list, w.srv.Do("GET /webhooks/"+id, nil).Want(200), w.srv.Do("PATCH /webhooks/"+id, `{}`).Want(200),
	} {
		if strings.Contains(a.Body, "whsec_") || strings.Contains(a.Body, "signing_secret") {
			t.Errorf("a secret is shown again: %s", a.Body)
		}
	}
	a = w.srv.Do("PATCH /webhooks/"+id, `{"url":"https://example.org/new","events":["*"],"description":null}`).Want(200)
	if a.String("url") != "https://example.org/new" || a.String("events.0") != "*" || a.At("description") != nil {
		t.Errorf("changed: %s", a.Body)
	}
	a = w.srv.Do("PATCH /webhooks/"+id, `{"status":"DISABLED"}`).Want(200)
	if a.String("status") != "DISABLED" || a.String("disabled_reason") != "USER" || a.At("disabled_at") == nil {
		t.Errorf("disabled: %s", a.Body)
	}
	w.srv.Do("PATCH /webhooks/"+id, `{"status":"DISABLED"}`).Want(200)
	a = w.srv.Do("PATCH /webhooks/"+id, `{"status":"ACTIVE"}`).Want(200)
	if a.String("status") != "ACTIVE" || a.At("disabled_reason") != nil {
		t.Errorf("enabled: %s", a.Body)
	}
	w.srv.Do("DELETE /webhooks/"+id, nil).Want(204)
	for _, route := range []string{"GET /webhooks/" + id, "DELETE /webhooks/" + id, "GET /webhooks/" + id + "/deliveries"} {
		w.srv.Do(route, nil).Refused(api.ErrNotFound)
	}
	log := apitest.New(t, w.db, audit.New(w.db))
	log.Org = w.srv.Org
	a = log.Do("GET /audit-logs?resource_id="+id, nil).Want(200)
	var actions []string
	for i := a.Int("total") - 1; i >= 0; i-- {
		actions = append(actions, a.String("data."+string(rune('0'+i))+".action"))
	}
	if got := strings.Join(actions, " "); got != "webhook.created webhook.updated webhook.disabled webhook.enabled webhook.deleted" {
		t.Errorf("audit log: %s", got)
	}
	if strings.Contains(a.Body, "token=abc") || strings.Contains(a.Body, "whsec_") || strings.Contains(a.Body, "/new") {
		t.Errorf("the audit log tells secrets: %s", a.Body)
	}
}

func TestWebhookRefusals(t *testing.T) {
	w := apiWorld(t)
	id := w.hook("https://example.com/")
	for _, bad := range []string{
		`{"events":["*"]}`, `{"url":"https://example.com/"}`, `{"url":"https://example.com/","events":[]}`,
		`{"url":"https://example.com/","events":["campaign.exploded"]}`, `{"url":"https://example.com/","events":["exploded.*"]}`,
		`{"url":"http://example.com/","events":["*"]}`, `{"url":"https://localhost/","events":["*"]}`,
		`{"url":"https://u:p@example.com/","events":["*"]}`, `{"url":"","events":["*"]}`,
		`{"url":"https://example.com/","events":["*"],"description":"` + strings.Repeat("x", 501) + `"}`,
	} {
		w.srv.Do("POST /webhooks", bad).Refused(api.ErrInvalid)
	}
	for _, bad := range []string{`{"url":null}`, `{"url":"http://example.com/"}`, `{"events":[]}`, `{"events":["x"]}`, `{"status":"BROKEN"}`, `{"status":null}`} {
		w.srv.Do("PATCH /webhooks/"+id, bad).Refused(api.ErrInvalid)
	}
	for _, hours := range []string{"-1", "73", `"x"`} {
		w.srv.Do("POST /webhooks/"+id+"/rotate-secret", `{"overlap_hours":`+hours+`}`).Refused(api.ErrInvalid)
	}
	for since, want := range map[time.Time]*api.Error{
		w.begun.Add(time.Second): api.ErrInvalid, w.begun.Add(-30*24*time.Hour - time.Second): api.ErrInvalid,
	} {
		w.srv.Do("POST /webhooks/"+id+"/recover", map[string]any{"since": since}).Refused(want)
	}
	w.srv.Do("POST /webhooks/"+id+"/recover", map[string]any{"since": w.begun.Add(-30 * 24 * time.Hour)}).Want(202)
	none := w.db.NewID("whk")
	for _, route := range []string{
		"GET /webhooks/" + none, "PATCH /webhooks/" + none, "DELETE /webhooks/" + none, "POST /webhooks/" + none + "/test",
		"POST /webhooks/" + none + "/rotate-secret", "GET /webhooks/" + none + "/deliveries",
		"POST /webhooks/" + none + "/deliveries/dlv_1/retry", "POST /webhooks/" + id + "/deliveries/dlv_1/retry", "GET /webhooks/nonsense",
	} {
		body := any(nil)
		if strings.HasPrefix(route, "PATCH") {
			body = `{}`
		}
		w.srv.Do(route, body).Refused(api.ErrNotFound)
	}
	// Another organization's is not there.
	mine := w.srv.Org
	w.srv.Org = w.newOrg(org.Pro)
	w.srv.Do("GET /webhooks/"+id, nil).Refused(api.ErrNotFound)
	w.srv.Do("POST /webhooks/"+id+"/test", nil).Refused(api.ErrNotFound)
	w.srv.Org = mine
	// Who may what.
	w.srv.As = func(c *api.Call) { c.Caller.Perms = perm.Manager.Permissions() }
	w.srv.Do("GET /webhooks/"+id, nil).Want(200)
	w.srv.Do("POST /webhooks/"+id+"/test", nil).Refused(api.ErrForbidden)
	w.srv.As = func(c *api.Call) { c.Caller.Perms = perm.Operator.Permissions() }
	w.srv.Do("GET /webhooks", nil).Refused(api.ErrForbidden)
	w.srv.As = func(c *api.Call) { c.Suspended = true }
	w.srv.Do("GET /webhooks", nil).Want(200)
	w.srv.Do("POST /webhooks/"+id+"/test", nil).Refused(api.ErrSuspended)
}

func TestPlanLimit(t *testing.T) {
	w := apiWorld(t)
	w.srv.Org = w.newOrg(org.Starter)
	for range 3 {
		w.hook("https://example.com/")
	}
	a := w.srv.Do("POST /webhooks", `{"url":"https://example.com/","events":["*"]}`).Refused(api.ErrPlanLimit)
	if !strings.Contains(a.Body, "webhooks") || strings.Contains(a.Body, "whsec_") {
		t.Errorf("the refusal: %s", a.Body)
	}
	if n := w.srv.Do("GET /webhooks", nil).Int("total"); n != 3 {
		t.Errorf("%d webhooks, want 3", n)
	}
}

// TestRotation: without an overlap the new secret alone signs; during one both do,
// the old one first.
func TestRotation(t *testing.T) {
	bubble(t, func(w *world) {
		a := w.srv.Do("POST /webhooks", `{"url":"https://example.com/","events":["*"]}`).Want(201)
		id, one := a.String("id"), a.String("signing_secret")
		w.run()
		signs := func(secret string) bool {
			w.emit(event.CampaignPaused, 1)
			r := w.take()[0]
			own := verify(r.header["X-Svc-Signature"], secret, r.Body, time.Now()) == nil
			standard := verifyStandard(r.header["webhook-id"], r.header["webhook-timestamp"], r.header["webhook-signature"], secret, r.Body, time.Now()) == nil
			if own != standard {
				t.Errorf("the two forms disagree: %v and %v", own, standard)
			}
			return own
		}
		rotate := func(body any) string {
			return w.srv.Do("POST /webhooks/"+id+"/rotate-secret", body).Want(200).String("signing_secret")
		}
		two := rotate(nil)
		if signs(one) || !signs(two) || one == two {
			t.Error("rotated without an overlap: the old secret signs, or the new one does not")
		}
		three := rotate(`{"overlap_hours":2}`)
		if !signs(two) || !signs(three) || signs(one) {
			t.Error("in the overlap the two latest do not both sign")
		}
		w.emit(event.CampaignPaused, 1)
		r := w.take()[0]
		parts := strings.Split(r.header["X-Svc-Signature"], ",")
		standard := strings.Fields(r.header["webhook-signature"])
		if len(parts) != 3 || len(standard) != 2 || verify(parts[0]+","+parts[1], two, r.Body, time.Now()) != nil ||
			verifyStandard(r.header["webhook-id"], r.header["webhook-timestamp"], standard[0], two, r.Body, time.Now()) != nil {
			t.Error("the old signature is not first")
		}
		w.after(2 * time.Hour)
		if signs(two) || !signs(three) {
			t.Error("the old secret signs after the overlap")
		}
		four := rotate(`{"overlap_hours":72}`)
		five := rotate(`{}`)
		if signs(four) || signs(three) || !signs(five) {
			t.Error("a rotation without an overlap does not end one")
		}
		raw := ""
		err := w.db.View(context.Background(), func(tx *store.Tx) error {
			rec, err := webhooks.Get(tx, w.srv.Org, id)
			raw = rec.Secret.String()
			return err
		})
		if err != nil || strings.Contains(raw, "whsec_") {
			t.Errorf("the record prints %s (%v)", raw, err)
		}
	})
}

// TestTest: only this endpoint hears of it, whatever it subscribed to.
func TestTest(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://one.example.com/", "campaign.paused")
		w.hook("https://two.example.com/", "*")
		w.run()
		w.settle()
		ev := w.srv.Do("POST /webhooks/"+id+"/test", nil).Want(202).String("event_id")
		got := w.take()
		if len(got) != 1 || !strings.Contains(got[0].URL, "one") || got[0].header["X-Svc-Event"] != "webhook.test" ||
			got[0].header["X-Svc-Event-Id"] != ev || !strings.Contains(string(got[0].Body), `"data":{"webhook_id":"`+id+`"}`) {
			t.Errorf("sent %+v", got)
		}
		if c := w.counts(ev); c != (event.Deliveries{Succeeded: 1}) {
			t.Errorf("counts %+v", c)
		}
	})
}

// TestDeliveriesListed: the latest 100, newest first, in pages.
func TestDeliveriesListed(t *testing.T) {
	bubble(t, func(w *world) {
		id, other := w.hook("https://one.example.com/", "campaign.paused"), w.hook("https://two.example.com/")
		w.run()
		w.settle()
		ids := w.emit(event.CampaignPaused, 103)
		w.take()
		a := w.srv.Do("GET /webhooks/"+id+"/deliveries?limit=3&offset=98", nil).Want(200)
		if a.Int("total") != 100 || a.String("data.1.event_id") != ids[3] || a.At("data.2") != nil {
			t.Errorf("page %s", a.Body)
		}
		if got := w.delivery(id, 0).EventID; got != ids[102] {
			t.Errorf("first %s, want %s", got, ids[102])
		}
		w.srv.Do("POST /webhooks/"+id+"/deliveries/"+w.delivery(other, 0).ID+"/retry", nil).Refused(api.ErrNotFound)
	})
}
