package account

import (
	"testing"

	"svc/app/account/connection"
	"svc/messenger"
	"svc/messenger/simulator/world/record"
)

// TestHeardFromTheSignInOn: nobody's words are lost between a sign-in and the first
// connection behind it, nor between the end of a session and the sign-in after it. What the
// inbox does with them is tested there.
func TestHeardFromTheSignInOn(t *testing.T) {
	h := newHarness(t)
	h.person(record.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	h.person(record.Person{ID: 1002, Username: "vali_karim", First: "Vali"})
	say := func(person, text string) {
		t.Helper()
		if _, err := h.w.Say(person, number, text); err != nil {
			t.Fatal(err)
		}
	}
	heard := func(person int64) (n int) {
		for _, x := range signals[connection.Received](h) {
			if x.PeerID == person {
				n++
			}
		}
		return n
	}
	say("@vali_karim", "stop") // before anybody connected the account: not its business
	flow := h.Do("POST /accounts", map[string]any{"phone": number}).Want(201).String("state.flow_id")
	id := h.Do("POST /accounts/login/"+flow+"/code", `{"code":"12345"}`).Want(200).String("account.id")
	say("@ali_karim", "salom")
	say("@ali_karim", "stop")
	stop := h.run()
	h.eventually("who wrote before the first connection is heard", func() bool { return heard(1001) == 2 })
	if heard(1002) != 0 {
		t.Error("somebody was heard who wrote before the account was connected")
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
	h.eventually("who wrote without a session is heard", func() bool { return heard(1002) == 1 })
}
