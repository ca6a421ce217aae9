package measure

import (
	"fmt"
	"strings"

	"svc/ai/rank"
)

// retrievalForm measures which chunks questions find by keywords. An item is a whole corpus:
// chunks of businesses, and questions with the chunks that answer them.
func retrievalForm(items []Item, r *Report) error {
	for _, i := range items {
		var l rank.Labelled
		if err := i.read(&l); err != nil {
			return err
		}
		table, err := l.Measure()
		if err != nil {
			return fmt.Errorf("line %d: %w", i.Line, err)
		}
		r.Items += len(l.Queries) - 1
		t := Table{"Retrieval by keywords", [][]string{{"kind", "questions", "answer first", "recall@5", "target"}}}
		for _, k := range table {
			target := ""
			if goal := rank.Goal(k.Kind); goal > 0 {
				target = figure(goal)
			}
			t.Rows = append(t.Rows, []string{k.Kind, fmt.Sprint(k.Questions), fmt.Sprint(k.First), figure(k.Share()), target})
			for _, m := range k.Missed {
				r.mistake(i.Line, "retrieval, "+k.Kind, strings.Join(m.Want, " "), strings.Join(m.Got, " "), m.Query)
			}
		}
		r.Tables = append(r.Tables, t)
	}
	return nil
}
