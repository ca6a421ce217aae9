package account

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/app/account/login"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/event"
	"svc/app/org"
	"svc/messenger"
	"svc/messenger/simulator/world/record"
	"svc/store"
	"svc/store/recordid"
)

func start(h *harness, phone string) string {
	h.t.Helper()
	a := h.Do("POST /accounts", map[string]any{"phone": phone}).Want(201)
	if a.String("state.step") != "CODE_SENT" || a.At("account") != nil {
		h.t.Fatalf("begun: %s", a.Body)
	}
	return a.String("state.flow_id")
}

// TestSignIn is the first row of contract 37.
func TestSignIn(t *testing.T) {
	h := newHarness(t)
	a := h.Do("POST /accounts", `{"phone":" +998 (90) 123-45-67 "}`).Want(201)
	flowID := a.String("state.flow_id")
	if !recordid.Valid("flw", flowID) || a.String("state.step") != "CODE_SENT" || a.String("state.code_type") != "app" || a.Int("state.attempts_left") != 5 ||
		a.String("state.phone_masked") != "+998 90 ••• •• 67" || a.String("state.expires_at") != h.db.Now().Add(15*time.Minute).Format(time.RFC3339) {
		t.Errorf("begun: %s", a.Body)
	}
	h.Do("POST /accounts/login/"+flowID+"/password", `{"password":"x"}`).Refused(api.ErrState)
	a = h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Want(200)
	id := a.String("account.id")
	if a.String("state.step") != "COMPLETED" || !recordid.Valid("acc", id) {
		t.Fatalf("signed in: %s", a.Body)
	}
	for path, want := range map[string]any{
		"status": "ACTIVE", "phone_masked": "+998 90 ••• •• 67", "messenger_id": 700.0, "username": "owner_name", "first_name": "Olim", "last_name": "Karimov",
		"daily_limit": 150.0, "sent_today": 0.0, "remaining_today": 150.0, "min_interval_seconds": 8.0, "inbound_enabled": true, "running_campaigns": 0.0,
		"disabled_by_admin": false, "label": nil, "status_reason": nil, "last_error": nil, "cooldown_until": nil, "proxy_id": nil, "business_id": nil,
		"avatar_url": nil, "last_sent_at": nil, "connection": "OFFLINE", "premium": false, "created_by": h.Call().Caller.ID,
	} {
		if got := a.At("account." + path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
		if !strings.Contains(a.Body, `"`+path+`":`) {
			t.Errorf("%s is missing", path)
		}
	}
	h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Refused(api.ErrState)
	if got := h.events(id); len(got) != 1 || got[0] != event.AccountConnected {
		t.Errorf("events %v", got)
	}
	if got := signals[Changed](h); len(got) != 1 || got[0] != (Changed{Org: h.Org, ID: id, To: Active, Event: NewlyConnected}) {
		t.Errorf("signals %+v", got)
	}
	if e, _, err := h.s.Conn(t.Context(), h.Org, id); err != nil {
		t.Errorf("the session does not connect: %v %v", e, err)
	} else {
		_ = e.Close()
	}
}

// TestTwoStep is the row of the two-step password: hint, wrong and right.
func TestTwoStep(t *testing.T) {
	h := newHarness(t)
	h.phone(record.Phone{Number: other, Password: "secret words", Hint: "the usual", CodeType: record.CodeSMS, Person: record.Person{ID: 701}})
	id := start(h, other)
	a := h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Want(200)
	if a.String("state.step") != "PASSWORD_REQUIRED" || a.String("state.password_hint") != "the usual" || a.String("state.code_type") != "sms" || a.At("account") != nil {
		t.Errorf("asked for the password: %s", a.Body)
	}
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(api.ErrState)
	if a := h.Do("POST /accounts/login/"+id+"/password", `{"password":"other"}`).Refused(login.ErrPassword); !strings.Contains(a.String("error.message"), "4 attempts are left") {
		t.Errorf("wrong password: %s", a.Body)
	}
	a = h.Do("POST /accounts/login/"+id+"/password", `{"password":"secret words"}`).Want(200)
	if a.String("state.step") != "COMPLETED" || a.Int("state.attempts_left") != 4 || a.Int("account.messenger_id") != 701 {
		t.Errorf("signed in: %s", a.Body)
	}
}

// TestFiveAttempts: codes and passwords share them, and a restart forgets none.
func TestFiveAttempts(t *testing.T) {
	h := newHarness(t)
	h.phone(record.Phone{Number: other, Password: "right", Person: record.Person{ID: 701}})
	id := start(h, other)
	for range 3 {
		h.Do("POST /accounts/login/"+id+"/code", `{"code":"11111"}`).Refused(login.ErrCode)
	}
	h.restart()
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Want(200)
	h.Do("POST /accounts/login/"+id+"/password", `{"password":"wrong"}`).Refused(login.ErrPassword)
	a := h.Do("POST /accounts/login/"+id+"/password", `{"password":"wrong"}`).Refused(login.ErrAttempts)
	if a.Header.Get("Retry-After") != "900" {
		t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
	}
	h.Do("POST /accounts/login/"+id+"/password", `{"password":"right"}`).Refused(login.ErrAttempts)
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrAttempts)
	if n := h.Do("GET /accounts", nil).Want(200).Int("total"); n != 0 {
		t.Errorf("%d accounts", n)
	}
	start(h, other) // a new sign-in has five again
}

// TestFlowSurvivesARestart: the state is sealed in the database, and the code of
// before is good.
func TestFlowSurvivesARestart(t *testing.T) {
	h := newHarness(t)
	id := start(h, number)
	h.restart()
	a := h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Want(200)
	if a.String("account.status") != "ACTIVE" {
		t.Errorf("%s", a.Body)
	}
}

func TestFlowExpires(t *testing.T) {
	h := newHarness(t)
	id := start(h, number)
	h.clock.Add(15*time.Minute - time.Second)
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"11111"}`).Refused(login.ErrCode)
	h.clock.Add(time.Second)
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrFlowExpired)
	if err := h.s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrFlowExpired)
	h.clock.Add(24*time.Hour + time.Second)
	if err := h.s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrFlowNotFound)
	h.Do("POST /accounts/login/flw_nonsense/password", `{"password":"12345"}`).Refused(login.ErrFlowNotFound)
}

// TestSameNumberTwice: the open sign-in is ended; a connected number is a conflict,
// in another organization without a name.
func TestSameNumberTwice(t *testing.T) {
	h := newHarness(t)
	first := start(h, number)
	second := start(h, number)
	h.Do("POST /accounts/login/"+first+"/code", `{"code":"12345"}`).Refused(login.ErrFlowFailed)
	elsewhere, mine := h.newOrg(org.Pro), h.Org
	h.Org = elsewhere
	third := start(h, number) // an open sign-in of another organization is nobody's business
	h.Org = mine
	h.Do("POST /accounts/login/"+third+"/code", `{"code":"12345"}`).Refused(login.ErrFlowNotFound)
	h.Do("POST /accounts/login/"+second+"/code", `{"code":"12345"}`).Refused(login.ErrCodeExpired) // the platform sent a newer one
	second = start(h, number)
	h.Do("POST /accounts/login/"+second+"/code", `{"code":"12345"}`).Want(200)
	if a := h.Do("POST /accounts", `{"phone":"+998901234567"}`).Refused(api.ErrConflict); a.String("error.message") != errConnected.Message {
		t.Errorf("%s", a.Body)
	}
	h.Org = elsewhere
	a := h.Do("POST /accounts", `{"phone":"+998901234567"}`).Refused(api.ErrConflict)
	if a.String("error.message") != errElsewhere.Message || strings.Contains(a.Body, mine) {
		t.Errorf("%s", a.Body)
	}
}

// TestLateConflict: whoever may not become an account after all is signed out at the
// platform.
func TestLateConflict(t *testing.T) {
	h := newHarness(t)
	mine, elsewhere := h.Org, h.newOrg(org.Pro)
	id := start(h, number)
	h.Org = elsewhere
	h.account(number, false)
	h.Org = mine
	before := len(h.w.Devices(number))
	a := h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`)
	if a.Status != 409 && a.Status != 410 {
		t.Fatalf("%s", a.Body)
	}
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrFlowFailed)
	h.run()
	h.eventually("the session that is not used is ended", func() bool { return len(h.w.Devices(number)) <= before })
}

// TestSignInErrors is the list of contract 46.4.
func TestSignInErrors(t *testing.T) {
	h := newHarness(t)
	for phone, want := range map[string]*api.Error{
		"+998900009100": login.ErrBanned, "+998900009300": login.ErrFlood, "+998900009500": login.ErrEmailSetup, "+998900009600": login.ErrPaymentSetup,
		"998901234567": login.ErrNumber, "+99": login.ErrNumber, "hello": login.ErrNumber, "+998901234567 ext. 5": login.ErrNumber,
	} {
		h.Do("POST /accounts", map[string]any{"phone": phone}).Refused(want)
	}
	h.Do("POST /accounts/login/"+start(h, "+998900009200")+"/code", `{"code":"12345"}`).Refused(login.ErrUnoccupied)
	id := start(h, "+998900009400")
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrCodeExpired)
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(login.ErrFlowFailed)
	h.d.step = &messenger.Step{Kind: messenger.CodeSent, CodeType: "app", State: []byte("state")}
	for _, tt := range []struct {
		fail *messenger.Error
		want *api.Error
		wait string
	}{
		{&messenger.Error{Fault: messenger.SignInRefused, Code: "phone_number_invalid"}, login.ErrNumber, ""},
		{&messenger.Error{Fault: messenger.SignInRefused, Code: "sign_up_required"}, login.ErrUnoccupied, ""},
		{&messenger.Error{Fault: messenger.SignInRefused, Code: "messenger_app_invalid"}, login.ErrApp, ""},
		{&messenger.Error{Fault: messenger.SignInRefused, Code: "phone_number_flood", Wait: 90 * time.Second}, login.ErrFlood, "90"},
		{&messenger.Error{Fault: messenger.SignInRefused, Code: "phone_number_flood"}, login.ErrFlood, "60"},
		{&messenger.Error{Fault: messenger.Flood, Wait: 17 * time.Second}, login.ErrFlood, "17"},
		{&messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_UNREACHABLE"}, login.ErrProxy, ""},
		{&messenger.Error{Fault: messenger.Restricted, Code: "PHONE_NUMBER_BANNED"}, login.ErrBanned, ""},
		{&messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"}, login.ErrGateway, ""},
		{&messenger.Error{Fault: messenger.Busy, Code: "INTERNAL"}, login.ErrGateway, ""},
		{&messenger.Error{Fault: messenger.SessionEnded, Code: "AUTH_KEY_UNREGISTERED"}, login.ErrFlowFailed, ""},
		{&messenger.Error{Fault: messenger.SignInRefused, Code: "something_new"}, login.ErrFlowFailed, ""},
	} {
		h.d.refuse(tt.fail)
		a := h.Do("POST /accounts", `{"phone":"+998901234567"}`).Refused(tt.want)
		if got := a.Header.Get("Retry-After"); tt.wait != "" && got != tt.wait {
			t.Errorf("%s: Retry-After %q, want %q", tt.fail.Code, got, tt.wait)
		}
		// The same in the middle of a sign-in: what is not final leaves it open.
		h.d.refuse(nil)
		id := start(h, number)
		h.d.refuse(tt.fail)
		h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(tt.want)
		h.d.refuse(nil)
		a = h.Do("POST /accounts/login/"+id+"/code", `{"code":"11111"}`)
		final := a.String("error.code") == "flow_failed"
		stays := tt.want == login.ErrFlood || tt.want == login.ErrGateway || tt.want == login.ErrProxy || tt.want == login.ErrApp
		if final == stays {
			t.Errorf("after %s the sign-in is over: %v", tt.fail.Code, final)
		}
	}
}

// TestConnectingNeeds: a person, the policy, a place in the plan, a proxy of its own.
func TestConnectingNeeds(t *testing.T) {
	h := newHarness(t)
	h.As = func(c *api.Call) {
		c.Caller = api.Caller{Kind: api.Key, ID: "key_1", Role: perm.APIClient, Perms: perm.APIClient.Permissions(), APIAccess: true}
	}
	for _, route := range []string{"POST /accounts", "POST /accounts/login/x/code", "POST /accounts/login/x/password", "POST /accounts/x/reauth"} {
		h.Do(route, `{"phone":"+998901234567","code":"1","password":"x"}`).Refused(api.ErrPersonRequired)
	}
	h.As = nil
	h.Do("POST /accounts", `{"phone":"+998901234567","proxy_id":"prx_none"}`).Refused(api.ErrInvalid)
	h.Do("POST /accounts", `{}`).Refused(api.ErrInvalid)
	var bare string
	h.update(func(tx *store.Tx) error {
		o, err := org.Create(tx, h.sc(), org.Fields{Name: "No policy"})
		bare = o.ID
		return err
	})
	h.Org = bare
	h.Do("POST /accounts", `{"phone":"+998901234567"}`).Refused(org.ErrPolicyNotAccepted)
	h.Org = h.newOrg(org.Free)
	h.phone(record.Phone{Number: other})
	id := start(h, other)
	h.account(number, false)
	a := h.Do("POST /accounts", `{"phone":"+998901234569"}`).Refused(api.ErrPlanLimit)
	if !strings.Contains(a.Body, "accounts") {
		t.Errorf("%s", a.Body)
	}
	// A place that was taken in the middle of a sign-in.
	h.Do("POST /accounts/login/"+id+"/code", `{"code":"12345"}`).Refused(api.ErrPlanLimit)
}

// TestReauth is the row AUTH_REQUIRED of contract 36.2.
func TestReauth(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	route := "POST /accounts/" + id + "/reauth"
	h.Do(route, `{"phone":"+998901234567"}`).Refused(api.ErrState)
	h.trouble(id, &messenger.Error{Fault: messenger.SessionEnded, Code: "SESSION_REVOKED"})
	h.Do("PATCH /accounts/"+id, `{"label":"Shop","daily_limit":77}`).Want(200)
	if a := h.Do(route, `{"phone":"+998901234568"}`).Refused(api.ErrConflict); a.String("error.message") != errOther.Message {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /accounts/"+id+"/resume", nil).Refused(ErrReauth)
	flowID := h.Do(route, `{"phone":"+998901234567"}`).Want(201).String("state.flow_id")
	a := h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Want(200)
	if a.String("account.id") != id || a.String("account.status") != "ACTIVE" || a.String("account.label") != "Shop" || a.Int("account.daily_limit") != 77 {
		t.Errorf("%s", a.Body)
	}
	if _, _, err := h.s.Conn(t.Context(), h.Org, id); err != nil {
		t.Errorf("the new session does not connect: %v", err)
	}
	h.Do("POST /accounts/"+h.db.NewID("acc")+"/reauth", `{"phone":"+998901234567"}`).Refused(api.ErrNotFound)
}

// TestStranger: another person behind the same number is no owner of the account.
func TestStranger(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	h.update(func(tx *store.Tx) error {
		a, err := accounts.Get(tx, h.Org, id)
		a.MessengerID = 12
		return errors.Join(err, accounts.Put(tx, h.Org, &a))
	})
	h.trouble(id, &messenger.Error{Fault: messenger.SessionEnded, Code: "SESSION_REVOKED"})
	before := h.get(id)
	flowID := h.Do("POST /accounts/"+id+"/reauth", `{"phone":"+998901234567"}`).Want(201).String("state.flow_id")
	if a := h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Refused(api.ErrConflict); a.String("error.message") != errStranger.Message {
		t.Errorf("%s", a.Body)
	}
	if after := h.get(id); after.Status != AuthRequired || !after.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("the account changed: %+v", after)
	}
}

// TestStepsWaitForEachOther: the same code given twice at the same time makes one
// account, and wrong ones are all counted.
func TestStepsWaitForEachOther(t *testing.T) {
	h := newHarness(t)
	id := start(h, number)
	together := func(n int, code string) map[int]int {
		var wg sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for range n {
			wg.Go(func() {
				a := h.Do("POST /accounts/login/"+id+"/code", map[string]any{"code": code})
				mu.Lock()
				got[a.Status]++
				mu.Unlock()
			})
		}
		wg.Wait()
		return got
	}
	if got := together(2, "11111"); got[422] != 2 {
		t.Errorf("wrong codes: %v", got)
	}
	if got := together(3, "12345"); got[200] != 1 || got[409] != 2 {
		t.Errorf("right codes: %v", got)
	}
	if n := h.Do("GET /accounts", nil).Int("total"); n != 1 {
		t.Errorf("%d accounts", n)
	}
	id = start(h, "+998900000001")
	if got := together(7, "11111"); got[422] != 4 || got[429] != 3 {
		t.Errorf("seven wrong codes: %v", got)
	}
}
