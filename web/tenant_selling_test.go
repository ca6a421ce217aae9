package web_test

import (
	"encoding/json"
	"net/http"
)

// sell makes a business with one of everything that belongs to it.
func (o *tenant) sell() {
	o.t.Helper()
	o.made("/ai/businesses", "application/json", `{"name":"Gul"}`)
	of := "/ai/businesses/" + o.ids["/ai/businesses"]
	for _, what := range []struct{ collection, body string }{
		{"offers", `{"name":"Lola"}`}, {"funnels", `{"name":"Wholesale"}`}, {"identities", `{"name":"Assistant","persona_name":"Lola","role":"assistant"}`},
	} {
		o.made(of+"/"+what.collection, "application/json", what.body)
		o.ids["/ai/"+what.collection] = o.ids[of+"/"+what.collection]
	}
	o.made("/ai/knowledge/sources", "application/json", `{"business_id":"`+o.ids["/ai/businesses"]+`","type":"FAQ","question":"Lola bormi?","answer":"Bor."}`)
	o.made("/ai/research", "application/json", `{"business_id":"`+o.ids["/ai/businesses"]+`","topic":"Lola"}`)
	o.made(of+"/cases", "application/json", `{"dimension":"DEMAND","name":{"en":"Lola"}}`)
	o.ids["/ai/cases"] = o.ids[of+"/cases"]
	o.ids["/ai/insights/boards/{board}/cases"] = o.ids["/ai/cases"]
	if err := o.server.Act("miss", o.ids["/organization"]+" "+o.ids["/ai/conversations"]+" "+o.ids["/ai/businesses"]+" Lola bormi?"); err != nil {
		o.t.Fatal(err)
	}
	o.first("/ai/knowledge/gaps", "/ai/knowledge/gaps")
	if err := o.server.Act("book", o.ids["/organization"]+" "+o.ids["/ai/conversations"]+" "+o.ids["/ai/businesses"]); err != nil {
		o.t.Fatal(err)
	}
	if !o.first("/ai/calendar/actions", "/ai/calendar/actions") {
		o.t.Fatal("no calendar action was made")
	}
	o.evaluate()
	o.made("/ai/communication-profiles", "application/json", `{"name":"Ours"}`)
	o.made("/ai/language-profiles", "application/json", `{"name":"Ours","language":"uz"}`)
}

// evaluate makes one of everything that says how good the seller is.
func (o *tenant) evaluate() {
	o.t.Helper()
	got := o.json(http.MethodPost, "/ai/playground/run", `{"business_id":"`+o.ids["/ai/businesses"]+`","messages":[{"author":"CUSTOMER","text":"Lola bormi?"}]}`)
	var tried struct {
		ID string `json:"execution_id"`
	}
	if err := json.Unmarshal([]byte(got.body), &tried); err != nil || tried.ID == "" {
		o.t.Fatalf("a try: %d %s", got.status, got.body)
	}
	o.ids["/ai/executions"] = tried.ID
	o.made("/ai/feedback", "application/json", `{"target":"EXECUTION","target_id":"`+tried.ID+`","labels":["OTHER"]}`)
	o.made("/ai/eval-datasets", "application/json", `{"name":"Ours","agent":"SELLER","business_id":"`+o.ids["/ai/businesses"]+`"}`)
	o.made("/ai/evaluations", "application/json", `{"dataset_id":"`+o.ids["/ai/eval-datasets"]+`","graders":["CONTAINS"]}`)
	o.made("/ai/experiments", "application/json", `{"name":"Ours","business_id":"`+o.ids["/ai/businesses"]+`","metric":"REPLY_RATE"}`)
	got = o.json(http.MethodPost, "/ai/experiments/"+o.ids["/ai/experiments"]+"/variants", `{"name":"Ours"}`)
	var with struct{ Variants []struct{ ID string } }
	if err := json.Unmarshal([]byte(got.body), &with); err != nil || len(with.Variants) != 1 {
		o.t.Fatalf("a variant: %d %s", got.status, got.body)
	}
	o.ids["/ai/experiments/variants"] = with.Variants[0].ID
}
