package acceptance

import (
	"bytes"
	"fmt"
	"testing"

	"svc/messenger"
	"svc/messenger/messengertest"
)

// audience is how many people the campaign of the story is for.
const audience = 5000

// TestACampaignFromSignInToTheLastNumber is the whole of it, against the real binary:
// two accounts, one with two-step verification and behind a proxy; 5,000 people; a
// campaign that is written, checked, rehearsed and launched under a daily limit; one
// account is flooded, the other restricted in the middle; the process is killed twice;
// an administrator sees and steers it; every number adds up.
func TestACampaignFromSignInToTheLastNumber(t *testing.T) {
	t.Parallel()
	sim := startSimulator(t, `
at 300 sends of +998900009012 flood 2
at 700 sends of +998900000021 fail PEER_FLOOD
`)
	in := install(t)
	in.args = sim.args()
	in.start()
	boss := in.administer()
	owner := in.signUp("anna", nil)
	owner.acceptPolicy()
	proxied := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Username: "user", Password: "secret"})
	proxy := owner.do("POST", "/proxies", map[string]any{
		"type": "SOCKS5", "host": proxied.Route().Host, "port": proxied.Route().Port, "username": "user", "password": "secret",
	}).want(201).says("status", "ACTIVE").text("id")
	flooded := owner.connect("+998900009012", "demo", proxy)
	restricted := owner.connect("+998900000021", "", "")
	if proxied.Tunnels() == 0 {
		t.Error("nobody went through the proxy")
	}
	for _, id := range []string{flooded, restricted} {
		owner.do("PATCH", "/accounts/"+id, map[string]any{"daily_limit": 2000}).want(200).says("remaining_today", 2000)
	}
	campaign := write(owner, flooded, restricted)
	rehearse(owner, sim, campaign)
	owner.do("POST", campaign+"/start", map[string]any{}).want(200).says("status", "RUNNING")

	steer(boss, owner, sim, campaign)
	untilItSays(owner, campaign, "pause_reason", "ACCOUNT_RESTRICTED")
	in.kill()
	in.start()
	acknowledge(owner, campaign, restricted)
	atLimit(owner, in, sim, campaign, flooded, restricted)
	finish(owner, campaign)
	everyNumberAddsUp(owner, sim, campaign, audience)
	owner.do("GET", "/events?type=account.cooldown", nil).want(200).says("total", 1)
	owner.do("GET", "/events?type=account.restricted", nil).want(200).says("total", 1)
	owner.do("GET", "/notifications", nil).want(200)
	boss.do("GET", "/admin/overview", nil).want(200).says("campaigns.by_status.COMPLETED", 1)
	in.auditIsWhole(3)
	in.stop()
}

// write imports the people and writes the campaign, which passes its checks.
func write(c *caller, accounts ...string) (campaign string) {
	c.in.t.Helper()
	var file bytes.Buffer
	file.WriteString("username,first_name,consent,city\n")
	for i := range audience {
		fmt.Fprintf(&file, "demo_user_%d,Odam %d,OPTED_IN,Toshkent\n", i+1, i+1)
	}
	c.do("POST", "/recipients/import", newForm(map[string]string{"new_list_name": "Mijozlar"}, "odamlar.csv", file.Bytes())).want(201)
	list := c.do("GET", "/lists", nil).want(200).says("data.0.members_count", audience).text("data.0.id")
	template := c.do("POST", "/templates", map[string]any{
		"name": "Salom", "format": "HTML", "text": "Salom <b>{{first_name}}</b>, {{city}}! {{opt_out_url}}",
	}).want(201).text("id")
	campaign = "/campaigns/" + c.do("POST", "/campaigns", map[string]any{
		"name": "Kuz", "account_ids": accounts, "audience": map[string]any{"list_ids": []string{list}}, "message": map[string]any{"template_id": template},
	}).want(201).says("status", "DRAFT").text("id")
	c.do("GET", campaign+"/audience-preview", nil).want(200).says("matched", audience).says("sendable", audience)
	c.do("POST", campaign+"/validate", nil).want(200).says("ok", true).says("audience.sendable", audience)
	return campaign
}

// rehearse plans the campaign without sending anything.
func rehearse(c *caller, sim *simulated, campaign string) {
	c.in.t.Helper()
	c.do("POST", campaign+"/rehearse", nil).want(202)
	wait(c.in.t, "the rehearsal", func() bool {
		return c.do("GET", campaign+"/rehearsal", nil).want(200).text("status") == "DONE"
	})
	report := c.do("GET", campaign+"/rehearsal", nil)
	if samples, _ := report.at("sample").([]any); len(samples) != 10 || report.at("finishes_at") == nil {
		c.in.t.Errorf("the rehearsal says %s", report.body)
	}
	if n := sim.count(); n != 0 {
		c.in.t.Errorf("the rehearsal sent %d messages", n)
	}
}

// steer: an administrator pauses the running campaign, which its organization cannot
// resume, and lets it go on.
func steer(boss, owner *caller, sim *simulated, campaign string) {
	t := owner.in.t
	t.Helper()
	wait(t, "the first messages", func() bool { return sim.count() > 50 })
	boss.do("POST", "/admin"+campaign+"/pause", map[string]any{}).want(422)
	boss.do("POST", "/admin"+campaign+"/pause", map[string]any{"reason": "a complaint"}).want(200).says("status", "PAUSED").says("pause_reason", "ADMIN")
	owner.do("POST", campaign+"/resume", nil).want(409).says("error.code", "paused_by_admin")
	boss.do("GET", "/admin/campaigns?status=PAUSED", nil).want(200).says("total", 1).says("data.0.organization.name", "House of anna")
	boss.do("POST", "/admin"+campaign+"/resume", map[string]any{"reason": "answered"}).want(200).says("status", "RUNNING")
	boss.do("GET", "/admin/accounts", nil).want(200).says("total", 2)
	boss.do("GET", "/admin/queues", nil).want(200)
	boss.do("GET", "/admin/workers", nil).want(200)
}

// untilItSays waits until a campaign says something.
func untilItSays(c *caller, campaign, path, want string) {
	c.in.t.Helper()
	var last reply
	defer func() {
		if c.in.t.Failed() {
			c.in.t.Logf("the campaign says %s", tail(string(last.body)))
		}
	}()
	waitFor(c.in.t, silence, campaign+" to say "+path+" "+want, func() bool {
		last = c.do("GET", campaign, nil).want(200)
		return last.text(path) == want
	})
}

// acknowledge goes on with the account that was restricted: only a person may.
func acknowledge(c *caller, campaign, account string) {
	c.in.t.Helper()
	c.do("GET", campaign, nil).want(200).says("status", "PAUSED").says("pause_reason", "ACCOUNT_RESTRICTED")
	resume := "/accounts/" + account + "/resume"
	c.newKey("crm").do("POST", resume, map[string]any{"acknowledge_restriction": true}).want(403).says("error.code", "person_required")
	c.do("POST", resume, nil).want(409).says("error.code", "restriction_not_acknowledged")
	c.do("POST", resume, map[string]any{"acknowledge_restriction": true}).want(200).says("status", "ACTIVE")
	c.do("GET", campaign, nil).want(200).says("status", "PAUSED") // a person decides
	c.do("POST", campaign+"/resume", nil).want(200).says("status", "RUNNING")
}

// atLimit: the campaign waits at the daily limit; the process dies there, and again
// when it goes on.
func atLimit(c *caller, in *installation, sim *simulated, campaign string, accounts ...string) {
	c.in.t.Helper()
	untilItSays(c, campaign, "waiting_reason", "DAILY_LIMIT")
	if n := sim.count(); n != 2*2000 {
		in.t.Errorf("%d messages under a daily limit of 2,000 for each of two accounts", n)
	}
	in.kill()
	in.start()
	untilItSays(c, campaign, "waiting_reason", "DAILY_LIMIT")
	for _, id := range accounts {
		c.do("PATCH", "/accounts/"+id, map[string]any{"daily_limit": 3000}).want(200).says("sent_today", 2000)
	}
}
