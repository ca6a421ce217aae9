package evaluation_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"svc/app/quality/judge"
)

// labelled is a reply of the corpus of replies: it is good when no validator should refuse it.
type labelled struct {
	Reply string   `json:"reply"`
	Codes []string `json:"codes"`
	good  bool
}

// answer is the reply as a seller answers it.
func (l *labelled) answer() string {
	b, _ := json.Marshal(map[string]any{
		"reply": l.Reply, "language": "uz", "action": "ANSWER", "used_offer_ids": []string{}, "used_chunk_ids": []string{}, "proposed_stage": "", "asks_question": false,
		"handoff": map[string]any{"needed": false, "trigger": "", "reason": ""}, "facts": []any{}, "no_reply": false,
	}) // plain values
	return string(b)
}

// someReplies are as many good as bad ones of the corpus, by turns, each text once.
func someReplies(t *testing.T, n int) (out []labelled) {
	t.Helper()
	f, err := os.Open("../../../ai/check/testdata/replies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	seen := map[string]bool{}
	kinds := map[bool][]labelled{}
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var l labelled
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.good = len(l.Codes) == 0; l.Reply != "" && !seen[l.Reply] {
			seen[l.Reply] = true
			kinds[l.good] = append(kinds[l.good], l)
		}
	}
	for i := range n {
		list := kinds[i%2 == 0]
		if i/2 >= len(list) {
			t.Fatalf("the corpus has %d good and %d bad replies", len(kinds[true]), len(kinds[false]))
		}
		out = append(out, list[i/2])
	}
	return out
}

var number = regexp.MustCompile("Savol-([0-9]{3})")

// numberOf is the number in a question of TestPeople, -1 for none.
func numberOf(body string) int {
	m := number.FindStringSubmatch(body)
	if m == nil {
		return -1
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return -1
	}
	return n
}

// TestPeople: a judge is compared with what people said of replies, those of the corpus: with 49
// verdicts nothing is said, from the 50th on how far they agree beyond chance, which decides
// whether the judge is reliable. What it said of a reply before is not asked again; another
// model is another judge.
func TestPeople(t *testing.T) {
	w := open(t, t.TempDir(), "")
	set := w.furnish(1)
	w.m.replies = someReplies(t, 60)
	seldom, often := func(i int) bool { return i%10 == 0 }, func(i int) bool { return i%5 < 2 }
	w.m.errs = seldom
	hear := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			run := w.Do("POST /ai/playground/run", map[string]any{
				"business_id": w.business, "messages": []any{map[string]any{"author": "CUSTOMER", "text": fmt.Sprintf("Savol-%03d: narxi qancha?", i)}},
			}).Want(200)
			label := "WRONG_FACT"
			if w.m.replies[i].good {
				label = "GOOD"
			}
			f := w.Do("POST /ai/feedback", map[string]any{"target": "EXECUTION", "target_id": run.String("execution_id"), "labels": []string{label}}).Want(201)
			w.Do("POST /ai/feedback/"+f.String("id")+"/review", map[string]any{"decision": "ACCEPTED"}).Want(200)
		}
	}
	trust := func(people, asked int, errs func(int) bool) {
		t.Helper()
		before := w.m.judgedPeople.Load()
		e := w.ends(w.evaluate(set, map[string]any{"graders": []string{"CONTAINS", "JUDGE"}}), "COMPLETED")
		if n := int(w.m.judgedPeople.Load() - before); n != asked || e.Int("judge.people") != people || e.Int("judge.known_right") != 20 {
			t.Errorf("asked about %d, want %d: %v", n, asked, e.At("judge"))
		}
		var said, truth []bool
		for i := range people {
			said, truth = append(said, w.m.replies[i].good != errs(i)), append(truth, w.m.replies[i].good)
		}
		want, ok := judge.Kappa(said, truth)
		got, shown := e.At("judge.kappa").(float64)
		if shown != ok || math.Abs(got-want) > 1e-9 || e.At("judge.reliable") != (ok && want >= judge.LeastKappa) {
			t.Errorf("%d people: %v, want kappa %v (%v)", people, e.At("judge"), want, ok)
		}
		if ok {
			t.Logf("%d people: kappa %.3f, reliable %v", people, got, e.At("judge.reliable"))
		}
	}
	hear(0, 49)
	trust(49, 0, seldom)
	hear(49, 60)
	trust(60, 60, seldom)
	trust(60, 0, seldom)

	w.m.errs = often
	p := w.Do("GET /ai/providers", nil).Want(200).String("data.0.id")
	w.Do("PATCH /ai/agents/JUDGE/config", map[string]any{"chain": []any{map[string]any{"provider_id": p, "model": "gpt-6.1-terra"}}}).Want(200)
	trust(60, 60, often)
}
