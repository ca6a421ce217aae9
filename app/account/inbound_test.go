package account

import (
	"testing"

	"svc/app/account/connection"
	"svc/messenger"
	"svc/messenger/simulator/world"
)

func (h *harness) recipient(body string) string {
	h.t.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// TestHeardFromTheSignInOn: nobody's words are lost between a sign-in and the first
// connection behind it, nor between the end of a session and the sign-in after it: who
// wrote a stop word meanwhile is opted out.
func TestHeardFromTheSignInOn(t *testing.T) {
	h := newHarness(t)
	h.person(world.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	h.person(world.Person{ID: 1002, Username: "vali_karim", First: "Vali"})
	ali := h.recipient(`{"messenger_id":1001,"consent_status":"OPTED_IN"}`)
	vali := h.recipient(`{"username":"vali_karim","consent_status":"OPTED_IN"}`)
	say := func(person, text string) {
		t.Helper()
		if _, err := h.w.Say(person, number, text); err != nil {
			t.Fatal(err)
		}
	}
	out := func(recipient string) bool {
		return h.Do("GET /recipients/"+recipient, nil).Want(200).String("consent_status") == "OPTED_OUT"
	}
	say("@vali_karim", "stop") // before anybody connected the account: not its business
	flow := h.Do("POST /accounts", map[string]any{"phone": number}).Want(201).String("state.flow_id")
	id := h.Do("POST /accounts/login/"+flow+"/code", `{"code":"12345"}`).Want(200).String("account.id")
	say("@ali_karim", "salom")
	say("@ali_karim", "stop")
	stop := h.run()
	h.eventually("who wrote before the first connection is heard", func() bool { return len(signals[connection.Received](h)) == 2 && out(ali) })
	if out(vali) {
		t.Error("somebody was opted out by what they wrote before the account was connected")
	}
	stop()
	h.restart()

	if err := h.w.Revoke(number); err != nil {
		t.Fatal(err)
	}
	h.trouble(id, &messenger.Error{Fault: messenger.SessionEnded, Code: "SESSION_REVOKED"})
	say("@vali_karim", "stop")
	flow = h.Do("POST /accounts/"+id+"/reauth", map[string]any{"phone": number}).Want(201).String("state.flow_id")
	h.Do("POST /accounts/login/"+flow+"/code", `{"code":"12345"}`).Want(200)
	h.run()
	h.eventually("who wrote without a session is heard", func() bool { return out(vali) })
}
