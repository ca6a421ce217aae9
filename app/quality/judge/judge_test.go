package judge

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestKappa(t *testing.T) {
	repeat := func(n int, j, p bool) (judge, people []bool) {
		for range n {
			judge, people = append(judge, j), append(people, p)
		}
		return judge, people
	}
	mix := func(both, judgeOnly, peopleOnly, none int) (judge, people []bool) {
		for _, x := range []struct {
			n    int
			j, p bool
		}{{both, true, true}, {judgeOnly, true, false}, {peopleOnly, false, true}, {none, false, false}} {
			j, p := repeat(x.n, x.j, x.p)
			judge, people = append(judge, j...), append(people, p...)
		}
		return judge, people
	}
	for _, x := range []struct {
		a, b, c, d int
		kappa      float64
		ok         bool
	}{
		{20, 5, 10, 15, 0.4, true}, // the example of Cohen's paper
		{25, 0, 0, 25, 1, true},
		{13, 12, 13, 12, 0, true},
		{50, 0, 0, 0, 0, false}, // both always said yes: chance explains it
		{20, 5, 10, 14, 0, false},
	} {
		judge, people := mix(x.a, x.b, x.c, x.d)
		if kappa, ok := Kappa(judge, people); ok != x.ok || math.Abs(kappa-x.kappa) > 1e-9 {
			t.Errorf("%v: %v %v", x, kappa, ok)
		}
	}
}

func TestVerdictsMustQuoteWhatStandsThere(t *testing.T) {
	long := strings.Repeat("ж", maxQuote) // of two bytes
	data := `{"reply":"Narxi 900 000 soʻm.","conversation":[{"text":"Narxi qancha?"},{"text":"a` + long + `"}]}`
	all := func(change func([]Check)) []Check {
		var out []Check
		for _, q := range questions {
			out = append(out, Check{Name: q, Verdict: "yes"})
		}
		change(out)
		return out
	}
	for _, x := range []struct {
		name  string
		list  []Check
		score float64
		fails bool
	}{
		{"all yes", all(func([]Check) {}), 1, false},
		{"a no with its words", all(func(l []Check) { l[1].Verdict, l[1].Quote = "no", "narxi  900 000" }), 0.8, false},
		{"a no without words", all(func(l []Check) { l[1].Verdict = "no" }), 0, true},
		{"words that do not stand there", all(func(l []Check) { l[1].Verdict, l[1].Quote = "no", "bepul" }), 0, true},
		{"more words than are kept", all(func(l []Check) { l[1].Verdict, l[1].Quote = "no", "a"+long }), 0.8, false},
		{"a question twice", all(func(l []Check) { l[1].Name = l[0].Name }), 0, true},
		{"a question less", all(func([]Check) {})[1:], 0, true},
	} {
		v, err := read(x.list, data)
		if (err != nil) != x.fails || err == nil && v.Score != x.score {
			t.Errorf("%s: %v %v", x.name, v, err)
		}
	}
}

// TestJudgesSeeNoPersonalData: what a judge reads is masked, and does not say who wrote it.
func TestJudgesSeeNoPersonalData(t *testing.T) {
	c := Case{Reply: "Yozing: a@example.uz", Chunks: []string{"+998 90 123 45 67"}}
	b, err := json.Marshal(c.masked())
	if err != nil {
		t.Fatal(err)
	}
	if s := string(b); s != `{"conversation":null,"offers":null,"knowledge":["[PHONE]"],"expected":{},"reply":"Yozing: [EMAIL]"}` {
		t.Error(s)
	}
	if n := len(Known()); n != 20 {
		t.Errorf("%d known answers", n)
	}
}
