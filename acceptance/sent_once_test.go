package acceptance

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestNothingIsSentTwice kills the real program (kill -9) again and again while a
// campaign runs through a messenger that floods, drops connections and takes messages
// without answering. The messenger's own log has each recipient at most once, and the
// outcomes that the program tells add up to its audience. SVC_TEST_KILLS says how
// often; 3 when it is not set.
func TestNothingIsSentTwice(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(cmp.Or(os.Getenv("SVC_TEST_KILLS"), "3"))
	if err != nil || kills < 1 {
		t.Fatalf("SVC_TEST_KILLS is %q, no number above zero", os.Getenv("SVC_TEST_KILLS"))
	}
	people := 400 + 50*kills
	sim := startSimulator(t, hardTimes)
	in := install(t)
	in.args = sim.args()
	in.start()
	boss := in.administer()
	boss.acceptPolicy()
	var accounts []string
	for i := range 4 {
		accounts = append(accounts, boss.connect(fmt.Sprint("+99890000001", i), "", ""))
	}
	boss.importDemo(people)
	campaign := "/campaigns/" + boss.do("POST", "/campaigns", map[string]any{
		"name": "Once", "account_ids": accounts, "audience": map[string]any{"tags": []string{"everybody"}},
		"message": map[string]any{"text": "Salom {{first_name}}! {{opt_out_url}}"},
	}).want(201).text("id")
	boss.do("POST", campaign+"/start", map[string]any{}).want(200)
	for n := range kills {
		enough := sim.count() + 5 + rand.IntN(60)
		// Every account comes to its 43rd send at about the same time, and waits.
		waitFor(t, silence, fmt.Sprint(enough, " messages before kill ", n+1), func() bool {
			return sim.count() >= enough || boss.do("GET", campaign, nil).text("status") == "COMPLETED"
		})
		in.kill()
		in.start()
	}
	finish(boss, campaign)
	everyNumberAddsUp(boss, sim, campaign, people)
	in.stop()
}

// hardTimes are scenes that a campaign has to live through.
const hardTimes = `
every 97 sends flood 1
every 31 sends drop
every 67 sends drop-before
at 43 sends ack-only
at 71 sends ack-lost
`

// silence is how long a messenger may keep a campaign waiting that acknowledges and
// never answers, twice in a row.
const silence = 100 * time.Second

// finish waits for a campaign to complete, and goes on with what stopped it.
func finish(c *caller, campaign string) {
	c.in.t.Helper()
	status := ""
	last := -1
	for status != "COMPLETED" {
		waitFor(c.in.t, silence, "the campaign to come forward", func() bool {
			r := c.do("GET", campaign, nil).want(200)
			left := r.int("totals.pending")
			changed := r.text("status") != status || left != last
			status, last = r.text("status"), left
			return changed
		})
		if status == "PAUSED" {
			c.in.t.Fatalf("the campaign paused: %s", c.do("GET", campaign, nil).body)
		}
	}
}

// demoPeer is the number that the simulator gives demo_user_N.
func demoPeer(t testing.TB, username string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(username, "demo_user_"), 10, 64)
	if err != nil {
		t.Fatalf("%q is no person of the simulator", username)
	}
	return 1_000_000_000 + n
}

// everyNumberAddsUp compares what the messenger took with what the campaign tells of
// it: totals, rows, events, statistics, jobs.
func everyNumberAddsUp(c *caller, sim *simulated, campaign string, people int) {
	t := c.in.t
	t.Helper()
	once := map[int64]int{}
	for _, m := range sim.sent() {
		once[m.Peer]++
	}
	for peer, n := range once {
		if n > 1 {
			t.Errorf("%d got the message %d times", peer, n)
		}
	}
	r := c.do("GET", campaign, nil).want(200).says("totals.total", people).says("totals.pending", 0).says("totals.cancelled", 0)
	delivered, failed, skipped := r.int("totals.completed"), r.int("totals.failed"), r.int("totals.skipped")
	if delivered+failed+skipped != people {
		t.Errorf("%d delivered, %d failed, %d skipped of %d", delivered, failed, skipped, people)
	}
	type row struct {
		Status     string
		SkipReason string `json:"skip_reason"`
		ErrorCode  string `json:"error_code"`
		Recipient  struct{ Username string }
	}
	byStatus, unheard := map[string]int{}, 0
	for _, one := range pages[row](c, campaign+"/recipients?sort=-created_at") {
		byStatus[one.Status]++
		took := once[demoPeer(t, one.Recipient.Username)]
		switch {
		case took == 1 && one.Status == "SKIPPED" && one.SkipReason == "OPTED_OUT":
			unheard++ // the answer was lost, and then the person asked to stop (contract 20.4)
		case (one.Status == "DELIVERED") != (took == 1):
			t.Errorf("%s is %s (%s%s), and the messenger took %d messages to them", one.Recipient.Username, one.Status, one.SkipReason, one.ErrorCode, took)
		}
	}
	if delivered+unheard != len(once) {
		t.Errorf("%d delivered, %d unheard of, and the messenger took messages to %d", delivered, unheard, len(once))
	}
	if byStatus["DELIVERED"] != delivered || byStatus["FAILED"]+byStatus["UNREACHABLE"] != failed || byStatus["SKIPPED"] != skipped {
		t.Errorf("the rows say %v, the totals %s", byStatus, r.body)
	}
	type event struct {
		Type string
		Data struct {
			Row string `json:"campaign_recipient_id"`
		}
	}
	told := map[string]int{}
	for _, e := range pages[event](c, "/events?type=message.*") {
		told[e.Data.Row]++
	}
	if len(told) != people || slices.Max(slices.Collect(maps.Values(told))) != 1 {
		t.Errorf("events tell of %d of %d people, somebody's message %d times", len(told), people, slices.Max(slices.Collect(maps.Values(told))))
	}
	c.do("GET", campaign+"/statistics", nil).want(200).says("totals.completed", delivered).says("totals.failed", failed)
	c.do("GET", "/events?type=campaign.completed", nil).want(200).says("total", 1).says("data.0.data.totals.completed", delivered)
}
