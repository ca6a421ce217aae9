package recipient_test

import (
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/recipienttest"
	"svc/store"
)

func TestCreateAnswersEveryField(t *testing.T) {
	h := recipienttest.New(t)
	list := h.Do("POST /lists", map[string]any{"name": "Buyers"}).Want(201).String("id")
	a := h.Do("POST /recipients", map[string]any{
		"messenger_id": 123456789, "username": "Olga_K", "first_name": "Olga", "language": "UZ_Latn", "consent_status": "OPTED_IN",
		"consent_note": "paper form", "attributes": map[string]any{"city": "Tashkent", "age": 30, "vip": true, "none": nil},
		"tags": []string{" vip ", "vip", "new"}, "list_ids": []string{list},
	}).Want(201)
	for path, want := range map[string]any{
		"messenger_id": 123456789.0, "username": "Olga_K", "first_name": "Olga", "last_name": "", "language": "uz-latn",
		"consent_status": "OPTED_IN", "consent_note": "paper form", "attributes.city": "Tashkent", "attributes.age": 30.0,
		"attributes.vip": true, "attributes.none": nil, "tags.0": "vip", "tags.1": "new", "tags.2": nil, "source": "MANUAL",
		"opted_out_at": nil, "opt_out_source": nil, "lists.0.name": "Buyers", "suppressed": false, "known_to_accounts.0": nil,
		"last_messaged_at": nil, "conversation_id": nil,
	} {
		if got := a.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	var fields map[string]any
	a.Into(&fields)
	for _, name := range strings.Fields(`id messenger_id username first_name last_name language consent_status consent_timestamp consent_note
		attributes tags source opted_out_at opt_out_source lists suppressed known_to_accounts last_messaged_at last_replied_at conversation_id
		created_at updated_at`) {
		if _, ok := fields[name]; !ok {
			t.Errorf("the answer lacks %s", name)
		}
	}
	if a.String("consent_timestamp") == "" {
		t.Error("a basis without a time was not recorded now")
	}
	got := h.Do("GET /recipients/"+a.String("id"), nil).Want(200)
	if made := strings.Replace(a.Body, `,"warnings":[]`, "", 1); got.Body != made {
		t.Errorf("read back\n%s\nmade\n%s", got.Body, a.Body)
	}
	h.Do("POST /recipients", `{"username":"nulls","messenger_id":null,"first_name":null,"tags":null,"attributes":null,"language":null,"list_ids":null,"consent_timestamp":null}`).Want(201)
	h.As = recipienttest.AsKey
	if got := h.Do("POST /recipients", map[string]any{"username": "program"}).Want(201).String("source"); got != "API" {
		t.Errorf("a key's recipient is of %s", got)
	}
}

func TestCreateRefuses(t *testing.T) {
	h := recipienttest.New(t)
	h.Add(map[string]any{"messenger_id": 5, "username": "Taken_Name"})
	many := make([]string, 51)
	for i := range many {
		many[i] = strings.Repeat("t", i+1)
	}
	tests := []struct {
		name  string
		body  string
		err   *api.Error
		field string
	}{
		{"nobody", `{"first_name":"Olga"}`, api.ErrInvalid, "messenger_id"},
		{"negative id", `{"messenger_id":-1}`, api.ErrInvalid, "messenger_id"},
		{"id beyond exact numbers", `{"messenger_id":9007199254740993}`, api.ErrInvalid, "messenger_id"},
		{"id as text", `{"messenger_id":"5"}`, api.ErrInvalid, "messenger_id"},
		{"username with @", `{"username":"@olga"}`, api.ErrInvalid, "username"},
		{"short username", `{"username":"abc"}`, api.ErrInvalid, "username"},
		{"long username", `{"username":"a` + strings.Repeat("b", 32) + `"}`, api.ErrInvalid, "username"},
		{"username begins with digit", `{"username":"1abcd"}`, api.ErrInvalid, "username"},
		{"username with dash", `{"username":"abc-d"}`, api.ErrInvalid, "username"},
		{"language", `{"username":"olga","language":"Uzbek language"}`, api.ErrInvalid, "language"},
		{"consent", `{"username":"olga","consent_status":"MAYBE"}`, api.ErrInvalid, "consent_status"},
		{"future consent", `{"username":"olga","consent_timestamp":"2999-01-01T00:00:00Z"}`, api.ErrInvalid, "consent_timestamp"},
		{"nested attribute", `{"username":"olga","attributes":{"a":{"b":1}}}`, api.ErrInvalid, "attributes"},
		{"attribute key", `{"username":"olga","attributes":{"Big Key":"x"}}`, api.ErrInvalid, "attributes"},
		{"long tag", `{"username":"olga","tags":["` + strings.Repeat("t", 65) + `"]}`, api.ErrInvalid, "tags"},
		{"51 tags", `{"username":"olga","tags":["` + strings.Join(many, `","`) + `"]}`, api.ErrInvalid, "tags"},
		{"taken id", `{"messenger_id":5}`, recipient.ErrExists, ""},
		{"taken username in another case", `{"username":"taken_NAME"}`, recipient.ErrExists, ""},
		{"list of nobody", `{"username":"olga","list_ids":["lst_01jyd1zq6x4t9v2n8m5c7b3k1h"]}`, api.ErrNotFound, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := h.Do("POST /recipients", tt.body).Refused(tt.err)
			if tt.field != "" && a.String("error.details."+tt.field) == "" {
				t.Errorf("nothing is said of %s: %s", tt.field, a.Body)
			}
		})
	}
	if n := h.Do("GET /recipients", nil).Want(200).Int("total"); n != 1 {
		t.Errorf("%d recipients after refusals, want 1", n)
	}
}

func TestPlanLimit(t *testing.T) {
	h := recipienttest.New(t)
	h.Org = recipienttest.NewOrg(t, h.DB, org.Free)
	h.Work()
	var rows strings.Builder
	rows.WriteString("username\n")
	for i := range 499 {
		rows.WriteString("user_" + strings.Repeat("x", 3) + letters(i) + "\n")
	}
	if got := h.Upload(rows.String(), nil).Want(201).Int("created"); got != 499 {
		t.Fatalf("%d created", got)
	}
	h.Add(map[string]any{"username": "the_last"})
	a := h.Do("POST /recipients", map[string]any{"username": "one_more"}).Refused(api.ErrPlanLimit)
	for _, word := range []string{"recipients", "500"} {
		if !strings.Contains(a.String("error.message"), word) {
			t.Errorf("the refusal does not name %s: %s", word, a.Body)
		}
	}
	h.Upload("username,first_name\nthe_last,Olga\none_more,Ivan\n", nil).Refused(api.ErrPlanLimit)
	if got := h.Find("the_last")["first_name"]; got != "" {
		t.Errorf("something of a refused import was saved: %v", got)
	}
	if n := h.Do("GET /recipient-imports", nil).Want(200).Int("total"); n != 1 {
		t.Errorf("%d imports, want 1", n)
	}
	if got := h.Upload("username,first_name\nthe_last,Olga\n", nil).Want(201).Int("updated"); got != 1 {
		t.Errorf("an update was refused at the limit")
	}
}

// letters is a number in letters.
func letters(n int) string {
	s := ""
	for range 4 {
		s, n = s+string(rune('a'+n%26)), n/26
	}
	return s
}

func TestPatch(t *testing.T) {
	h := recipienttest.New(t)
	id := h.Add(map[string]any{"messenger_id": 5, "username": "olga", "language": "uz", "tags": []string{"a"}, "attributes": map[string]any{"x": "1"}})
	h.Add(map[string]any{"username": "ivan"})
	patch := func(body string) map[string]any {
		t.Helper()
		var out map[string]any
		h.Do("PATCH /recipients/"+id, body).Want(200).Into(&out)
		return out
	}
	if got := patch(`{"first_name":"Olga"}`); got["first_name"] != "Olga" || got["language"] != "uz" || got["username"] != "olga" {
		t.Errorf("an absent field changed: %v", got)
	}
	if got := patch(`{"language":null,"messenger_id":null,"first_name":null}`); got["language"] != nil || got["messenger_id"] != nil || got["first_name"] != "" {
		t.Errorf("null does not clear: %v", got)
	}
	if got := patch(`{"tags":["b"],"attributes":{"y":2}}`); len(got["tags"].([]any)) != 1 || len(got["attributes"].(map[string]any)) != 2 {
		t.Errorf("tags were not replaced, or attributes not merged: %v", got)
	}
	if got := patch(`{"attributes":{"x":null}}`); got["attributes"].(map[string]any)["x"] != nil || got["attributes"].(map[string]any)["y"] != 2.0 {
		t.Errorf("null does not remove an attribute: %v", got)
	}
	if got := patch(`{"consent_status":"AUTHORIZED","consent_note":"box"}`); got["consent_status"] != "AUTHORIZED" || got["consent_timestamp"] == nil {
		t.Errorf("consent: %v", got)
	}
	h.View(func(tx *store.Tx) error {
		r, err := recipient.Get(tx, h.Org, id)
		if r.ConsentAt == nil || h.DB.Now().Sub(*r.ConsentAt) > time.Minute {
			t.Errorf("a new basis is of %v", r.ConsentAt)
		}
		return err
	})
	patch(`{"consent_timestamp":"2020-01-01T00:00:00Z"}`)
	if got := patch(`{"consent_status":"OPTED_IN"}`); got["consent_timestamp"] == "2020-01-01T00:00:00Z" || got["consent_note"] != "box" {
		t.Errorf("a new basis keeps the old time: %v", got)
	}
	before := patch(`{}`)
	if got := patch(`{"first_name":"` + before["first_name"].(string) + `","tags":["b"]}`); got["updated_at"] != before["updated_at"] {
		t.Error("a PATCH that changes nothing changed updated_at")
	}
	log, err := audit.New(h.DB).Page(h.Call(), h.Org, audit.Filter{Action: "recipient.updated", ResourceID: id}, api.PageIn{Limit: 20}, true)
	if err != nil || log.Total != 7 || log.Data[0].Changes["consent_status"].To == nil || log.Data[0].Changes["tags"].To != nil {
		t.Errorf("%d changes in the audit log, the last %+v, %v", log.Total, log.Data[0].Changes, err)
	}
	for name, tt := range map[string]struct {
		body string
		err  *api.Error
	}{
		"nobody is left":  {`{"username":null}`, api.ErrInvalid},
		"taken username":  {`{"username":"IVAN"}`, recipient.ErrExists},
		"null consent":    {`{"consent_status":null}`, api.ErrInvalid},
		"no such consent": {`{"consent_status":"YES"}`, api.ErrInvalid},
		"no attribute":    {`{"attributes":{"a":["b"]}}`, api.ErrInvalid},
		"future":          {`{"consent_timestamp":"2999-01-01T00:00:00Z"}`, api.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) { h.Do("PATCH /recipients/"+id, tt.body).Refused(tt.err) })
	}
	h.Do("PATCH /recipients/rcp_01jyd1zq6x4t9v2n8m5c7b3k1h", `{}`).Refused(api.ErrNotFound)
}

func TestBusy(t *testing.T) {
	h := recipienttest.New(t)
	id := h.Add(map[string]any{"username": "olga"})
	set := func(until time.Time) {
		h.Update(func(tx *store.Tx) error { return recipient.MarkSending(tx, h.Org, id, until) })
	}
	set(h.DB.Now().Add(time.Minute))
	h.Do("DELETE /recipients/"+id, nil).Refused(recipient.ErrBusy)
	h.Do("PATCH /recipients/"+id, `{"username":"ivan"}`).Refused(recipient.ErrBusy)
	h.Do("PATCH /recipients/"+id, `{"first_name":"Olga"}`).Want(200)
	h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200)
	set(h.DB.Now().Add(-time.Second)) // who sent it died
	h.Do("PATCH /recipients/"+id, `{"username":"ivan"}`).Want(200)
	set(time.Time{})
	h.Do("DELETE /recipients/"+id, nil).Want(204)
	h.Do("GET /recipients/"+id, nil).Refused(api.ErrNotFound)
	set(time.Time{}) // gone: no error
}

// TestForeign: what belongs to another organization is not found, in a path, in a
// body and in a query.
func TestForeign(t *testing.T) {
	h := recipienttest.New(t)
	id := h.Add(map[string]any{"username": "olga"})
	list := h.Do("POST /lists", `{"name":"Ours"}`).Want(201).String("id")
	sup := h.Do("POST /suppressions", `{"username":"ivan"}`).Want(201).String("id")
	h.Org = recipienttest.NewOrg(t, h.DB, org.Pro)
	mine := h.Add(map[string]any{"username": "olga"})
	for _, route := range []string{
		"GET /recipients/" + id, "DELETE /recipients/" + id, "POST /recipients/" + id + "/opt-out", "GET /recipients/" + id + "/history",
		"GET /recipients/" + id + "/reachability", "GET /lists/" + list, "DELETE /lists/" + list, "DELETE /suppressions/" + sup,
		"GET /recipients?list_id=" + list,
	} {
		h.Do(route, nil).Refused(api.ErrNotFound)
	}
	h.Do("PATCH /recipients/"+id, `{}`).Refused(api.ErrNotFound)
	h.Do("PATCH /lists/"+list, `{}`).Refused(api.ErrNotFound)
	h.Do("POST /lists/"+list+"/members", map[string]any{"recipient_ids": []string{mine}}).Refused(api.ErrNotFound)
	h.Do("POST /recipients/bulk", map[string]any{"action": "add_to_list", "list_id": list, "recipient_ids": []string{mine}}).Refused(api.ErrNotFound)
	h.Upload("username\nivan\n", map[string]string{"list_id": list}).Refused(api.ErrNotFound)
	a := h.Do("POST /recipients/bulk", map[string]any{"action": "tag", "tags": []string{"x"}, "recipient_ids": []string{id}}).Want(200)
	if a.Int("changed") != 0 || a.String("skipped.0.reason") != "not_found" {
		t.Errorf("a foreign recipient: %s", a.Body)
	}
}
