package evaluation_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"svc/store/storetest"
)

// TestJudge: a judge that knows the certain answers is asked about each item; with too few
// verdicts of people it does not count for a gate. One that errs on three is void.
func TestJudge(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(2)
	e := w.ends(w.evaluate(set, map[string]any{"graders": []string{"CONTAINS", "JUDGE"}}), "COMPLETED")
	if e.Int("judge.known_right") != 20 || e.At("judge.void") != false || e.At("judge.reliable") != false || e.At("judge.kappa") != nil {
		t.Errorf("the judge: %v", e.At("judge"))
	}
	if e.At("by_grader.JUDGE.pass_rate") != 1.0 || e.At("pass_rate") != 1.0 {
		t.Errorf("its verdicts: %s", e.Body)
	}
	w.m.wrong = 3
	e = w.ends(w.evaluate(set, map[string]any{"graders": []string{"CONTAINS", "JUDGE"}}), "COMPLETED")
	if e.At("judge.void") != true || e.At("by_grader.JUDGE") != nil || e.At("pass_rate") != 1.0 {
		t.Errorf("a judge that errs: %s", e.Body)
	}
}

// TestPairs: the judge compares with the active version in both orders; a preference for the
// first place is a tie.
func TestPairs(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(1)
	w.ends(w.evaluate(set, map[string]any{}), "COMPLETED") // of the default prompt, which is active
	prompt := w.Do("POST /ai/prompts", map[string]any{"agent": "SELLER", "name": "House", "body": "Sell."}).Want(201).String("id")
	versus := func(second func() string) string {
		w.m.second = second
		id := w.evaluate(set, map[string]any{"prompt_version": prompt + "/1", "graders": []string{"CONTAINS", "JUDGE"}})
		w.ends(id, "COMPLETED")
		a := w.Do("GET /ai/evaluations/"+id+"/results?compare=active", nil).Want(200)
		if a.String("data.0.output") == "" || a.String("data.0.other.output") != a.String("data.0.output") || a.At("data.0.other.passed") != true {
			t.Errorf("beside the active version: %s", a.Body)
		}
		return a.String("data.0.versus")
	}
	if v := versus(nil); v != "TIE" {
		t.Errorf("always the first: %s", v)
	}
	calls := 0
	if v := versus(func() string {
		calls++
		return []string{`{"better":"FIRST"}`, `{"better":"SECOND"}`}[(calls-1)%2]
	}); v != "BETTER" || calls != 2 {
		t.Errorf("the same answer in both orders: %s after %d questions", v, calls)
	}
}

// TestFailedFirst: the results that failed stand before the others, each with what was expected
// and answered; of those that passed and of those that failed there are lists of their own.
func TestFailedFirst(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(2)
	wrong := w.Do("POST /ai/eval-datasets/"+set+"/items", map[string]any{
		"input":    map[string]any{"messages": []any{map[string]any{"author": "CUSTOMER", "text": "101 ta atirgul narxi qancha?"}}},
		"expected": map[string]any{"reply_contains": []string{"900000"}},
	}).Want(201).String("id")
	id := w.evaluate(set, map[string]any{"graders": []string{"CONTAINS"}})
	if e := w.ends(id, "COMPLETED"); e.Int("progress.passed") != 2 || e.Int("progress.total") != 3 {
		t.Fatalf("%s", e.Body)
	}
	path := "GET /ai/evaluations/" + id + "/results"
	a := w.Do(path, nil).Want(200)
	if a.String("data.0.item_id") != wrong || a.At("data.0.passed") != false || a.At("data.1.passed") != true || a.At("data.2.passed") != true ||
		!strings.Contains(a.String("data.0.output"), "1 400 000") || a.At("data.0.expected.reply_contains.0") != "900000" {
		t.Errorf("%s", a.Body)
	}
	if f, p := w.Do(path+"?passed=false", nil).Int("total"), w.Do(path+"?passed=true", nil).Int("total"); f != 1 || p != 2 {
		t.Errorf("%d failed and %d passed", f, p)
	}
}

// TestBudget: an evaluation that no budget has room for ends with what it has, and goes on
// with the rest when it is run again; no item is answered twice.
func TestBudget(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(30)
	cap := func(usd float64) {
		w.Do("PUT /ai/budgets", map[string]any{"budgets": []any{map[string]any{"period": "DAY", "limit_usd": usd}}}).Want(200)
	}
	cap(0.11)
	id := w.evaluate(set, map[string]any{})
	e := w.ends(id, "FAILED")
	done := e.Int("progress.done")
	if e.String("error_code") != "budget_exceeded" || done == 0 || done == 30 {
		t.Fatalf("%s with %d of 30 items: %s", e.String("error_code"), done, e.Body)
	}
	asked := w.m.asked.Load()
	cap(100)
	w.Do("POST /ai/evaluations/"+id+"/run", map[string]any{}).Want(202)
	e = w.ends(id, "COMPLETED")
	if e.Int("progress.done") != 30 || e.At("pass_rate") != 1.0 {
		t.Errorf("run again: %s", e.Body)
	}
	if more := w.m.asked.Load() - asked; more > 2*int64(30-done) {
		t.Errorf("%d questions for %d items", more, 30-done)
	}
}

// TestKilled kills a process in the middle of an evaluation. Another goes on with it: every
// item has one result, and the evaluation ends.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_KILLED"); dir != "" {
		victim(t, dir)
		return
	}
	const items = 200
	dir := t.TempDir()
	w := open(t, dir, "")
	set := w.furnish(items)
	id := w.Do("POST /ai/evaluations", map[string]any{"dataset_id": set, "graders": []string{"CONTAINS", "VALIDATORS"}}).Want(201).String("id")
	orgID := w.Org
	w.stop()

	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+dir, "SVC_TEST_ORG="+orgID, "SVC_TEST_EVALUATION="+id)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := 0
	for scan := bufio.NewScanner(out); scan.Scan(); {
		if _, err := fmt.Sscanf(scan.Text(), "done %d", &done); err == nil && done >= items/4 {
			_ = cmd.Process.Kill()
			break
		}
	}
	_ = cmd.Wait() // killed: it says so
	if done == 0 || done >= items {
		t.Fatalf("it was killed with %d of %d items", done, items)
	}

	w = open(t, dir, orgID)
	e := w.ends(id, "COMPLETED")
	if e.Int("progress.done") != items || e.Int("progress.passed") != items {
		t.Errorf("after the kill: %s", e.Body)
	}
	var page struct {
		Total int
		Data  []struct {
			ItemID string `json:"item_id"`
		}
	}
	w.Do("GET /ai/evaluations/"+id+"/results?limit=500", nil).Want(200).Into(&page)
	seen := map[string]bool{}
	for _, r := range page.Data {
		if seen[r.ItemID] {
			t.Errorf("%s has two results", r.ItemID)
		}
		seen[r.ItemID] = true
	}
	if len(seen) != items || page.Total != items {
		t.Errorf("%d results of %d items", page.Total, items)
	}
	storetest.Eventually(t, "executions of the killed process still run", func() bool {
		return w.Do("GET /ai/executions?status=RUNNING", nil).Int("total") == 0
	})
	cancelled := w.Do("GET /ai/executions?status=CANCELLED", nil).Int("total")
	t.Logf("killed with %d of %d items, %d under way", done, items, cancelled)
}

// victim runs the evaluation and says how far it is, until it is killed.
func victim(t *testing.T, dir string) {
	w := open(t, dir, os.Getenv("SVC_TEST_ORG"))
	path := "/ai/evaluations/" + os.Getenv("SVC_TEST_EVALUATION")
	w.Do("POST "+path+"/run", map[string]any{"concurrency": 4}).Want(202)
	storetest.Eventually(t, "the end", func() bool {
		fmt.Printf("done %d\n", w.Do("GET "+path, nil).Int("progress.done"))
		return false
	})
}

// TestCancel: what runs stops when a person cancels it, and keeps its results.
func TestCancel(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(40)
	id := w.evaluate(set, map[string]any{})
	storetest.Eventually(t, "nothing was answered", func() bool { return w.Do("GET /ai/evaluations/"+id, nil).Int("progress.done") > 0 })
	a := w.Do("POST /ai/evaluations/"+id+"/cancel", nil)
	if a.Status == 409 && strings.Contains(a.Body, "COMPLETED") {
		return // it was faster
	}
	if a.Want(200).String("status") != "CANCELLED" {
		t.Errorf("cancelled: %s", a.Body)
	}
	w.Do("POST /ai/evaluations/"+id+"/run", map[string]any{}).Want(409)
}

// BenchmarkEvaluation is 500 items answered by the demo model, beside its target of 30 s.
func BenchmarkEvaluation(b *testing.B) {
	w := openOver(b, b.TempDir(), "", simulated{})
	w.shop()
	set := w.dataset(500)
	for b.Loop() {
		begun := time.Now()
		e := w.ends(w.evaluate(set, map[string]any{}), "COMPLETED")
		took := time.Since(begun)
		if n := e.Int("progress.done"); n != 500 {
			b.Fatalf("%d of 500 items", n)
		}
		if took > evaluationTarget {
			b.Errorf("500 items took %v, target %v", took, evaluationTarget)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/500-items")
	b.ReportMetric(evaluationTarget.Seconds(), "target-s")
	done := w.Do("GET /ai/executions?mode=EVAL&limit=1", nil).Want(200)
	if done.Int("total") == 0 || done.At("data.0.demo") != true {
		b.Errorf("the demo model did not answer: %s", done.Body)
	}
}

const evaluationTarget = 30 * time.Second
