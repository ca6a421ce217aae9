package account

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"svc/app/account/connection"
	"svc/messenger/messengertest"
	"svc/messenger/simulator/world/record"
)

// TestThousandInbound: a thousand accounts that wait for messages fit into 250 MB, with
// their sessions, places and peers in the store and the simulator in the same process;
// what people write then is stored, all of it.
func TestThousandInbound(t *testing.T) {
	n, each := 1000, 3
	if raceDetector {
		n = 60
	}
	h := newHarness(t)
	h.person(record.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	for i := range n {
		h.phone(record.Phone{Number: crowdNumber(i), Person: record.Person{ID: int64(5000 + i)}})
		h.account(crowdNumber(i), true)
	}
	before, begin := messengertest.Resident(), time.Now()
	h.run()
	h.eventually("everybody is online", func() bool { return h.s.OnlineCount() == n })
	connected := time.Since(begin)
	idle := messengertest.Resident()
	t.Logf("%d idle inbound accounts in %s: %d MB resident, %d MB before, %d goroutines", n, connected, idle, before, runtime.NumGoroutine())
	if idle >= 250 && !raceDetector {
		t.Errorf("%d MB idle, want less than 250", idle)
	}
	begin = time.Now()
	for k := range each {
		for i := range n {
			if _, err := h.w.Say("@ali_karim", crowdNumber(i), strconv.Itoa(k)); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.eventually("every message is stored", func() bool {
		return len(signals[connection.Received](h)) == n*each
	})
	t.Logf("%d messages stored in %s; %d MB resident", n*each, time.Since(begin), messengertest.Resident())
}

func crowdNumber(i int) string { return fmt.Sprintf("+99891%07d", i) }
