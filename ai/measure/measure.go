// Package measure holds rules beside labelled messages: it reads a corpus, tells by the
// fields of its items what they are labelled for, and counts how often the rules agree.
//
// It promises tables for any file of a known form, without a server and without a
// model, and the line of each mistake; with a model (RunWith), those of the rules and the
// model together as well.
//
// It refuses to say whether a figure is good: targets stand beside it.
package measure

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Item is one labelled thing of a corpus.
type Item struct {
	Line   int // of the file, from 1
	Fields map[string]json.RawMessage
}

// Mistake is a label that the rules did not meet.
type Mistake struct {
	Line            int
	Form, Want, Got string
	Text            string // with personal data masked
}

// Table is a heading and rows, the first of which names the columns.
type Table struct {
	Title string
	Rows  [][]string
}

// Report is what a corpus was measured to.
type Report struct {
	Items    int
	Tables   []Table
	Mistakes []Mistake
}

// form is what items may be labelled for.
type form struct {
	name   string
	fields []string // an item that has all of them is of the form
	run    func(items []Item, r *Report) error
}

// forms are the known forms, one a line.
var forms = []form{
	{"signals", []string{"text", "stop", "human", "complaint", "asks_ai"}, signalsForm},
	{"language", []string{"text", "lang"}, languageForm},
	{"masking", []string{"text", "pii"}, maskingForm},
	{"retrieval", []string{"chunks", "queries"}, retrievalForm},
	{"replies", []string{"conversation", "reply", "codes"}, repliesForm},
}

// Forms names the known forms with the fields that tell each.
func Forms() []string {
	out := make([]string, len(forms))
	for i, f := range forms {
		out[i] = f.name + " (" + strings.Join(f.fields, ", ") + ")"
	}
	return out
}

// Bounds of a corpus.
const (
	maxFile  = 256 << 20
	maxItems = 1_000_000
)

// ErrNoForm says that no item is labelled for anything known.
var ErrNoForm = errors.New("no item has the fields of a known form")

// Run reads a corpus, one JSON object after another, and measures it in each form that its
// items have.
func Run(in io.Reader) (*Report, error) {
	items, err := load(in)
	if err != nil {
		return nil, err
	}
	return runForms(items)
}

func runForms(items []Item) (*Report, error) {
	r := &Report{Items: len(items)}
	known := false
	for _, f := range forms {
		var of []Item
		for _, i := range items {
			if i.has(f.fields) {
				of = append(of, i)
			}
		}
		if len(of) == 0 {
			continue
		}
		known = true
		if err := f.run(of, r); err != nil {
			return nil, err
		}
	}
	if !known {
		return nil, ErrNoForm
	}
	return r, nil
}

func (i *Item) has(fields []string) bool {
	for _, f := range fields {
		if _, ok := i.Fields[f]; !ok {
			return false
		}
	}
	return true
}

// read decodes fields of an item into the fields of v.
func (i *Item) read(v any) error {
	raw, err := json.Marshal(i.Fields)
	if err == nil {
		err = json.Unmarshal(raw, v)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", i.Line, err)
	}
	return nil
}

// counted counts the line ends before an offset of what is read.
type counted struct {
	in    *bufio.Reader
	read  int64
	lines []int64 // offsets behind line ends
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.lines = append(c.lines, c.read+int64(i)+1)
		}
	}
	c.read += int64(n)
	return n, err
}

func load(in io.Reader) ([]Item, error) {
	c := &counted{in: bufio.NewReader(io.LimitReader(in, maxFile+1))}
	d := json.NewDecoder(c)
	var items []Item
	line := 1
	for {
		item := Item{}
		err := d.Decode(&item.Fields)
		for line <= len(c.lines) && c.lines[line-1] < d.InputOffset() {
			line++
		}
		item.Line = line
		switch {
		case errors.Is(err, io.EOF):
			if len(items) == 0 {
				return nil, errors.New("the file has no items: write one JSON object a line")
			}
			return items, nil
		case c.read > maxFile:
			return nil, fmt.Errorf("the file is longer than %d MiB", maxFile>>20)
		case err != nil:
			return nil, fmt.Errorf("near line %d: %w; write one JSON object a line", line, err)
		case len(items) == maxItems:
			return nil, fmt.Errorf("the file has more than %d items", maxItems)
		}
		items = append(items, item)
	}
}

// tally counts a yes-or-no label.
type tally struct{ hit, extra, missed, none int }

func (t *tally) add(got, want bool) bool {
	switch {
	case got && want:
		t.hit++
	case got:
		t.extra++
	case want:
		t.missed++
	default:
		t.none++
	}
	return got == want
}

func share(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func (t *tally) precision() float64 { return share(t.hit, t.hit+t.extra) }
func (t *tally) recall() float64    { return share(t.hit, t.hit+t.missed) }

func (t *tally) f1() float64 { return share(2*t.hit, 2*t.hit+t.extra+t.missed) }

func (t *tally) row(name, target string) []string {
	return []string{name, fmt.Sprint(t.hit + t.missed), fmt.Sprint(t.hit), fmt.Sprint(t.extra), fmt.Sprint(t.missed), figure(t.precision()), figure(t.recall()), figure(t.f1()), target}
}

func figure(f float64) string { return fmt.Sprintf("%.3f", f) }
