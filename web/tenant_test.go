package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/seller/decision"
	"svc/app/session/passkeytest"
	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
	"svc/store"
	"svc/web/webtest"
)

// tenant is an organization with everything in it that has an id, and its OWNER's
// session.
type tenant struct {
	t      *testing.T
	server *webtest.Server
	cookie string
	// phone is the number of its messenger account.
	phone string
	// host is under which it asks; "": the number of the server.
	host string
	// ids are what it has, by the collection in the path.
	ids map[string]string
}

// answer is what a caller can tell answers apart by.
type answer struct {
	status int
	header http.Header
	body   string
}

// do asks as the OWNER. A body of multipart says so itself.
func (o *tenant) do(method, path, contentType, body string) answer {
	o.t.Helper()
	req, err := http.NewRequestWithContext(o.t.Context(), method, o.server.URL+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	req.Header.Set("Origin", o.server.URL)
	if o.host != "" {
		req.Host = o.host
		req.Header.Set("Origin", "http://"+o.host)
	}
	if body != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if o.cookie != "" {
		req.AddCookie(&http.Cookie{Name: "svc_session", Value: o.cookie})
	}
	resp, err := o.server.Client.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		o.cookie = c.Value
	}
	o.server.Clock.Advance(time.Second) // rates are not what is asked
	for _, name := range []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		resp.Header.Del(name)
	}
	return answer{resp.StatusCode, resp.Header, string(data)}
}

func (o *tenant) json(method, path, body string) answer {
	o.t.Helper()
	return o.do(method, path, "application/json", body)
}

// made asks for something new and keeps its id.
func (o *tenant) made(collection, contentType, body string) {
	o.t.Helper()
	got := o.do(http.MethodPost, collection, contentType, body)
	var record struct{ ID string }
	if err := json.Unmarshal([]byte(got.body), &record); err != nil || record.ID == "" || got.status != http.StatusCreated {
		o.t.Fatalf("%s: %d %s", collection, got.status, got.body)
	}
	o.ids[collection] = record.ID
}

// first keeps the id of the first of a list.
func (o *tenant) first(collection, path string) bool {
	o.t.Helper()
	got := o.json(http.MethodGet, path, "")
	var page struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.status != http.StatusOK {
		o.t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
	if len(page.Data) > 0 {
		o.ids[collection] = page.Data[0].ID
	}
	return len(page.Data) > 0
}

// newTenant signs up and makes one of everything.
func newTenant(t *testing.T, server *webtest.Server, name, receiver string) *tenant {
	t.Helper()
	o := &tenant{t: t, server: server, ids: map[string]string{}}
	org, person := o.signUp(name)
	o.ids["/organization"], o.ids["/me"] = org, person
	o.support(org)
	o.made("/recipients", "application/json", `{"username":"gulnora"}`)
	o.json(http.MethodPost, "/recipients/import", `{"records":[{"username":"gulnora"}]}`)
	o.first("/recipient-imports", "/recipient-imports")
	o.made("/lists", "application/json", `{"name":"Clients"}`)
	o.made("/suppressions", "application/json", `{"username":"hilola"}`)
	o.made("/templates", "application/json", `{"name":"Hello","text":"Hello, {{first_name}}"}`)
	o.made("/api-keys", "application/json", `{"name":"CRM"}`)
	o.made("/invitations", "application/json", `{"email":"anvar@`+name+`.uz","role":"ANALYST"}`)
	o.made("/webhooks", "application/json", `{"url":"`+receiver+`","events":["*"]}`)
	o.made("/campaigns", "application/json", `{"name":"Spring","message":{"text":"Hello"}}`)
	o.made("/proxies", "application/json", `{"type":"SOCKS5","host":"127.0.0.1","port":1}`)
	o.connect()
	o.converse()
	o.channels(name)
	o.json(http.MethodPost, "/accounts/"+o.ids["/accounts"]+"/test-message", `{"username":"@demo_user_9"}`)
	o.first("/jobs", "/jobs?kind=TEST")
	contentType, form := photo(t)
	o.made("/attachments", contentType, form)
	o.first("/members", "/members")
	o.first("/me/sessions", "/me/sessions")
	o.json(http.MethodPost, "/ai/compose", `{"task":"WRITE","brief":"Spring","language":"en"}`)
	o.first("/ai/executions", "/ai/executions")
	o.sell()
	o.analyse() // with the demo model, which is there while nobody has a provider
	o.made("/ai/providers", "application/json", `{"kind":"OPENAI","name":"OpenAI","api_key":"sk-proj-0123456789abcdef"}`)
	o.made("/ai/prompts", "application/json", `{"agent":"SELLER","name":"House","body":"Be brief."}`)
	o.made("/me/push-subscriptions", "application/json", `{"endpoint":"https://push.example.uz/`+name+`","topics":["MENTIONS"],"keys":{`+
		`"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`)
	o.passkey()
	o.first("/notifications", "/notifications") // support makes one
	o.deliver()
	o.first("/events", "/events")
	return o
}

// signUp makes the person and the organization, and answers the ids of both.
func (o *tenant) signUp(name string) (org, person string) {
	o.t.Helper()
	got := o.json(http.MethodPost, "/auth/signup", `{"email":"`+name+`@example.uz","password":"correct horse 1","organization_name":"`+name+`","timezone":"UTC"}`)
	var me struct{ User, Organization struct{ ID string } }
	if err := json.Unmarshal([]byte(got.body), &me); err != nil || got.status != http.StatusCreated {
		o.t.Fatalf("signing up: %d %s", got.status, got.body)
	}
	return me.Organization.ID, me.User.ID
}

// passkey adds a passkey, under a name, which passkeys want, and begins another.
func (o *tenant) passkey() {
	o.t.Helper()
	_, port, _ := strings.Cut(strings.TrimPrefix(o.server.URL, "http://"), ":")
	o.host = "localhost:" + port
	begin := func() (id, challenge, user string) {
		got := o.json(http.MethodPost, "/me/passkeys/begin", `{"password":"correct horse 1"}`)
		var begun struct {
			ID      string `json:"challenge_id"`
			Options struct {
				Challenge string
				User      struct{ ID string }
			} `json:"public_key"`
		}
		if err := json.Unmarshal([]byte(got.body), &begun); err != nil || got.status != http.StatusOK {
			o.t.Fatalf("a passkey: %d %s", got.status, got.body)
		}
		return begun.ID, begun.Options.Challenge, begun.Options.User.ID
	}
	id, challenge, user := begin()
	credential := passkeytest.New("localhost", "http://"+o.host).Make(challenge, user)
	o.made("/me/passkeys", "application/json", fmt.Sprintf(`{"challenge_id":%q,"name":"Key","credential":%s}`, id, credential))
	o.ids["/me/passkeys/begin"], _, _ = begin()
}

// numbers counts the phone numbers of tenants: each is connected once.
var numbers atomic.Int64

// connect signs in to a messenger account, and begins to sign in to another.
func (o *tenant) connect() {
	o.t.Helper()
	o.json(http.MethodPost, "/organization/accept-policy", `{"policy_version":"1"}`)
	begin := func(phone string) {
		got := o.json(http.MethodPost, "/accounts", `{"phone":"`+phone+`"}`)
		var flow struct {
			State struct {
				ID string `json:"flow_id"`
			}
		}
		if err := json.Unmarshal([]byte(got.body), &flow); err != nil || got.status != http.StatusCreated {
			o.t.Fatalf("signing in to an account: %d %s", got.status, got.body)
		}
		o.ids["/accounts/login"] = flow.State.ID
	}
	number := func() string { return fmt.Sprintf("%s%04d", world.DemoPrefix, numbers.Add(1)) }
	o.phone = number()
	begin(o.phone)
	if got := o.json(http.MethodPost, "/accounts/login/"+o.ids["/accounts/login"]+"/code", `{"code":"`+record.DefaultCode+`"}`); got.status != http.StatusOK {
		o.t.Fatalf("the code of an account: %d %s", got.status, got.body)
	}
	o.first("/accounts", "/accounts")
	begin(number())
}

// converse has somebody write to the account, and a person take the conversation over.
func (o *tenant) converse() {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 10*time.Second)
	defer cancel()
	o.json(http.MethodPatch, "/accounts/"+o.ids["/accounts"], `{"inbound_enabled":true}`)
	if err := o.server.Act("messenger", `now @demo_user_3 sends photo to `+o.phone+` saying "Salom"`); err != nil {
		o.t.Fatal(err)
	}
	for !o.first("/ai/conversations", "/ai/conversations") {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			o.t.Fatal("the message did not arrive")
		}
	}
	o.json(http.MethodPost, "/ai/conversations/"+o.ids["/ai/conversations"]+"/takeover", "{}")
	o.first("/ai/handoffs", "/ai/handoffs")
	of := "/ai/conversations/" + o.ids["/ai/conversations"]
	o.made(of+"/notes", "application/json", `{"text":"Ask Anvar"}`)
	o.ids["/ai/conversations/{id}/notes"] = o.ids[of+"/notes"]
	o.made("/ai/inbox/views", "application/json", `{"name":"Waiting","filter":{"waiting":true}}`)
	contentType, form := photo(o.t)
	var uploaded struct {
		ID string `json:"upload_id"`
	}
	if got := o.do(http.MethodPost, of+"/uploads", contentType, form); json.Unmarshal([]byte(got.body), &uploaded) != nil || uploaded.ID == "" {
		o.t.Fatalf("no upload: %d %s", got.status, got.body)
	}
	o.ids["/ai/conversations/{id}/uploads"] = uploaded.ID
	var opened struct {
		Messages []struct {
			ID    string
			Files []struct{ ID string }
		}
	}
	if got := o.json(http.MethodGet, of, ""); json.Unmarshal([]byte(got.body), &opened) != nil || len(opened.Messages) != 1 || len(opened.Messages[0].Files) != 1 {
		o.t.Fatalf("no message with a photo: %d %s", got.status, got.body)
	}
	o.ids["/ai/conversations/{id}/messages"] = opened.Messages[0].ID
	said := o.ids["/organization"] + " " + o.ids["/ai/conversations"]
	if err := errors.Join(o.server.Act("propose", said+" DRAFT Ha, bor."), o.server.Act("remember", said+" NEED Gul")); err != nil {
		o.t.Fatal(err)
	}
	var proposed struct{ Draft struct{ ID string } }
	if got := o.json(http.MethodGet, of, ""); json.Unmarshal([]byte(got.body), &proposed) != nil || proposed.Draft.ID == "" {
		o.t.Fatalf("no draft: %d %s", got.status, got.body)
	}
	o.ids["/ai/conversations/{id}/drafts"] = proposed.Draft.ID
	o.first("/ai/memory", "/ai/memory")
	err := o.server.App().DB.Update(o.t.Context(), func(tx *store.Tx) (err error) {
		o.ids["/ai/jev/decisions"], err = decision.Keep(tx, o.ids["/organization"], decision.Decision{ConversationID: o.ids["/ai/conversations"]})
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	o.ids["/ai/conversations/{id}/attachments"] = opened.Messages[0].Files[0].ID
}

// signOut ends the session of its account at the messenger, and waits until that is known.
func (o *tenant) signOut() {
	o.t.Helper()
	if err := o.server.Act("messenger", "now "+o.phone+" revoke"); err != nil {
		o.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(o.t.Context(), 10*time.Second)
	defer cancel()
	for {
		got := o.json(http.MethodPost, "/accounts/"+o.ids["/accounts"]+"/check", "")
		if strings.Contains(got.body, `"AUTH_REQUIRED"`) {
			return
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			o.t.Fatalf("signing an account out: %d %s", got.status, got.body)
		}
	}
}

// support has somebody of the platform look at the organization.
func (o *tenant) support(org string) {
	o.t.Helper()
	boss := &tenant{t: o.t, server: o.server, ids: map[string]string{}}
	_, person := boss.signUp("support-of-" + org[len(org)-8:])
	boss.first("/me/sessions", "/me/sessions")
	if err := o.server.Act("support", person+" "+boss.ids["/me/sessions"]+" "+org+" a complaint"); err != nil {
		o.t.Fatal(err)
	}
	o.first("/organization/support-sessions", "/organization/support-sessions")
}

// deliver has the webhook sent something, and waits until it is known.
func (o *tenant) deliver() {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 10*time.Second)
	defer cancel()
	hook := "/webhooks/" + o.ids["/webhooks"]
	if got := o.json(http.MethodPost, hook+"/test", ""); got.status != http.StatusAccepted {
		o.t.Fatalf("a test event: %d %s", got.status, got.body)
	}
	for !o.first("/webhooks/{id}/deliveries", hook+"/deliveries") {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			o.t.Fatal("the test event was not delivered")
		}
	}
}

// photo is the smallest image, as a form.
func photo(t *testing.T) (contentType, form string) {
	t.Helper()
	const gif = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", "dot.gif")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, gif); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}
