package web_test

import "net/http"

// analyse has its conversation analysed, for its business.
func (o *tenant) analyse() {
	o.t.Helper()
	o.json(http.MethodPut, "/ai/businesses/"+o.ids["/ai/businesses"]+"/accounts", `{"accounts":[{"account_id":"`+o.ids["/accounts"]+`","ai_enabled":false}]}`)
	of := "/ai/conversations/" + o.ids["/ai/conversations"]
	o.json(http.MethodPost, of+"/analyze", "{}")
	if err := o.server.Act("settle", ""); err != nil {
		o.t.Fatal(err)
	}
	if got := o.json(http.MethodGet, of+"/analysis", ""); got.status != http.StatusOK {
		o.t.Fatalf("the analysis: %d %s", got.status, got.body)
	}
}
