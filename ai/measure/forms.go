package measure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"svc/ai/lang"
	"svc/ai/mask"
	"svc/ai/signals"
)

// stopWords are those of an organization that never changed them.
var stopWords = []string{"stop", "to‘xta", "to‘xtat", "to‘xtating", "bekor qil", "стоп", "отписаться", "отпишите", "хватит", "unsubscribe", "opt out"}

// signalsForm measures stop, person, complaint, asks-AI, and the scenario where it is given.
func signalsForm(items []Item, r *Report) error {
	var certain, likely, person, complaint, asks tally
	scenarios := confusion{}
	for _, i := range items {
		var l struct {
			Text                   string
			Stop, Human, Complaint bool
			AsksAI                 bool `json:"asks_ai"`
			Intent                 string
		}
		if err := i.read(&l); err != nil {
			return err
		}
		s := signals.Read(l.Text, stopWords)
		for _, x := range []struct {
			name      string
			t         *tally
			got, want bool
		}{
			{"stop, certain", &certain, s.Stop.Certainty == signals.Certain, l.Stop},
			{"stop, certain or likely", &likely, s.Stop.Certainty >= signals.Likely, l.Stop},
			{"person", &person, s.Person, l.Human},
			{"complaint", &complaint, s.Complaint, l.Complaint},
			{"asks AI", &asks, s.AsksAI, l.AsksAI},
		} {
			if !x.t.add(x.got, x.want) {
				r.mistake(i.Line, x.name, fmt.Sprint(x.want), fmt.Sprint(x.got), l.Text)
			}
		}
		if l.Intent != "" && !scenarios.add(l.Intent, string(s.Scenario)) {
			r.mistake(i.Line, "scenario", l.Intent, string(s.Scenario), l.Text)
		}
	}
	r.Tables = append(r.Tables, Table{"Signals", [][]string{
		{"signal", "labelled", "found", "extra", "missed", "precision", "recall", "F1", "target"},
		certain.row("stop, certain", "precision 0.99"), likely.row("stop, certain or likely", "recall 0.97"),
		person.row("person", "F1 0.95"), complaint.row("complaint", "recall 0.85"), asks.row("asks AI", "F1 0.95"),
	}})
	if len(scenarios) > 0 {
		r.Tables = append(r.Tables, scenarios.table("Scenario", ""))
	}
	return nil
}

// languageForm measures the identifier.
func languageForm(items []Item, r *Report) error {
	all, long := confusion{}, confusion{}
	for _, i := range items {
		var l struct{ Text, Lang string }
		if err := i.read(&l); err != nil {
			return err
		}
		g := lang.Identify(l.Text)
		if g.Words >= 3 {
			long.add(l.Lang, g.Label())
		}
		if !all.add(l.Lang, g.Label()) {
			r.mistake(i.Line, "language", l.Lang, cmp.Or(g.Label(), "none"), l.Text)
		}
	}
	t := all.table("Language", "0.975")
	t.Rows = append(t.Rows, long.total("from three words", "0.990"))
	r.Tables = append(r.Tables, t)
	return nil
}

// maskingForm measures how many of each kind of personal data are found.
func maskingForm(items []Item, r *Report) error {
	kinds := []struct {
		name string
		kind mask.Kind
	}{{"card", mask.Card}, {"phone", mask.Phone}, {"email", mask.Email}}
	tallies := make([]tally, len(kinds))
	for _, i := range items {
		var l struct {
			Text string
			PII  map[string]int
		}
		if err := i.read(&l); err != nil {
			return err
		}
		m := mask.Text(l.Text)
		for n, k := range kinds {
			got, want := m.Count(k.kind), l.PII[k.name]
			t := &tallies[n]
			t.hit += min(got, want)
			t.extra += max(0, got-want)
			t.missed += max(0, want-got)
			if got != want {
				r.mistake(i.Line, "masking "+k.name, fmt.Sprint(want), fmt.Sprint(got), l.Text)
			}
		}
	}
	t := Table{"Masking", [][]string{{"kind", "labelled", "masked", "extra", "missed", "precision", "recall", "F1", "target"}}}
	for n, k := range kinds {
		t.Rows = append(t.Rows, tallies[n].row(k.name, "all, none extra"))
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// maxShown is how much of a text a mistake shows, in characters.
const maxShown = 120

func (r *Report) mistake(line int, form, want, got, text string) {
	shown := []rune(mask.Text(text).Text)
	if len(shown) > maxShown {
		shown = append(shown[:maxShown], '…')
	}
	r.Mistakes = append(r.Mistakes, Mistake{line, form, want, got, string(shown)})
}

// confusion counts answers by label.
type confusion map[string]map[string]int

func (c confusion) add(want, got string) bool {
	if c[want] == nil {
		c[want] = map[string]int{}
	}
	c[want][got]++
	return want == got
}

// table is the confusion with the share of right answers by label, and in all.
func (c confusion) table(title, target string) Table {
	var names []string
	for want, row := range c {
		names = append(names, want)
		names = slices.AppendSeq(names, maps.Keys(row))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	head := []string{"labelled as"}
	for _, n := range names {
		head = append(head, cmp.Or(n, "none"))
	}
	t := Table{title, [][]string{append(head, "right", "target")}}
	for _, want := range slices.Sorted(maps.Keys(c)) {
		row, all := []string{want}, 0
		for _, got := range names {
			row = append(row, fmt.Sprint(c[want][got]))
			all += c[want][got]
		}
		t.Rows = append(t.Rows, append(row, figure(share(c[want][want], all)), ""))
	}
	total := c.total("all", target)
	for len(total) < len(t.Rows[0]) {
		total = slices.Insert(total, 1, "")
	}
	t.Rows = append(t.Rows, total)
	return t
}

// total is a row with the share of right answers.
func (c confusion) total(name, target string) []string {
	right, all := 0, 0
	for want, row := range c {
		for got, n := range row {
			all += n
			if got == want {
				right += n
			}
		}
	}
	return []string{name, figure(share(right, all)), target}
}
