package account

import (
	"testing"
	"time"

	"svc/messenger"
	"svc/store"
)

// TestCheckDue is the timing of checks (contract 47).
func TestCheckDue(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, tt := range []struct {
		name string
		a    Account
		p    Pace
		want bool
	}{
		{"silent for 30 minutes", Account{Status: Active}, Pace{SeenAt: ago(30 * time.Minute), CheckedAt: ago(30 * time.Minute)}, true},
		{"heard from", Account{Status: Active}, Pace{SeenAt: ago(30*time.Minute - time.Second)}, false},
		{"it sent", Account{Status: Active}, Pace{SeenAt: ago(time.Hour), LastSentAt: ago(time.Minute)}, false},
		{"checked 10 minutes ago", Account{Status: Active}, Pace{SeenAt: ago(time.Hour), CheckedAt: ago(10 * time.Minute)}, true},
		{"checked just now", Account{Status: Active}, Pace{SeenAt: ago(time.Hour), CheckedAt: ago(10*time.Minute - time.Second)}, false},
		{"disconnected", Account{Status: Disconnected}, Pace{SeenAt: now, CheckedAt: ago(10 * time.Minute)}, true},
		{"disconnected, checked", Account{Status: Disconnected}, Pace{CheckedAt: ago(9 * time.Minute)}, false},
		{"error", Account{Status: Failed}, Pace{CheckedAt: ago(11 * time.Minute)}, true},
		{"disabled", Account{Status: Failed, DisabledByAdmin: true}, Pace{}, false},
		{"paused", Account{Status: Paused}, Pace{}, false},
		{"restricted", Account{Status: Restricted}, Pace{}, false},
		{"signed out", Account{Status: AuthRequired}, Pace{}, false},
	} {
		if got := checkDue(&tt.a, tt.p, now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestHealth: silent accounts are asked, and do what the answer says.
func TestHealth(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	round := func() {
		t.Helper()
		if err := h.s.CheckAll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	round()
	if h.d.connects != 0 {
		t.Error("an account that was heard from is asked")
	}
	h.clock.Add(silentFor)
	round()
	if p := h.pace(id); h.d.connects != 1 || !p.CheckedAt.Equal(h.db.Now()) || !p.SeenAt.Equal(h.db.Now()) {
		t.Errorf("%d connects, %+v", h.d.connects, p)
	}
	// The profile is taken over.
	if a := h.get(id); a.Username != "owner_name" || a.LastName != "Karimov" {
		t.Errorf("%+v", a)
	}
	// Nobody answers: the account stays ACTIVE, only sends count.
	h.d.hangUp()
	h.d.refuse(&messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"})
	h.clock.Add(silentFor)
	round()
	if a := h.get(id); a.Status != Active || a.LastError == nil || *a.LastError != "TRANSPORT" {
		t.Errorf("%+v", a)
	}
	if a := h.Do("GET /accounts/"+id+"/activity?limit=1", nil); a.String("data.0.kind") != "HEALTH_CHECK" || a.String("data.0.error_code") != "TRANSPORT" {
		t.Errorf("%s", a.Body)
	}
	// DISCONNECTED comes back when it answers, not sooner than ten minutes after.
	for range unreachableSends {
		h.trouble(id, &messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"})
	}
	h.d.refuse(nil)
	round()
	if a := h.get(id); a.Status != Disconnected {
		t.Errorf("status %s", a.Status)
	}
	h.clock.Add(checkEvery)
	round()
	if a := h.get(id); a.Status != Active || a.LastError != nil {
		t.Errorf("%+v", a)
	}
	// A session that ended is found.
	if err := h.w.Revoke(number); err != nil {
		t.Fatal(err)
	}
	h.clock.Add(silentFor)
	round()
	if a := h.get(id); a.Status != AuthRequired {
		t.Errorf("status %s", a.Status)
	}
}

// TestCheckNow: the answer says what was found.
func TestCheckNow(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	a := h.Do("POST /accounts/"+id+"/check", nil).Want(200)
	if a.At("ok") != true || a.String("status") != "ACTIVE" || a.At("latency_ms") == nil || a.String("checked_at") != h.db.Now().Format(time.RFC3339) || a.String("message") == "" {
		t.Errorf("%s", a.Body)
	}
	if log := h.Do("GET /accounts/"+id+"/activity?limit=1", nil); log.String("data.0.kind") != "HEALTH_CHECK" {
		t.Errorf("%s", log.Body)
	}
	if err := h.w.Revoke(number); err != nil {
		t.Fatal(err)
	}
	a = h.Do("POST /accounts/"+id+"/check", nil).Want(200)
	if a.At("ok") != false || a.String("status") != "AUTH_REQUIRED" || a.At("latency_ms") != nil {
		t.Errorf("%s", a.Body)
	}
	a = h.Do("POST /accounts/"+id+"/check", nil).Want(200) // it is not asked any more
	if a.At("ok") != false || a.String("status") != "AUTH_REQUIRED" {
		t.Errorf("%s", a.Body)
	}
	// A restriction is shown as it is, and stays.
	h.update(func(tx *store.Tx) error {
		a, err := accounts.Get(tx, h.Org, id)
		a.Status = Restricted
		if err == nil {
			err = accounts.Put(tx, h.Org, &a)
		}
		return err
	})
	if a := h.Do("POST /accounts/"+id+"/check", nil).Want(200); a.String("status") != "RESTRICTED" {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /accounts/"+h.db.NewID("acc")+"/check", nil).Want(404)
}
