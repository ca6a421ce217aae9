// Package board answers with what the analyses of conversations add up to: six boards, each a
// view of one dimension with its marks and flags, beside the period before.
//
// It promises that a board costs the days asked for and not the conversations, that every row
// leads to the conversations that it counts, and that boards of another kind (social content)
// are made of the same figures (contract 15.5). It refuses to write prose: package story does.
package board

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"svc/ai/narrative"
	"svc/app/insight/cases"
)

// Locale is a language in which people read boards.
type Locale string

// The locales.
const (
	Uzbek   Locale = "uz"
	Russian Locale = "ru"
	English Locale = "en"
)

// Metric is a figure of a board.
type Metric struct {
	Key      string         `json:"key" example:"satisfaction"`
	Label    string         `json:"label"`
	Value    *float64       `json:"value" doc:"null where nothing says."`
	Previous *float64       `json:"previous" doc:"In as many days before."`
	Unit     narrative.Unit `json:"unit" enum:"COUNT,SHARE,SCORE" doc:"A SHARE is 0 to 1."`
	Max      *float64       `json:"max" doc:"The highest value of a SCORE."`

	// Names are other words for it that prose may use; Good is 1 when more is better, -1 when
	// it is worse.
	Names []string `json:"-"`
	Good  int      `json:"-"`
}

// Item is a case of a board.
type Item struct {
	CaseID   string  `json:"case_id"`
	Label    string  `json:"label"`
	Count    int     `json:"count"`
	Share    float64 `json:"share" doc:"Of those that were classified, the unclear ones too; 0 to 1."`
	Change   int     `json:"change" doc:"Against as many days before."`
	Previous int     `json:"previous"`

	PreviousShare *float64 `json:"-"`
}

// Figures are what a board says, of conversations or of something else: what prose about it may
// say.
type Figures struct {
	Metrics []Metric
	Items   []Item
	// Whole is the key of the metric of which items are parts.
	Whole string
	// Before says that there is something to compare with.
	Before   bool
	From, To time.Time
	Zone     *time.Location
	Locale   Locale
}

// ItemPrefix is before the id of a case in the key of its figure.
const ItemPrefix = "case:"

// Facts are the figures as prose is held against them.
func (f *Figures) Facts() *narrative.Facts {
	out := &narrative.Facts{Locale: narrative.Locale(f.Locale), From: f.From.In(f.Zone), To: f.To.In(f.Zone)}
	for i := range f.Metrics {
		m := &f.Metrics[i]
		if m.Value == nil {
			continue
		}
		x := narrative.Metric{Key: m.Key, Names: append([]string{m.Label}, m.Names...), Value: *m.Value, Previous: m.Previous, Unit: m.Unit, Good: m.Good}
		if m.Max != nil {
			x.Max = *m.Max
		}
		out.Metrics = append(out.Metrics, x)
	}
	for i := range f.Items {
		it := &f.Items[i]
		x := narrative.Metric{
			Key: ItemPrefix + it.CaseID, Names: []string{it.Label}, Value: float64(it.Count), Unit: narrative.Count, Group: "case", Of: f.Whole, Part: &it.Share,
		}
		if f.Before {
			was := float64(it.Previous)
			x.Previous, x.PreviousPart = &was, it.PreviousShare
		}
		out.Metrics = append(out.Metrics, x)
	}
	return out
}

// Data is what a model reads of the figures: no words of customers but the names of cases.
func (f *Figures) Data() ([]byte, error) {
	type metric struct {
		Key      string   `json:"key"`
		Label    string   `json:"label"`
		Unit     string   `json:"unit"`
		Value    string   `json:"value"`
		Previous string   `json:"previous,omitempty"`
		Change   string   `json:"change,omitempty"`
		Share    string   `json:"share,omitempty"`
		Max      *float64 `json:"max,omitempty"`
	}
	var list []metric
	for i := range f.Metrics {
		m := &f.Metrics[i]
		if m.Value == nil {
			continue
		}
		x := metric{Key: m.Key, Label: m.Label, Unit: string(m.Unit), Value: f.Written(*m.Value, m.Unit), Max: m.Max}
		if m.Previous != nil {
			x.Previous, x.Change = f.Written(*m.Previous, m.Unit), direction(*m.Value-*m.Previous, m.Unit)
		}
		list = append(list, x)
	}
	for i := range f.Items {
		it := &f.Items[i]
		x := metric{Key: ItemPrefix + it.CaseID, Label: it.Label, Unit: string(narrative.Count), Value: f.Written(float64(it.Count), narrative.Count), Share: f.Written(it.Share, narrative.Share)}
		if f.Before {
			x.Previous, x.Change = f.Written(float64(it.Previous), narrative.Count), direction(float64(it.Change), narrative.Count)
		}
		list = append(list, x)
	}
	return json.Marshal(map[string]any{
		"task": "NARRATIVE", "language": f.Locale, "from": f.From.In(f.Zone).Format(time.DateOnly), "to": f.To.Add(-time.Second).In(f.Zone).Format(time.DateOnly), "metrics": list,
	})
}

// direction says how a figure went: what a text may call unchanged went nowhere.
func direction(d float64, u narrative.Unit) string {
	switch {
	case math.Abs(d) <= narrative.Still(u):
		return "SAME"
	case d > 0:
		return "UP"
	}
	return "DOWN"
}

// Written is a figure as the locale writes it.
func (f *Figures) Written(x float64, u narrative.Unit) string {
	switch u {
	case narrative.Share:
		return f.number(math.Round(x*1000)/10) + "%"
	case narrative.Score:
		return f.number(math.Round(x*10) / 10)
	}
	return f.number(math.Round(x))
}

// number writes groups of thousands and at most one decimal.
func (f *Figures) number(x float64) string {
	group, point := " ", ","
	if f.Locale == English {
		group, point = ",", "."
	}
	whole, tenth := math.Modf(math.Abs(x))
	digits := fmt.Sprintf("%.0f", whole)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + group + digits[i:]
	}
	if t := math.Round(tenth * 10); t > 0 {
		digits += point + fmt.Sprintf("%.0f", t)
	}
	if x < 0 {
		digits = "-" + digits
	}
	return digits
}

// Hash is the same for the same figures in the same locale.
func (f *Figures) Hash() (string, error) {
	b, err := f.Data()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16]), nil
}

func nameOf(n cases.Names, l Locale) string { return n.In(string(l)) }
