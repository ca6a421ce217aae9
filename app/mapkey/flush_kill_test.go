package mapkey

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const killedKeys = 40

// childFlush counts and flushes until it is killed, and tells on standard output
// what it is about to flush and what has been flushed.
func childFlush() {
	m := OpenMeter(os.Getenv("FILE"), MeterOptions{})
	out := os.Stdout
	for total := 0; ; total++ {
		for k := range killedKeys {
			m.Admit(KeyID(fmt.Sprint(k)), Product(k%8), noon, 0)
		}
		fmt.Fprintln(out, "begin", total+1)
		if err := m.Flush(context.Background()); err != nil {
			fmt.Fprintln(out, "failed", err)
			os.Exit(1)
		}
		fmt.Fprintln(out, "done", total+1)
	}
}

// TestKillDuringFlush: whatever moment the process is killed at, the file is
// sound and holds every acknowledged flush once, and at most the one that was
// under way besides.
func TestKillDuringFlush(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	sure := uint64(0) // in the file, from the runs before
	for round := range 12 {
		begun, done := runAndKill(t, path)
		if err := verifyUsage(path); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		first := uint64(0)
		for k := range killedKeys {
			rows, months := stored(t, path, KeyID(fmt.Sprint(k)))
			got := rows[hourProduct{hourOf(noon), Product(k % 8).String()}].requests
			if got != months[monthOf(noon)] {
				t.Errorf("round %d, key %d: hours say %d, month says %d", round, k, got, months[monthOf(noon)])
			}
			if k == 0 {
				first = got
			}
			if got != first {
				t.Errorf("round %d: half a flush: key 0 has %d, key %d has %d", round, first, k, got)
			}
		}
		if first < sure+done || first > sure+begun {
			t.Errorf("round %d: the file holds %d, acknowledged %d, begun %d, before %d", round, first, done, begun, sure)
		}
		sure = first
	}
	if sure == 0 {
		t.Error("no round got as far as a flush")
	}
}

// runAndKill runs the child, kills it at a random moment and answers the last
// flush it began and the last it finished.
func runAndKill(t *testing.T, path string) (begun, done uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=flush", "FILE="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = cmd.Process.Kill() }
	stop := time.AfterFunc(time.Minute, kill) // should the child hang
	defer stop.Stop()
	after := uint64(1 + rand.IntN(15))
	lines := bufio.NewScanner(out)
	armed := false
	for lines.Scan() {
		var n uint64
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "failed"):
			t.Fatal(line)
		case scan(line, "begin %d", &n):
			begun = n
		case scan(line, "done %d", &n):
			done = n
		}
		if begun >= after && !armed {
			armed = true
			time.AfterFunc(time.Duration(rand.IntN(8000))*time.Microsecond, kill)
		}
	}
	_ = cmd.Wait() // it was killed
	return begun, done
}

func scan(line, format string, n *uint64) bool {
	got, err := fmt.Sscanf(line, format, n)
	return err == nil && got == 1
}
