package optout_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/event"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/optout"
	"svc/app/recipient/recipienttest"
	"svc/store"
)

// TestEveryWayOut: whoever asks, it is the same operation.
func TestEveryWayOut(t *testing.T) {
	h := recipienttest.New(t).Work()
	person := map[string]any{"messenger_id": 1, "username": "olga", "consent_status": "OPTED_IN"}
	bulk := func(action, id string) map[string]any {
		return map[string]any{"action": action, "recipient_ids": []string{id}}
	}
	for _, tt := range []struct {
		name   string
		source field.OptOutSource
		out    func(id string)
	}{
		{"operation", field.ByPerson, func(id string) { h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200) }},
		{"operation of a key", field.ByKey, func(id string) {
			h.As = recipienttest.AsKey
			h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200)
			h.As = nil
		}},
		{"patch", field.ByPerson, func(id string) {
			h.Do("PATCH /recipients/"+id, `{"consent_status":"OPTED_OUT","first_name":"O"}`).Want(200)
		}},
		{"bulk", field.ByPerson, func(id string) { h.Do("POST /recipients/bulk", bulk("opt_out", id)).Want(200) }},
		{"import", field.ByImport, func(string) { h.Upload("username,consent\nolga,opted out\n", nil).Want(201) }},
		{"suppression of the username", field.ByPerson, func(string) {
			if n := h.Do("POST /suppressions", `{"username":"OLGA","reason":"phone"}`).Want(201).Int("recipients_opted_out"); n != 1 {
				t.Errorf("%d recipients opted out", n)
			}
		}},
		{"suppression of the id", field.ByPerson, func(string) { h.Do("POST /suppressions", `{"messenger_id":1}`).Want(201) }},
		{"link", field.ByLink, func(id string) { h.Do("POST "+link(h, id), nil).Want(200) }},
		{"another slice", field.ByLink, func(string) {
			h.Update(func(tx *store.Tx) error {
				_, err := recipient.OptOut(tx, h.Call(), h.Bus, field.Who{MessengerID: 1}, field.ByLink)
				return err
			})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h.T, h.Org = t, recipienttest.NewOrg(t, h.DB, org.Pro)
			id := h.Add(person)
			tt.out(id)
			h.Idle()
			h.OptedOut(id, tt.source)
			// Again: it stays, and nobody hears of it twice.
			h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200)
			h.OptedOut(id, tt.source)
			h.Do("PATCH /recipients/"+id, `{"consent_status":"OPTED_IN"}`).Refused(recipient.ErrOptedOut)
			h.Do("PATCH /recipients/"+id, `{"consent_note":"but she said"}`).Refused(recipient.ErrOptedOut)
			a := h.Do("POST /recipients/bulk", map[string]any{"action": "set_consent", "consent_status": "OPTED_IN", "recipient_ids": []string{id}}).Want(200)
			if a.String("skipped.0.reason") != "recipient_opted_out" {
				t.Errorf("bulk consent: %s", a.Body)
			}
			h.Upload("messenger_id,consent\n1,OPTED_IN\n", nil).Want(201)
			h.OptedOut(id, tt.source)
		})
	}
}

// TestSuppressionOutlivesTheRecipient: somebody who was deleted comes back opted
// out, under either name, and removing the entry restores no consent.
func TestSuppressionOutlivesTheRecipient(t *testing.T) {
	h := recipienttest.New(t).Work()
	id := h.Add(map[string]any{"messenger_id": 77, "username": "olga", "consent_status": "OPTED_IN"})
	h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200)
	h.Do("DELETE /recipients/"+id, nil).Want(204)
	h.Idle()
	for _, row := range []string{"messenger_id,consent\n77,OPTED_IN\n", "username,consent\nOLGA,OPTED_IN\n"} {
		a := h.Upload(row, nil).Want(201)
		if a.Int("suppressed") != 1 || a.Int("created") != 1 || a.String("issues.0.kind") != "SUPPRESSED" || a.Int("by_consent.OPTED_OUT") != 1 {
			t.Fatalf("a suppressed person came back: %s", a.Body)
		}
		r := h.Do("GET /recipients?suppressed=true", nil).Want(200)
		h.OptedOut(r.String("data.0.id"), field.ByImport)
		h.Do("DELETE /recipients/"+r.String("data.0.id"), nil).Want(204)
	}
	back := h.Add(map[string]any{"username": "olga", "consent_status": "AUTHORIZED"})
	h.OptedOut(back, field.ByPerson)
	entry := h.Do("GET /suppressions?q=olga", nil).Want(200)
	if entry.Int("total") != 1 || entry.At("data.0.messenger_id") != 77.0 {
		t.Errorf("the entry: %s", entry.Body)
	}
	h.Do("DELETE /suppressions/"+entry.String("data.0.id"), nil).Want(204)
	r := h.Do("GET /recipients/"+back, nil).Want(200)
	if r.At("suppressed") != false || r.String("consent_status") != "OPTED_OUT" {
		t.Errorf("removing the entry: %s", r.Body)
	}
	if h.Upload("username,consent\nolga,OPTED_IN\n", nil).Want(201).String("issues.0.kind") != "OPTED_OUT" {
		t.Error("consent came back")
	}
	h.Do("DELETE /suppressions/"+entry.String("data.0.id"), nil).Refused(api.ErrNotFound)
	// Whoever deletes the recipient, too, finds the entry again, and cannot remove it.
	h.Do("DELETE /recipients/"+back, nil).Want(204)
	entry = h.Do("GET /suppressions?q=olga", nil).Want(200)
	if entry.Int("total") != 1 || entry.String("data.0.recipient_id") != back {
		t.Fatalf("the entry of a deleted recipient: %s", entry.Body)
	}
	h.Do("DELETE /suppressions/"+entry.String("data.0.id"), nil).Refused(optout.ErrLastOfOptOut)
	h.OptedOut(h.Add(map[string]any{"username": "olga", "consent_status": "OPTED_IN"}), field.ByPerson)
}

// TestSuppressedBeforeTheyOptedOut: an entry that nobody answered to stands for the
// opt-out of whoever did later.
func TestSuppressedBeforeTheyOptedOut(t *testing.T) {
	h := recipienttest.New(t)
	entry := h.Do("POST /suppressions", `{"username":"olga"}`).Want(201).String("id")
	id := h.Add(map[string]any{"username": "olga"})
	h.Do("DELETE /recipients/"+id, nil).Want(204)
	h.Do("DELETE /suppressions/"+entry, nil).Refused(optout.ErrLastOfOptOut)
}

func TestSuppress(t *testing.T) {
	h := recipienttest.New(t)
	for _, body := range []string{`{}`, `{"messenger_id":-5}`, `{"username":"@olga"}`, `{"username":"ab"}`} {
		h.Do("POST /suppressions", body).Refused(api.ErrInvalid)
	}
	a := h.Do("POST /suppressions", `{"username":"olga","reason":"by phone"}`).Want(201)
	if a.Int("recipients_opted_out") != 0 || a.String("reason") != "by phone" || a.String("source") != "MANUAL" || a.At("recipient_id") != nil {
		t.Errorf("a new entry: %s", a.Body)
	}
	h.Do("POST /suppressions", `{"username":"Olga"}`).Refused(optout.ErrAlreadySuppressed)
	if n := len(h.Events(event.RecipientOptedOut)); n != 0 {
		t.Errorf("%d events although nobody opted out", n)
	}
	// One part is known: the other is added.
	if a := h.Do("POST /suppressions", `{"username":"olga","messenger_id":5}`).Want(201); a.At("messenger_id") != 5.0 || a.At("username") != nil {
		t.Errorf("the missing part: %s", a.Body)
	}
	// Two people under the two names: both are opted out.
	h.Add(map[string]any{"messenger_id": 8})
	h.Add(map[string]any{"username": "ivan"})
	if n := h.Do("POST /suppressions", `{"username":"ivan","messenger_id":8}`).Want(201).Int("recipients_opted_out"); n != 2 {
		t.Errorf("%d recipients opted out, want 2", n)
	}
	// A recipient who takes a suppressed name is opted out.
	id := h.Add(map[string]any{"username": "petr", "consent_status": "OPTED_IN"})
	h.Do("PATCH /recipients/"+id, `{"messenger_id":5}`).Want(200)
	h.OptedOut(id, field.ByPerson)
	if n := h.Do("GET /suppressions?source=MANUAL&q=pe", nil).Want(200).Int("total"); n != 1 {
		t.Errorf("the new name of a suppressed person is not on the list")
	}
}

// TestStopWithoutRecipient: somebody who is no recipient opts out, and is heard of.
func TestStopWithoutRecipient(t *testing.T) {
	h := recipienttest.New(t)
	stop := func() (already bool) {
		h.Update(func(tx *store.Tx) (err error) {
			already, err = recipient.OptOut(tx, h.Call(), h.Bus, field.Who{MessengerID: 9, Username: "stranger"}, field.ByLink)
			return err
		})
		return already
	}
	if stop() || !stop() {
		t.Error("already is wrong")
	}
	events := h.Events(event.RecipientOptedOut)
	if len(events) != 1 || !strings.Contains(string(events[0].Data), `"recipient_id":null,"messenger_id":9`) {
		t.Errorf("events: %+v", events)
	}
	if h.Upload("messenger_id\n9\n", map[string]string{"dry_run": "true"}).Want(200).Int("suppressed") != 1 {
		t.Error("the stranger is not suppressed")
	}
}
