package recipient_test

import (
	"strings"
	"testing"

	"svc/app/recipient/recipienttest"
	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// TestJourneysOfCreate: what POST /recipients asks a store for that is on another machine,
// one question after the other, and how often at most.
func TestJourneysOfCreate(t *testing.T) {
	const most = 10
	j := &kvtest.Journeys{Engine: kv.NewMemory()}
	h := recipienttest.In(t, storetest.OpenWith(t, "", store.Options{Tables: recipienttest.Tables(), Engine: j}), nil)
	list := h.Do("POST /lists", `{"name":"L"}`).Want(201).String("id")
	h.Do("POST /recipients", `{"username":"first"}`).Want(201)
	for name, body := range map[string]string{
		"username": `{"username":"olga"}`,
		"both":     `{"username":"ivan","messenger_id":5,"consent_status":"OPTED_IN"}`,
		"all": `{"username":"anna","messenger_id":6,"first_name":"Anna","last_name":"K","language":"uz","consent_status":"OPTED_IN","tags":["vip","new"],
			"attributes":{"city":"Tashkent","age":30},"list_ids":["` + list + `"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			j.Take()
			h.Do("POST /recipients", body).Want(201)
			if asked := j.Take(); len(asked) > most {
				t.Errorf("%d journeys, want %d at most:\n%s", len(asked), most, strings.Join(asked, "\n"))
			} else {
				t.Log(len(asked), "journeys")
			}
		})
	}
}
