package channel_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/storetest"
)

// TestKilled kills a process that takes webhooks in, again and again. Every message of a webhook
// that was answered with 200 is in its conversation once, those of a person in the order in which
// they were answered (section 6.2). SVC_TEST_KILLS says how often; 1 when it is not set.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_KILLED"); dir != "" {
		victim(t, dir)
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 1
	}
	dir := t.TempDir()
	w := open(t, dir, "", false)
	org := w.Org
	w.stop()
	whole := map[string][]string{}
	n := 0
	var slowest time.Duration
	for round := range kills {
		said := map[string][]string{}
		for _, line := range killOne(t, dir, org, round, 100+rand.IntN(400)) {
			person, text, _ := strings.Cut(line, " ")
			said[person] = append(said[person], text)
			whole[person] = append(whole[person], text)
			n++
		}
		begun := time.Now()
		w := open(t, dir, org, true)
		prefix := strconv.Itoa(round) + "/"
		storetest.Eventually(t, "what was acknowledged is not taken in", func() bool { return all(w.textsWith(prefix), said) })
		slowest = max(slowest, time.Since(begun))
		w.stop()
	}
	w = open(t, dir, org, false)
	have := w.texts()
	if !all(have, whole) {
		t.Error("what was taken in is not there in the end, or in another order")
	}
	once(t, have)
	w.stop()
	if slowest > restartTarget {
		t.Errorf("after a kill it took %v until everything was taken in, target %v", slowest, restartTarget)
	}
	t.Logf("%d kills, %d messages acknowledged, everything taken in within %v of a restart (target %v)", kills, n, slowest, restartTarget)
}

// restartTarget is how long after a restart everything that was answered with 200 is taken in
// (section 7).
const restartTarget = 10 * time.Second

// all says whether everything that was acknowledged stands in the conversations, in its order;
// what was stored and not acknowledged any more may stand between.
func all(have, said map[string][]string) bool {
	for person, want := range said {
		at := 0
		for _, text := range have[person] {
			if at < len(want) && text == want[at] {
				at++
			}
		}
		if at < len(want) {
			return false
		}
	}
	return true
}

func once(t *testing.T, have map[string][]string) {
	t.Helper()
	for person, list := range have {
		seen := map[string]bool{}
		for _, text := range list {
			if seen[text] {
				t.Errorf("%q of %s is there twice", text, person)
			}
			seen[text] = true
		}
	}
}

// killOne starts a victim and kills it a moment after a number of acknowledgements.
func killOne(t *testing.T, dir, org string, round, behind int) (lines []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+dir, "SVC_TEST_ORG="+org, "SVC_TEST_ROUND="+strconv.Itoa(round))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(out); scan.Scan(); {
		line, ok := strings.CutPrefix(scan.Text(), "taken ")
		if !ok {
			continue
		}
		if lines = append(lines, line); len(lines) == behind {
			time.AfterFunc(time.Duration(rand.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(lines) < behind {
		t.Fatalf("the victim ended after %d webhooks, want %d", len(lines), behind)
	}
	return lines
}

// victim takes webhooks in until it is killed: one sender for each person, each webhook twice.
func victim(t *testing.T, dir string) {
	w := open(t, dir, os.Getenv("SVC_TEST_ORG"), true)
	round := os.Getenv("SVC_TEST_ROUND")
	var printing sync.Mutex
	var senders sync.WaitGroup
	for _, person := range people {
		senders.Go(func() {
			for n := 0; ; n++ {
				text := fmt.Sprintf("%s/%d", round, n)
				body := bodyOf(said{external, person, "m_" + person + "/" + text, text, time.Now()})
				for range 2 {
					w.post(body).Want(200)
				}
				printing.Lock()
				fmt.Printf("taken %s %s\n", person, text)
				printing.Unlock()
			}
		})
	}
	senders.Wait()
}
