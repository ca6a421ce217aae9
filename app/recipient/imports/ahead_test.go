package imports_test

import (
	"context"
	"slices"
	"testing"

	"svc/app/recipient/recipienttest"
)

// TestChangedMeanwhile: an import is looked through, and people are added, suppressed
// and opted out and its list is deleted before it is saved. What counts is how things
// are when a row is saved, not how they were when it was made ready.
func TestChangedMeanwhile(t *testing.T) {
	for _, listGone := range []bool{false, true} {
		h := recipienttest.New(t) // nobody works yet
		list := h.Do("POST /lists", map[string]any{"name": "Friends"}).Want(201).String("id")
		ctx, leave := context.WithCancel(t.Context())
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			h.DoContext(ctx, "POST /recipients/import", `{"default_consent":"AUTHORIZED","list_id":"`+list+`","records":[
				{"username":"newcomer","first_name":"New"},{"username":"known","first_name":"Known"},{"messenger_id":77,"username":"taken"},
				{"username":"banned"},{"username":"gone_before"}]}`)
		}()
		wake, stop := h.DB.Listen("queue")
		<-wake
		stop()
		leave()
		<-gone
		known := h.Add(map[string]any{"username": "Known", "first_name": "Old", "last_name": "Name"})
		taken := h.Add(map[string]any{"messenger_id": 77})
		h.Add(map[string]any{"username": "taken"})
		h.Do("POST /suppressions", map[string]any{"username": "banned"}).Want(201)
		h.Do("POST /recipients/"+h.Add(map[string]any{"username": "gone_before"})+"/opt-out", nil).Want(200)
		if listGone {
			h.Do("DELETE /lists/"+list, nil).Want(204)
		}
		h.Work().Idle()

		a := h.Do("GET /recipient-imports", nil).Want(200)
		for at, want := range map[string]int{"created": 2, "updated": 3, "suppressed": 1, "opted_out": 1, "valid": 5, "invalid": 0, "duplicates": 0} {
			if n := a.Int("data.0.report." + at); n != want {
				t.Errorf("%s: %d, want %d: %s", at, n, want, a.Body)
			}
		}
		if r := h.Find("known"); r["id"] != known || r["first_name"] != "Known" || r["last_name"] != "Name" {
			t.Errorf("somebody who was added meanwhile: %v", r)
		}
		if r := h.Do("GET /recipients/"+taken, nil).Want(200); r.At("username") != nil {
			t.Errorf("the username of somebody else was given away: %s", r.Body)
		}
		for _, name := range []string{"banned", "gone_before"} {
			if r := h.Find(name); r["consent_status"] != "OPTED_OUT" {
				t.Errorf("%s: %v", name, r)
			}
		}
		newcomer := h.Do("GET /recipients/"+h.Find("newcomer")["id"].(string), nil).Want(200)
		if newcomer.String("consent_status") != "AUTHORIZED" || slices.Contains([]string{newcomer.String("created_at"), newcomer.String("updated_at")}, "") {
			t.Errorf("somebody who is new: %s", newcomer.Body)
		}
		history := h.Do("GET /recipients/"+newcomer.String("id")+"/history", nil).Want(200)
		if history.Int("total") != 1 || history.String("data.0.kind") != "IMPORTED" || history.String("data.0.consent_status") != "AUTHORIZED" {
			t.Errorf("the history of somebody who is new: %s", history.Body)
		}
		if lists := len(newcomer.At("lists").([]any)); lists != 1 && !listGone || lists != 0 && listGone {
			t.Errorf("in %d lists, deleted: %v", lists, listGone)
		}
	}
}
