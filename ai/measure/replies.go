package measure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"svc/ai/check"
)

// repliesForm measures the validators: how many replies get exactly the codes that they
// must get, and each code by itself.
func repliesForm(items []Item, r *Report) error {
	var exact tally
	byCode := map[check.Code]*tally{}
	of := func(c check.Code) *tally {
		if byCode[c] == nil {
			byCode[c] = &tally{}
		}
		return byCode[c]
	}
	for _, i := range items {
		raw, err := json.Marshal(i.Fields)
		if err != nil {
			return err
		}
		c, err := check.ReadCase(raw)
		if err != nil {
			return fmt.Errorf("line %d: %w", i.Line, err)
		}
		got := check.Failed(check.Run(c.Input()))
		for _, code := range got {
			of(code).add(true, slices.Contains(c.Codes, code))
		}
		for _, code := range c.Codes {
			if !slices.Contains(got, code) {
				of(code).add(false, true)
			}
		}
		slices.Sort(got)
		slices.Sort(c.Codes)
		if right := slices.Equal(got, c.Codes); right {
			exact.hit++
		} else {
			exact.missed++
			r.mistake(i.Line, "reply", codes(c.Codes), codes(got), c.Reply)
		}
	}
	t := Table{"Replies", [][]string{{"code", "labelled", "found", "extra", "missed", "precision", "recall", "F1", "target"}}}
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		target := ""
		if code == check.UngroundedFact {
			target = "recall 0.97, precision 0.93"
		}
		t.Rows = append(t.Rows, byCode[code].row(string(code), target))
	}
	total := make([]string, len(t.Rows[0]))
	total[0], total[6], total[8] = "exact sets", figure(share(exact.hit, exact.hit+exact.missed)), "0.950"
	t.Rows = append(t.Rows, total)
	r.Tables = append(r.Tables, t)
	return nil
}

func codes(list []check.Code) string {
	if len(list) == 0 {
		return "none"
	}
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = string(c)
	}
	return strings.Join(out, " ")
}
