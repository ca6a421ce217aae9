package acceptance

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// soaking is how much a soak is: a short one shows that everything moves, one of two
// minutes and more also that memory does not.
type soaking struct {
	lasts            time.Duration
	accounts, people int
}

// howLong reads SVC_TEST_SOAK, such as 10m.
func howLong(t *testing.T) soaking {
	t.Helper()
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv("SVC_TEST_SOAK"), "10s"))
	if err != nil || lasts <= 0 {
		t.Fatalf("SVC_TEST_SOAK is %q, no time such as 10m", os.Getenv("SVC_TEST_SOAK"))
	}
	if lasts < tellsOfMemory {
		return soaking{lasts, 4, 200}
	}
	return soaking{lasts, 200, 5000}
}

const (
	tellsOfMemory = 2 * time.Minute
	samples       = 30
	// mayGrow is by how much the memory of the last third may exceed that of the first.
	mayGrow = 1.10
)

// TestSoak lets the real program send with many accounts, one message a second each, and
// receive what people write back, for as long as SVC_TEST_SOAK says: what it holds in
// memory after a collection must not grow.
func TestSoak(t *testing.T) {
	t.Parallel()
	s := howLong(t)
	sim := startSimulator(t, "")
	in := install(t)
	metrics, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	in.args = append(sim.args(), "--metrics", metrics)
	in.start()
	boss := in.administer()
	boss.acceptPolicy()
	boss.do("PUT", "/admin/settings", map[string]any{"default_min_interval_seconds": 1}).want(200)
	org := boss.do("GET", "/organization", nil).want(200).text("id")
	boss.do("PUT", "/admin/organizations/"+org+"/limits", map[string]any{"overrides": map[string]any{"accounts": nil}}).want(200)
	var accounts []string
	for i := range s.accounts {
		accounts = append(accounts, boss.connect(fmt.Sprintf("+99890000%04d", i), "", ""))
	}
	boss.importDemo(s.people)

	table := soak(boss, sim, metrics, s.lasts, accounts)
	tell(t, table)
	if sent := table[len(table)-1].sent; sent < s.accounts || wroteBack(boss) == 0 {
		t.Errorf("%d messages were sent, and %d people wrote back", sent, wroteBack(boss))
	}
	in.stop()
	if s.lasts < tellsOfMemory {
		return
	}
	early, late := middle(table[:samples/3]), middle(table[len(table)-samples/3:])
	t.Logf("memory after collections: %.1f MB in the first third, %.1f MB in the last", early, late)
	if late > early*mayGrow {
		t.Errorf("memory grew by %.0f %%", 100*(late/early-1))
	}
}

// soak sends one campaign after another, as many at a time as it takes to use every
// account, and measures meanwhile.
func soak(c *caller, sim *simulated, metrics string, lasts time.Duration, accounts []string) (table []sample) {
	t := c.in.t
	t.Helper()
	const most = 50 // accounts of a campaign
	groups := slices.Collect(slices.Chunk(accounts, most))
	campaigns := make([]string, len(groups))
	began := time.Now()
	tick := time.NewTicker(min(time.Second, lasts/samples))
	defer tick.Stop()
	for {
		for i, group := range groups {
			if campaigns[i] == "" || c.do("GET", campaigns[i], nil).want(200).text("status") == "COMPLETED" {
				campaigns[i] = toEverybody(c, group)
			}
		}
		if time.Since(began) >= time.Duration(len(table))*lasts/samples {
			table = append(table, measure(t, metrics, began, sim.count()))
		}
		if len(table) > samples {
			return table
		}
		<-tick.C
	}
}

func toEverybody(c *caller, accounts []string) (campaign string) {
	c.in.t.Helper()
	campaign = "/campaigns/" + c.do("POST", "/campaigns", map[string]any{
		"name": "Soak", "account_ids": accounts, "audience": map[string]any{"tags": []string{"everybody"}},
		"message": map[string]any{"text": "Salom {{first_name}}! {{opt_out_url}}"},
	}).want(201).text("id")
	c.do("POST", campaign+"/start", map[string]any{}).want(200)
	return campaign
}

// wroteBack is how many of 500 people wrote to an account.
func wroteBack(c *caller) int {
	c.in.t.Helper()
	return strings.Count(string(c.do("GET", "/recipients?sort=-last_messaged_at&limit=500", nil).want(200).body), `"last_replied_at":"`)
}

// sample is what the program says of itself at a moment.
type sample struct {
	at               time.Duration
	live, resident   float64 // MB: after the last collection; of the process, with its files
	goroutines, sent int
}

// measure asks for the figures. What was alive after the last collection follows from
// what will start the next one.
func measure(t testing.TB, addr string, began time.Time, sent int) sample {
	t.Helper()
	resp, err := http.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	figures := map[string]float64{}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), " "); ok {
			figures[name], _ = strconv.ParseFloat(value, 64) // a comment is no number, and asked for by nobody
		}
	}
	read := func(name string) float64 {
		if figures[name] == 0 {
			t.Fatalf("there is no figure %s", name)
		}
		return figures[name]
	}
	return sample{
		at: time.Since(began), live: read("go_memstats_next_gc_bytes") / (1 + read("go_gc_gogc_percent")/100) / (1 << 20), resident: read("process_resident_memory_bytes") / (1 << 20),
		goroutines: int(read("go_goroutines")), sent: sent,
	}
}

func tell(t *testing.T, table []sample) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%8s %10s %12s %11s %9s\n", "after", "live MB", "resident MB", "goroutines", "sent")
	for _, s := range table {
		fmt.Fprintf(&b, "%8s %10.1f %12.1f %11d %9d\n", s.at.Round(time.Second), s.live, s.resident, s.goroutines, s.sent)
	}
	t.Log("\n" + b.String())
}

// middle is the median of what was alive.
func middle(table []sample) float64 {
	live := make([]float64, len(table))
	for i := range table {
		live[i] = table[i].live
	}
	if len(live) == 0 {
		return math.NaN()
	}
	slices.Sort(live)
	return live[len(live)/2]
}
