package apiv1

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"svc/store/storetest"
)

func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ name, remote, forwarded, want string }{
		{"direct", "192.0.2.7:1", "", "192.0.2.7"},
		{"a stranger's header", "192.0.2.7:1", "203.0.113.9", "192.0.2.7"},
		{"behind a proxy", "10.0.0.1:1", "203.0.113.9", "203.0.113.9"},
		{"what the client wrote before", "10.0.0.1:1", "1.1.1.1, 203.0.113.9", "203.0.113.9"},
		{"two proxies", "10.0.0.1:1", "203.0.113.9, 10.2.2.2", "203.0.113.9"},
		{"nonsense", "10.0.0.1:1", "203.0.113.9, x", "10.0.0.1"},
		{"mapped", "[::ffff:10.0.0.1]:1", "::ffff:203.0.113.9", "203.0.113.9"},
		{"no header", "10.0.0.1:1", "", "10.0.0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := setup(t)
			headers := []string{"RemoteAddr", tt.remote, "Authorization", "Bearer key"}
			if tt.forwarded != "" {
				headers = append(headers, "X-Forwarded-For", tt.forwarded)
			}
			if got := read(t, f.do(t, "GET /things", "", headers...)); !strings.Contains(got, "from "+tt.want+`"`) {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestRates(t *testing.T) {
	for _, tt := range []struct {
		name, route string
		headers     []string
		limit       string
		burst       int
		wait        string
	}{
		{"authentication", "POST /auth/login", nil, "30", 30, "2"},
		{"opt-out", "GET /public/opt-out/x", nil, "60", 20, "1"},
		{"a key", "GET /things", []string{"Authorization", "Bearer key"}, "600", 100, "1"},
		{"a person", "GET /things", []string{"Cookie", "svc_session=usr_1"}, "1200", 200, "1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := setup(t)
			for range tt.burst {
				if resp := f.do(t, tt.route, "", tt.headers...); resp.StatusCode != 200 || resp.Header.Get("X-RateLimit-Limit") != tt.limit {
					t.Fatalf("%d %v", resp.StatusCode, resp.Header)
				}
			}
			resp := f.do(t, tt.route, "", tt.headers...)
			if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != tt.wait || resp.Header.Get("X-RateLimit-Remaining") != "0" || resp.Header.Get("X-RateLimit-Reset") == "" {
				t.Errorf("%d %v", resp.StatusCode, resp.Header)
			}
			if tt.headers == nil && tt.name != "opt-out" {
				other := append([]string{"RemoteAddr", "192.0.2.8:1"}, tt.headers...)
				if f.do(t, tt.route, "", other...).StatusCode != 200 {
					t.Error("another address was refused")
				}
			}
			f.clock.Add(2 * time.Second)
			if f.do(t, tt.route, "", tt.headers...).StatusCode != 200 {
				t.Error("still refused after the wait")
			}
		})
	}
}

// TestManyLeaveFromOneAddress: after a mailing, each with a link of their own; a link has
// its rate from wherever it is opened (contract 21.3, Behind a proxy).
func TestManyLeaveFromOneAddress(t *testing.T) {
	f := setup(t)
	for i := range perLeavers.burst {
		if resp := f.do(t, fmt.Sprintf("POST /public/opt-out/link%d", i), ""); resp.StatusCode != 200 {
			t.Fatalf("person %d: %d", i, resp.StatusCode)
		}
	}
	if resp := f.do(t, "POST /public/opt-out/another", ""); resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "1" {
		t.Errorf("an address has no bound: %d", resp.StatusCode)
	}
	f = setup(t)
	for i := range perOptOut.burst {
		f.do(t, "GET /public/opt-out/x", "", "RemoteAddr", fmt.Sprintf("192.0.2.%d:1", i+1))
	}
	if resp := f.do(t, "GET /public/opt-out/x", "", "RemoteAddr", "192.0.2.99:1"); resp.StatusCode != 429 {
		t.Errorf("a link has no bound: %d", resp.StatusCode)
	}
}

func TestOneHouseholdOfIPv6SharesARate(t *testing.T) {
	f := setup(t)
	for i := range 30 {
		f.do(t, "POST /auth/login", "", "RemoteAddr", "[2001:db8:1:2::"+string("0123456789abcdef"[i%16])+"]:1")
	}
	if f.do(t, "POST /auth/login", "", "RemoteAddr", "[2001:db8:1:2:ffff::1]:1").StatusCode != 429 {
		t.Error("another address of the same network has a rate of its own")
	}
	if f.do(t, "POST /auth/login", "", "RemoteAddr", "[2001:db8:1:3::1]:1").StatusCode != 200 {
		t.Error("another network was refused")
	}
}

func TestBucketsAreBounded(t *testing.T) {
	clock := storetest.NewClock()
	l := newLimits(nil, clock.Now)
	for i := range maxBuckets + 10 {
		l.spend(perAddress, netip.AddrFrom4([4]byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)}).String(), clock.Now())
	}
	if len(l.of) > maxBuckets {
		t.Errorf("%d buckets", len(l.of))
	}
	clock.Add(2 * time.Minute)
	l.spend(perAddress, "x", clock.Now())
	if len(l.of) != 1 {
		t.Errorf("%d buckets after all were full again", len(l.of))
	}
}
