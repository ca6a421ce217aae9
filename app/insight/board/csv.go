package board

import (
	"iter"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
)

var csvHeader = []string{"kind", "key", "label", "value", "previous", "change", "share"}

// CSV are the figures of a board as a table: metrics, cases, and the metrics of each day of the
// series.
func (f *Figures) CSV(board string, series iter.Seq2[string, map[string]*float64]) api.Text {
	name := strings.ToLower(board) + "-" + f.From.In(f.Zone).Format(time.DateOnly) + ".csv"
	return api.CSV(name, csvHeader, func(yield func([]string, error) bool) {
		for _, m := range f.Metrics {
			if !yield(m.csv(), nil) {
				return
			}
		}
		for _, x := range f.Items {
			if !yield([]string{"case", x.CaseID, x.Label, strconv.Itoa(x.Count), strconv.Itoa(x.Previous), strconv.Itoa(x.Change), csvNumber(&x.Share)}, nil) {
				return
			}
		}
		for day, values := range series {
			for _, m := range f.Metrics {
				if !yield([]string{"day", day, m.Label, csvNumber(values[m.Key]), "", "", ""}, nil) {
					return
				}
			}
		}
	})
}

func (m *Metric) csv() []string {
	change := ""
	if m.Value != nil && m.Previous != nil {
		d := *m.Value - *m.Previous
		change = csvNumber(&d)
	}
	return []string{"metric", m.Key, m.Label, csvNumber(m.Value), csvNumber(m.Previous), change, ""}
}

func csvNumber(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}
