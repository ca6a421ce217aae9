package send

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"svc/app/policy"
	"svc/messenger"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

// TestJudge draws what becomes of a job after a try (contract 4.8).
func TestJudge(t *testing.T) {
	faults := []struct {
		name string
		e    *messenger.Error
	}{
		{"taken", nil},
		{"Flood", &messenger.Error{Fault: messenger.Flood, Code: "FLOOD_WAIT", Wait: 30 * time.Second}},
		{"Wait", &messenger.Error{Fault: messenger.Wait, Code: "SLOWMODE_WAIT", Wait: 7 * time.Second}},
		{"Restricted", &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"}},
		{"SessionEnded", &messenger.Error{Fault: messenger.SessionEnded, Code: "AUTH_KEY_UNREGISTERED"}},
		{"PeerUnreachable", &messenger.Error{Fault: messenger.PeerUnreachable, Code: "PRIVACY_RESTRICTED"}},
		{"PeerUnreachable?", &messenger.Error{Fault: messenger.PeerUnreachable, Code: "SOMETHING_NEW"}},
		{"ContentRefused", &messenger.Error{Fault: messenger.ContentRefused, Code: "MESSAGE_TOO_LONG"}},
		{"Busy", &messenger.Error{Fault: messenger.Busy, Code: "RPC_CALL_FAIL"}},
		{"Unreachable", &messenger.Error{Fault: messenger.Unreachable, Code: "TIMEOUT"}},
		{"RouteFailed", &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_AUTH"}},
		{"SignInRefused", &messenger.Error{Fault: messenger.SignInRefused, Code: "phone_number_banned"}},
		{"Refused", &messenger.Error{Fault: messenger.Refused, Code: "INPUT_METHOD_INVALID"}},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %5s  %-11s %-22s %6s %6s %5s %5s %5s\n", "fault", "try", "status", "code", "wait", "counts", "hold", "flood", "tell")
	for _, x := range faults {
		for attempts := range maxAttempts {
			f := judge(x.e, attempts)
			if attempts > 0 && f == judge(x.e, attempts-1) {
				continue
			}
			fmt.Fprintf(&b, "%-16s %5d  %-11s %-22s %6v %6v %5v %5v %5v\n", x.name, attempts+1, f.status, f.code, f.wait, f.counts, f.hold, f.flood, f.unhealthy)
		}
	}
	golden(t, "testdata/judge.txt", b.String())
}

// golden compares with a file, or writes it with SVC_UPDATE=1.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("SVC_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs:\n%s", file, got)
	}
}

func TestWaitsFor(t *testing.T) {
	now := at("2026-03-01T12:00:00Z")
	in := now.Add
	paced := view{pace: policy.Pace{Last: now, Interval: 8 * time.Second, Limit: 10}}
	full := view{pace: policy.Pace{Sent: 10, SentOn: now, Limit: 10}}
	cooling := view{pace: policy.Pace{Cooldown: in(time.Minute), Limit: 10}}
	idle := view{pace: policy.Pace{Limit: 10}, dueAt: in(-time.Minute)}
	free := view{pace: policy.Pace{Limit: 10}, dueAt: now}
	held := view{pace: policy.Pace{Limit: 10, Hold: in(time.Minute)}, retryAt: in(time.Minute)}
	shared := view{pace: policy.Pace{Limit: 10}, other: true}
	flooded := view{pace: policy.Pace{Limit: 10}, retryAt: in(time.Minute)}
	for _, tt := range []struct {
		name   string
		lanes  []view
		closed bool
		paused bool
		want   policy.Wait
	}{
		{"nothing to send", nil, false, false, ""},
		{"one is sending", []view{cooling, {sending: true}}, true, true, ""},
		{"between two messages", []view{paced}, false, false, policy.WaitPacing},
		{"an administrator paused the queue", []view{paced}, true, true, policy.WaitWorker},
		{"the window is closed", []view{paced, full}, true, false, policy.WaitWindow},
		{"all cool down", []view{cooling, cooling}, false, false, policy.WaitCooldown},
		{"the first to go on counts", []view{full, cooling, paced}, false, false, policy.WaitPacing},
		{"the limits are reached", []view{full, full}, false, false, policy.WaitDailyLimit},
		{"cooling down before the next day", []view{full, cooling}, false, false, policy.WaitCooldown},
		{"nobody works", []view{idle}, false, false, policy.WaitWorker},
		{"it is about to be picked up", []view{free}, false, false, ""},
		{"another campaign has its turn", []view{shared}, false, false, policy.WaitPacing},
		{"the platform was not reached", []view{held}, false, false, policy.WaitWorker},
		{"what is left is tried again later", []view{flooded}, false, false, policy.WaitCooldown},
	} {
		if got := waitsFor(tt.lanes, !tt.closed, tt.paused, now); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
