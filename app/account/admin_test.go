package account

import (
	"slices"
	"testing"

	"svc/app/event"
	"svc/messenger"
	"svc/store"
)

// TestSteered: what an administrator does to an account is told to its organization,
// with the status that the account has and the reason for it; whoever resumes it later
// is told of as always.
func TestSteered(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	told := func(want ...event.Type) {
		t.Helper()
		if got := h.events(id); !slices.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
	}
	h.disable(id)
	told("account.connected", "account.paused")
	if a := h.get(id); a.Status != Paused || *a.StatusReason != "An administrator disabled the account: abuse" {
		t.Errorf("%s %v", a.Status, a.StatusReason)
	}
	h.enable(id)
	told("account.connected", "account.paused", "account.paused")
	const over = "An administrator enabled the account again; resume it to let it send."
	if a := h.get(id); a.Status != Paused || *a.StatusReason != over {
		t.Errorf("%s %v", a.Status, a.StatusReason)
	}
	if a := h.Do("GET /accounts/"+id+"/activity?limit=2", nil).Want(200); a.String("data.0.message") != over || a.String("data.1.message") != "ACTIVE to PAUSED. An administrator disabled the account: abuse" {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /accounts/"+id+"/resume", `{}`).Want(200)
	told("account.connected", "account.paused", "account.paused", "account.resumed")

	// One that somebody had paused stays so, and it is said why nobody can resume it.
	h.Do("POST /accounts/"+id+"/pause", nil).Want(200)
	h.disable(id)
	told("account.connected", "account.paused", "account.paused", "account.resumed", "account.paused", "account.paused")
	h.enable(id)
	h.Do("POST /accounts/"+id+"/resume", `{}`).Want(200)

	// What the platform said about an account stays its reason.
	before := len(h.events(id))
	h.trouble(id, &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"})
	reason := *h.get(id).StatusReason
	h.disable(id)
	h.enable(id)
	if a := h.get(id); a.Status != Restricted || *a.StatusReason != reason {
		t.Errorf("%s %s", a.Status, *a.StatusReason)
	}
	if got := h.events(id)[before:]; !slices.Equal(got, []event.Type{"account.restricted"}) {
		t.Errorf("events %v", got)
	}
}

// TestEnabledComesBack: an account that was disabled while nobody reached the platform
// is left alone, and is checked at once when it is enabled.
func TestEnabledComesBack(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	for range unreachableSends {
		h.trouble(id, &messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"})
	}
	h.disable(id)
	h.clock.Add(checkEvery)
	if err := h.s.CheckAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := h.get(id); a.Status != Disconnected || h.d.connects != 0 {
		t.Errorf("%s after %d connects", a.Status, h.d.connects)
	}
	h.enable(id)
	h.run()
	h.eventually("the account is back", func() bool { return h.get(id).Status == Active })
}

func (h *harness) disable(id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Disable(tx, h.sc(), h.Org, id, "abuse")
		return err
	})
}

func (h *harness) enable(id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Enable(tx, h.sc(), h.Org, id, "over")
		return err
	})
}
