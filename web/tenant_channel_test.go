package web_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
)

// channels connects an account of the photo network, and lets a rule answer a comment.
func (o *tenant) channels(name string) {
	o.t.Helper()
	act := func(action, arg string) error { return o.server.Act(action, arg) }
	got := o.json(http.MethodPost, "/channels/instagram/connect", "{}")
	var begun struct {
		URL string `json:"authorization_url"`
	}
	at, err := &url.URL{}, json.Unmarshal([]byte(got.body), &begun)
	if err == nil {
		at, err = url.Parse(begun.URL)
	}
	if err := errors.Join(err, act("platforms", "account photo @"+name), act("allow", "photo code-"+name+" "+name)); err != nil {
		o.t.Fatalf("%v: %d %s", err, got.status, got.body)
	}
	o.json(http.MethodGet, "/channels/instagram/callback?code=code-"+name+"&state="+at.Query().Get("state"), "")
	if !o.first("/channels/accounts", "/channels/accounts") {
		o.t.Fatal("no channel account was connected")
	}
	account := o.ids["/channels/accounts"]
	o.ids["/ai/social/accounts"] = account
	o.made("/channels/automations", "application/json", `{"account_id":"`+account+`","name":"Price","keywords":["price"],"template_text":"100"}`)
	if err := errors.Join(act("settle", ""), act("platforms", "now @lola comments \"price\" on @"+name), act("settle", "")); err != nil {
		o.t.Fatal(err)
	}
	if !o.first("/ai/social/posts", "/ai/social/posts") {
		o.t.Fatal("no post was read")
	}
	if !o.first("/channels/private-replies", "/channels/accounts/"+account+"/private-replies") {
		o.t.Fatal("no private reply was made")
	}
}
