package account

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/event"
	"svc/messenger"
	"svc/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var allEvents = []Event{
	SessionEnded, WasRestricted, Unreached, RouteFailed, PausedByHand, FloodedLong, TurnedOff, Resumed, Acknowledged, SignedIn, Answered,
}

func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/account.golden", *update, transitions, Statuses(), allEvents)
}

// TestApply: each event of each state, with all that follows, or invalid_state and
// nothing.
func TestApply(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	notices := map[Event]string{
		SessionEnded: "ACCOUNT_AUTH_REQUIRED", WasRestricted: "ACCOUNT_RESTRICTED", Unreached: "ACCOUNT_DISCONNECTED",
		RouteFailed: "ACCOUNT_ERROR", FloodedLong: "ACCOUNT_PAUSED_FLOOD",
	}
	types := map[Event]event.Type{
		SessionEnded: event.AccountAuthRequired, WasRestricted: event.AccountRestricted, Unreached: event.AccountDisconnected,
		RouteFailed: event.AccountDisconnected, PausedByHand: event.AccountPaused, FloodedLong: event.AccountPaused, TurnedOff: event.AccountPaused,
		Resumed: event.AccountResumed, Acknowledged: event.AccountResumed, SignedIn: event.AccountConnected, Answered: event.AccountConnected,
	}
	for _, from := range Statuses() {
		for _, on := range allEvents {
			to, legal := transitions.Next(from, on)
			heard, told := len(signals[Changed](h)), len(h.events(id))
			err := h.db.Update(t.Context(), func(tx *store.Tx) error {
				a, err := accounts.Get(tx, h.Org, id)
				if err != nil {
					return err
				}
				a.Status = from
				return h.s.apply(tx, h.sc(), h.Org, &a, transition{event: on, reason: "Because.", lastError: "CODE"})
			})
			name := fmt.Sprintf("%s, %s", from, on)
			after := signals[Changed](h)[heard:]
			if !legal {
				if err != api.ErrState || len(after) != 0 || len(h.events(id)) != told {
					t.Errorf("%s: %v, %v", name, err, after)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(after) != 1 || after[0] != (Changed{h.Org, id, from, to, on, "Because."}) {
				t.Errorf("%s: signals %+v", name, after)
			}
			if got := h.events(id)[told:]; len(got) != 1 || got[0] != types[on] {
				t.Errorf("%s: events %v", name, got)
			}
			a := h.get(id)
			if a.Status != to || *a.StatusReason != "Because." || (a.LastError == nil) != (to == Active) {
				t.Errorf("%s: %+v", name, a)
			}
			if want := notices[on]; want != "" && !slices.Contains(h.notices(), want) {
				t.Errorf("%s: no notification %s in %v", name, want, h.notices())
			}
			first := h.Do("GET /accounts/"+id+"/activity?limit=1", nil).Want(200)
			if first.String("data.0.kind") != "STATUS_CHANGED" || !strings.Contains(first.String("data.0.message"), string(to)) {
				t.Errorf("%s: activity %s", name, first.Body)
			}
		}
	}
	if got := h.notices(); len(got) != len(notices) {
		t.Errorf("notifications %v", got)
	}
}

// TestTrouble is what errors of the platform do to an ACTIVE account, and that a
// restriction outlives whatever comes later.
func TestTrouble(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	back := func() {
		h.update(func(tx *store.Tx) error {
			a, err := accounts.Get(tx, h.Org, id)
			a.Status, a.LastError = Active, nil
			if err == nil {
				err = accounts.Put(tx, h.Org, &a)
			}
			return err
		})
	}
	for _, tt := range []struct {
		e    messenger.Error
		want Status
	}{
		{messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"}, Restricted},
		{messenger.Error{Fault: messenger.SessionEnded, Code: "SESSION_REVOKED"}, AuthRequired},
		{messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_UNREACHABLE"}, Failed},
		{messenger.Error{Fault: messenger.PeerUnreachable, Code: "PEER_BLOCKED"}, Active},
		{messenger.Error{Fault: messenger.ContentRefused, Code: "MESSAGE_TOO_LONG"}, Active},
		{messenger.Error{Fault: messenger.Busy, Code: "INTERNAL"}, Active},
		{messenger.Error{Fault: messenger.Refused, Code: "NEW"}, Active},
	} {
		back()
		h.trouble(id, &tt.e)
		a := h.get(id)
		if a.Status != tt.want || tt.want != Active && *a.LastError != tt.e.Code {
			t.Errorf("%s: %s, last error %v", tt.e.Code, a.Status, a.LastError)
		}
	}
	back()
	for range unreachableSends { // what this package itself refuses is no trouble
		for _, e := range []*messenger.Error{connection.ErrClosing, errTurnedOff, errSignedOut} {
			h.trouble(id, e)
		}
	}
	if a, p := h.get(id), h.pace(id); a.Status != Active || a.LastError != nil || p.Unreached != 0 {
		t.Errorf("%+v %+v", a, p)
	}
	lost := &messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"}
	for range 4 {
		h.trouble(id, lost)
	}
	if a := h.get(id); a.Status != Active || *a.LastError != "TRANSPORT" {
		t.Errorf("after four sends: %s", a.Status)
	}
	h.update(func(tx *store.Tx) error { return Sent(tx, h.Org, id, h.db.Now()) }) // in a row
	for range 4 {
		h.trouble(id, lost)
	}
	if a := h.get(id); a.Status != Active {
		t.Errorf("after four sends in a row: %s", a.Status)
	}
	h.trouble(id, lost)
	if a := h.get(id); a.Status != Disconnected {
		t.Errorf("after five sends in a row: %s", a.Status)
	}
	h.trouble(id, &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"})
	h.trouble(id, &messenger.Error{Fault: messenger.SessionEnded, Code: "SESSION_REVOKED"})
	h.trouble(id, lost)
	if a := h.get(id); a.Status != Restricted {
		t.Errorf("a restriction was lost: %s", a.Status)
	}
	gone := h.db.NewID("acc")
	h.trouble(gone, lost)
	h.trouble(gone, &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"})
}
