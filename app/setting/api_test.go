package setting_test

import (
	"slices"
	"testing"

	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/mail"
	"svc/app/setting"
	"svc/store"
	"svc/store/storetest"
)

func TestPublic(t *testing.T) {
	there := true
	db := storetest.Open(t, slices.Concat(setting.Tables(), audit.Tables(), mail.Tables())...)
	s := apitest.New(t, db, setting.New(db, "1.4.0", "https://svc.example.uz", setting.Channels{PageNetwork: true}, func(*store.Tx) (bool, error) { return there, nil }))
	if _, err := put(t, db, map[string]any{"signups_open": false, "aup_version": "2", "aup_text": "Be kind."}); err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"svc","version":"1.4.0","signups_open":false,"signup":"closed","languages":["uz","ru","en"],"policy_version":"2",` +
		`"policy_url":"https://svc.example.uz/api/v1/public/policy","maintenance_mode":false,"mfa_required_for_admins":true,"mail":false,` +
		`"channels":{"photo_network":false,"page_network":true,"video_network":false},"ai_enabled":true,"messenger":null}`
	if got := s.Do("GET /public/config", nil).Want(200).Body; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := s.Do("GET /public/policy", nil).Want(200).Body; got != `{"version":"2","text":"Be kind."}` {
		t.Errorf("got %s", got)
	}
	state := func(want setting.Signup) {
		t.Helper()
		if got := s.Do("GET /public/config", nil).Want(200).At("signup"); got != string(want) {
			t.Errorf("signup is %v, want %s", got, want)
		}
	}
	if _, err := put(t, db, map[string]any{"signups_open": true}); err != nil {
		t.Fatal(err)
	}
	state(setting.SignupOpen)
	there = false
	state(setting.FirstPerson)
	if _, err := put(t, db, map[string]any{"signups_open": false}); err != nil {
		t.Fatal(err)
	}
	state(setting.FirstPerson)
}
