package narrative

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// checker proves the parts of one text.
type checker struct {
	facts    *Facts
	find     *finder
	problems []Problem
	links    []Link
}

func (c *checker) wrong(r Reason, part, start, end int, words string) {
	c.problems = append(c.problems, Problem{r, part, start, end, words})
}

// clause is a piece of a sentence that says one thing.
type clause struct {
	c          *checker
	part       int
	text       string
	start, end int
	words      []word
	numbers    []number
	mentions   []mention
	sentence   []mention // of the whole sentence up to here
	named      []string  // facts of the paragraph; nil: all
	used       [][2]int  // numbers that are proven otherwise
}

// part proves one part of a text. claims is false for proposals.
func (c *checker) part(part int, text string, named []string, claims bool) {
	words := wordsOf(text)
	numbers, mentions := numbersOf(text, c.facts.Locale, words), c.find.find(words)
	numbers = slices.DeleteFunc(numbers, func(n number) bool { // a name may hold a number: iPhone 15
		return slices.ContainsFunc(mentions, func(m mention) bool { return m.start <= n.start && n.start < m.end })
	})
	numbers = c.dates(part, text, numbers)
	for _, s := range sentences(text) {
		var seen []mention
		for _, span := range clauses(text, s, words, numbers) {
			k := clause{c: c, part: part, text: text, start: span[0], end: span[1], named: named, sentence: seen}
			k.words = slices.DeleteFunc(within(words, span, func(w word) int { return w.start }), func(w word) bool { // names claim nothing
				return slices.ContainsFunc(mentions, func(m mention) bool { return m.start <= w.start && w.start < m.end })
			})
			k.numbers = within(numbers, span, func(n number) int { return n.start })
			k.mentions = within(mentions, span, func(m mention) int { return m.start })
			if claims {
				k.ratios()
				k.superlatives()
				k.directions()
			}
			k.prove()
			seen = append(seen, k.mentions...)
		}
	}
}

func within[T any](list []T, span [2]int, at func(T) int) (out []T) {
	for _, x := range list {
		if a := at(x); a >= span[0] && a < span[1] {
			out = append(out, x)
		}
	}
	return out
}

// sentences are the spans of sentences. A dot between digits ends none.
func sentences(text string) (out [][2]int) {
	start := 0
	for i, r := range text {
		if strings.ContainsRune(".!?;\n", r) && (i+1 >= len(text) || text[i+1] == ' ' || text[i+1] == '\n' || r == '\n' || r == ';') {
			out = append(out, [2]int{start, i + 1})
			start = i + 1
		}
	}
	return append(out, [2]int{start, len(text)})
}

// clauses split a sentence where another thing is said: at commas, colons and dashes with
// spaces, at words such as but, and at "and" once something was claimed.
func clauses(text string, s [2]int, words []word, numbers []number) (out [][2]int) {
	start := s[0]
	split := func(at int) {
		if at > start {
			out = append(out, [2]int{start, at})
			start = at
		}
	}
	for i := s[0]; i < s[1]; i++ {
		if (text[i] == ',' || text[i] == ':') && i+1 < s[1] && text[i+1] == ' ' {
			compares := func(w word) bool { return w.start == i+2 && anyOf(w.key, thanWords) }
			if !slices.ContainsFunc(words, compares) {
				split(i + 1)
			}
		} else if strings.HasPrefix(text[i:], " — ") || strings.HasPrefix(text[i:], " – ") {
			split(i + 1)
		}
		for _, w := range words {
			if w.start != i {
				continue
			}
			claimed := func() bool {
				return slices.ContainsFunc(words, func(v word) bool { return v.start >= start && v.end <= i && directionOf(v.key) != 0 }) ||
					slices.ContainsFunc(numbers, func(n number) bool { return n.start >= start && n.end <= i })
			}
			if anyOf(w.key, stopWords) || anyOf(w.key, andWords) && claimed() {
				split(i)
			}
		}
	}
	return append(out, [2]int{start, s[1]})
}

// dates takes dates and lengths of the period out of the numbers, and proves them.
func (c *checker) dates(part int, text string, numbers []number) (rest []number) {
	for i := 0; i < len(numbers); i++ {
		n := numbers[i]
		whole := n.decimals == 0 && !n.percent && n.scale == 1
		if d, end, ok := writtenDate(text, n.start); ok {
			c.inPeriod(part, text, n.start, end, d)
			for i+1 < len(numbers) && numbers[i+1].start < end {
				i++
			}
			continue
		}
		month := 0
		if whole && n.value >= 1 && n.value <= 31 {
			if month = monthOf(n.after, c.facts.Locale); month == 0 && c.facts.Locale == English {
				month = monthOf(n.before, c.facts.Locale)
			}
			if month == 0 && i+1 < len(numbers) && numbers[i+1].start-n.end <= 8 { // 5–11 November, 5 dan 11 noyabrgacha
				if next := numbers[i+1]; next.value <= 31 && next.decimals == 0 && !next.percent {
					month = monthOf(next.after, c.facts.Locale)
				}
			}
		}
		switch {
		case month > 0:
			d := time.Date(c.facts.From.Year(), time.Month(month), int(n.value), 0, 0, 0, 0, c.facts.From.Location())
			if d.Before(c.facts.From.AddDate(0, -6, 0)) {
				d = d.AddDate(1, 0, 0)
			}
			c.inPeriod(part, text, n.start, n.end, d)
		case whole && n.value >= 1900 && n.value < 2200 && (monthOf(n.before, c.facts.Locale) > 0 || anyOf(n.after, stemsOf("yil год г$ year"))):
			if y := int(n.value); y != c.facts.From.Year() && y != c.facts.To.Add(-time.Second).Year() {
				c.wrong(WrongDate, part, n.start, n.end, text[n.start:n.end])
			}
		case whole && anyOf(n.after, dayWords):
			if days := c.facts.To.Sub(c.facts.From).Hours() / 24; math.Round(days) != n.value {
				c.wrong(WrongDate, part, n.start, n.end, text[n.start:n.end])
			}
		default:
			rest = append(rest, n)
		}
	}
	return rest
}

// writtenDate reads 05.11.2026 and 2026-11-05.
func writtenDate(text string, at int) (d time.Time, end int, ok bool) {
	for _, layout := range []string{"02.01.2006", time.DateOnly} {
		if end = at + len(layout); end <= len(text) {
			if d, err := time.Parse(layout, text[at:end]); err == nil {
				return d, end, true
			}
		}
	}
	return d, 0, false
}

// inPeriod holds that a date lies in the period or the one before.
func (c *checker) inPeriod(part int, text string, start, end int, d time.Time) {
	first := c.facts.From.Add(-c.facts.To.Sub(c.facts.From))
	day := time.Date(d.Year(), d.Month(), d.Day(), 12, 0, 0, 0, c.facts.From.Location())
	if day.Before(first) || day.After(c.facts.To) {
		c.wrong(WrongDate, part, start, end, text[start:end])
	}
}

func (k *clause) wrong(r Reason, start, end int) {
	k.c.wrong(r, k.part, start, end, strings.TrimSpace(k.text[start:end]))
}

// subject is what a clause speaks of near a place: the nearest name with those that are joined
// to it, else the last one of the sentence, else what the paragraph names alone.
func (k *clause) subject(at int) []*Metric {
	if len(k.mentions) > 0 {
		near := slices.MinFunc(k.mentions, func(a, b mention) int { return cmp.Compare(a.far(at), b.far(at)) })
		out := []*Metric{near.metric}
		for changed := true; changed; {
			changed = false
			for _, m := range k.mentions {
				joined := m.end <= near.start && k.joins(m.end, near.start) || near.end <= m.start && k.joins(near.end, m.start)
				if joined && !slices.Contains(out, m.metric) {
					out = append(out, m.metric)
					changed = true
				}
			}
		}
		return out
	}
	if n := len(k.sentence); n > 0 {
		return []*Metric{k.sentence[n-1].metric}
	}
	for i := range k.numbers {
		if m, _ := k.match(&k.numbers[i], k.allowed()); m != nil {
			return []*Metric{m}
		}
	}
	if len(k.named) == 1 {
		if m := k.c.facts.metric(k.named[0]); m != nil {
			return []*Metric{m}
		}
	}
	return nil
}

func (m *mention) far(at int) int { return min(abs(m.start-at), abs(m.end-at)) }

func abs(n int) int { return max(n, -n) }

// joins says that nothing but a comma or an "and" stands between two names.
func (k *clause) joins(from, to int) bool {
	between := wordsOf(k.text[from:to])
	return len(between) == 0 && to-from <= 2 || len(between) == 1 && anyOf(between[0].key, andWords)
}

// allowed are the metrics that the paragraph names; all for a headline.
func (k *clause) allowed() (out []*Metric) {
	for i := range k.c.facts.Metrics {
		if m := &k.c.facts.Metrics[i]; k.named == nil || slices.Contains(k.named, m.Key) {
			out = append(out, m)
		}
	}
	return out
}

// prove holds each number of the clause against the metrics of which it speaks.
func (k *clause) prove() {
	changing := slices.ContainsFunc(k.words, func(w word) bool { d := directionOf(w.key); return d != 0 && d != 3 })
	for i := range k.numbers {
		n := &k.numbers[i]
		if slices.ContainsFunc(k.used, func(u [2]int) bool { return u[0] <= n.start && n.start < u[1] }) || k.outOf(n) {
			continue
		}
		m, ok := k.proven(n, changing)
		switch {
		case m == nil:
			k.wrong(WrongNumber, n.start, n.end)
		case !ok:
			k.wrong(WrongFacts, n.start, n.end)
		default:
			k.c.links = append(k.c.links, Link{k.part, n.start, n.end, m.Key})
		}
	}
}

// outOf says that a number is the end of a scale: 3.4 out of 5, 3,4 из 5, 5 dan 3,4.
func (k *clause) outOf(n *number) bool {
	if n.percent || n.decimals > 0 || !anyOf(n.before, ofWords) && !anyOf(n.after, ofWords) && !strings.HasSuffix(k.text[:n.start], "/") {
		return false
	}
	speaks := append(slices.Clone(k.mentions), k.sentence...)
	return slices.ContainsFunc(speaks, func(m mention) bool { return m.metric.Max == n.value && n.value > 0 })
}

// proven is the metric whose figure a number is; ok is false when the paragraph does not name it.
func (k *clause) proven(n *number, changing bool) (m *Metric, ok bool) {
	want := -1
	if changing {
		want = roleOf(n)
	}
	fits := func(list []*Metric) *Metric {
		var other *Metric
		for _, x := range list {
			for _, f := range x.figures() {
				if !n.is(&f) || want >= 0 && int(f.role) != want {
					continue
				}
				if k.named == nil || slices.Contains(k.named, x.Key) {
					return x
				}
				other = x
			}
		}
		return other
	}
	if beside := k.beside(n); beside != nil {
		m = fits(append([]*Metric{beside}, k.partsOf(beside)...))
	} else if own := metricsOf(k.mentions); len(own) > 0 {
		if m = fits(own); m == nil {
			m = fits(metricsOf(k.sentence))
		}
	} else if before := metricsOf(k.sentence); len(before) > 0 {
		m = fits(before)
	} else {
		m = fits(k.allowed())
	}
	return m, m != nil && (k.named == nil || slices.Contains(k.named, m.Key))
}

// partsOf are the metrics of the sentence that count a part of another one: delivery came up
// in 45 conversations.
func (k *clause) partsOf(whole *Metric) []*Metric {
	return slices.DeleteFunc(metricsOf(append(slices.Clone(k.mentions), k.sentence...)), func(m *Metric) bool { return m.Of != whole.Key })
}

// beside is the metric whose name stands directly at a number; nil for none.
func (k *clause) beside(n *number) *Metric {
	for _, m := range k.mentions {
		behind := strings.Trim(k.text[n.end:max(n.end, m.start)], " \u00a0")
		if m.start >= n.end && m.start-n.end <= 6 && m.metric.Unit == Count && !n.percent && (behind == "" || behind == "ta") {
			return m.metric
		}
		if m.end <= n.start && strings.Trim(k.text[m.end:n.start], " :=(") == "" {
			return m.metric
		}
	}
	return nil
}

// roleOf is what the words beside a number say that it is; -1: nothing.
func roleOf(n *number) int {
	switch {
	case anyOf(n.before, stemsOf("by$ на$")):
		return int(isChange)
	case anyOf(n.before, stemsOf("from$ с$ со$")), anyOf(n.after, stemsOf("dan$ tadan$ foizdan$ balldan$")):
		return int(isPrevious)
	case anyOf(n.before, stemsOf("to$ до$")), anyOf(n.after, stemsOf("gacha$ tagacha$ foizgacha$")):
		return int(isValue)
	}
	return -1
}

// match is a metric of a list that has a number.
func (k *clause) match(n *number, list []*Metric) (*Metric, bool) {
	for _, m := range list {
		for _, f := range m.figures() {
			if n.is(&f) {
				return m, true
			}
		}
	}
	return nil, false
}

func metricsOf(list []mention) (out []*Metric) {
	for _, m := range list {
		if !slices.Contains(out, m.metric) {
			out = append(out, m.metric)
		}
	}
	return out
}
