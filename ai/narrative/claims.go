package narrative

import (
	"math"
	"slices"
	"strings"
)

// directionOf is what a word says of a change: 1 up, -1 down, 2 better, -2 worse, 3 unchanged.
func directionOf(key string) int {
	switch {
	case anyOf(key, upWords):
		return 1
	case anyOf(key, downWords):
		return -1
	case anyOf(key, betterWords):
		return 2
	case anyOf(key, worseWords):
		return -2
	case anyOf(key, stillWords):
		return 3
	}
	return 0
}

// directions proves the words of change.
func (k *clause) directions() {
	for i, w := range k.words {
		d := directionOf(w.key)
		if d == 0 || i+1 < len(k.words) && anyOf(k.words[i+1].key, thanWords) && k.compared() {
			continue
		}
		if i+1 < len(k.words) && d != 3 && anyOf(w.key, stemsOf("lower$ higher$ fewer$ better$ worse$")) && k.compared() {
			continue
		}
		negated := strings.Contains(w.key, "madi") || strings.Contains(w.key, "magan") && d != 3
		for _, before := range k.words[max(0, i-2):i] {
			negated = negated || anyOf(before.key, notWords)
		}
		if d == 3 {
			negated = false
		}
		subjects := k.subject(w.start)
		if len(subjects) == 0 {
			k.wrong(WrongDirection, w.start, w.end)
			continue
		}
		for _, m := range subjects {
			if !k.went(m, d, negated) {
				k.wrong(WrongDirection, w.start, w.end)
				break
			}
		}
	}
	// "не изменилось", "did not change"
	for i, w := range k.words {
		if i == 0 || !anyOf(w.key, stemsOf("изменил change")) || !slices.ContainsFunc(k.words[max(0, i-2):i], func(b word) bool { return anyOf(b.key, notWords) }) {
			continue
		}
		for _, m := range k.subject(w.start) {
			if !k.went(m, 3, false) {
				k.wrong(WrongDirection, w.start, w.end)
			}
		}
	}
}

// went says whether a metric went as a word says.
func (k *clause) went(m *Metric, d int, negated bool) bool {
	change, known := m.change()
	if !known {
		return false
	}
	by := signOf(change)
	if math.Abs(change) <= Still(m.Unit) && d == 3 {
		return true
	}
	if d == 2 || d == -2 {
		if m.Good == 0 {
			return false
		}
		d = d / 2 * m.Good
	}
	// The part of a count may go elsewhere than the count.
	if m.Part != nil && m.PreviousPart != nil && slices.ContainsFunc(k.numbers, func(n number) bool { return n.percent }) {
		if part := signOf(*m.Part - *m.PreviousPart); part == d && !negated {
			return true
		}
	}
	if negated {
		return by != d
	}
	return by == d
}

// compared says that the clause compares two metrics of one group with each other.
func (k *clause) compared() bool {
	return len(k.mentions) >= 2 && k.mentions[0].metric.Group != "" && k.mentions[0].metric.Group == k.mentions[1].metric.Group
}

// ratios proves multiples, halves and majorities.
func (k *clause) ratios() {
	for i := range k.words {
		for _, x := range multiples {
			if !follows(k.words[i:], x.stems) {
				continue
			}
			start, end := k.words[i].start, k.words[i+len(x.stems)-1].end
			k.used = append(k.used, [2]int{start, end})
			if !k.multiple(k.subject(start), x.times) {
				k.wrong(WrongRatio, start, end)
			}
			break
		}
		w := k.words[i]
		switch {
		case anyOf(w.key, halfWords):
			k.used = append(k.used, [2]int{w.start, w.end})
			above := i > 0 && anyOf(k.words[i-1].key, stemsOf("than$ больше$")) || strings.HasPrefix(w.key, "yarmidan")
			if !slices.ContainsFunc(k.subject(w.start), func(m *Metric) bool { return m.half(above) }) {
				k.wrong(WrongRatio, w.start, w.end)
			}
		case anyOf(w.key, majorityWords), anyOf(w.key, stemsOf("most$")) && i+1 < len(k.words) && k.words[i+1].key == "of":
			if !slices.ContainsFunc(k.subject(w.start), func(m *Metric) bool { p := m.part(); return p != nil && *p > 0.5 }) {
				k.wrong(WrongRatio, w.start, w.end)
			}
		}
	}
}

func follows(words []word, stems [][]string) bool {
	if len(words) < len(stems) {
		return false
	}
	for i, s := range stems {
		if !anyOf(words[i].key, s) {
			return false
		}
	}
	return true
}

// part is which part of a whole a metric is, nil for none.
func (m *Metric) part() *float64 {
	if m.Unit == Share {
		return &m.Value
	}
	return m.Part
}

func (m *Metric) half(above bool) bool {
	if p := m.part(); p != nil && (above && *p > 0.5 || !above && math.Abs(*p-0.5) <= 0.025) {
		return true
	}
	return !above && m.Previous != nil && *m.Previous != 0 && math.Abs(m.Value / *m.Previous - 0.5) <= 0.025
}

// multiple: the metric is so many times what it was, or what another one of the clause is;
// where it fell, the other way round.
func (k *clause) multiple(subjects []*Metric, times float64) bool {
	near := func(a, b float64) bool { return b != 0 && math.Abs(a/b-times) <= 0.05*times }
	if len(k.mentions) >= 2 {
		a, b := k.mentions[0].metric, k.mentions[1].metric
		if a != b && a.Group != "" && a.Group == b.Group {
			less := slices.ContainsFunc(k.words, func(w word) bool { return anyOf(w.key, lessWords) })
			return near(a.Value, b.Value) && !less || near(b.Value, a.Value) && less
		}
	}
	down := slices.ContainsFunc(k.words, func(w word) bool { return directionOf(w.key) == -1 || anyOf(w.key, lessWords) })
	for _, m := range subjects {
		if m.Previous == nil || !down && !near(m.Value, *m.Previous) || down && !near(*m.Previous, m.Value) {
			return false
		}
	}
	return len(subjects) > 0
}

// superlatives proves the highest and lowest, and comparisons of two metrics of a group.
func (k *clause) superlatives() {
	for i, w := range k.words {
		next := ""
		if i+1 < len(k.words) {
			next = k.words[i+1].key
		}
		least := anyOf(w.key, leastWords)
		super := least || anyOf(w.key, mostWords) && next != "of"
		if anyOf(w.key, superBefore) && (anyOf(next, superMore) || anyOf(next, superLess)) {
			super = true
			least = anyOf(next, superLess) || anyOf(w.key, lessWords)
		}
		if anyOf(w.key, mostWords) && anyOf(next, lessWords) {
			least = true
		}
		switch {
		case super:
			m := k.ranked(w.start)
			if m == nil || !k.c.facts.extreme(m, least) {
				k.wrong(WrongSuperlative, w.start, w.end)
			}
		case k.compared() && (anyOf(w.key, moreWords) || anyOf(w.key, lessWords)) && slices.ContainsFunc(k.words, func(v word) bool { return anyOf(v.key, thanWords) }):
			a, b := k.mentions[0].metric, k.mentions[1].metric
			if slices.ContainsFunc(k.words, func(v word) bool {
				return anyOf(v.key, stemsOf("qaraganda$ nisbatan$")) && v.start < k.mentions[1].start
			}) {
				a, b = b, a // B ga qaraganda A koʻproq
			}
			if less := anyOf(w.key, lessWords); less && a.Value >= b.Value || !less && a.Value <= b.Value {
				k.wrong(WrongSuperlative, w.start, w.end)
			}
		}
	}
}

// ranked is the metric of a group that a superlative speaks of.
func (k *clause) ranked(at int) *Metric {
	var near *mention
	for _, list := range [][]mention{k.mentions, k.sentence} {
		for i := range list {
			if m := &list[i]; m.metric.Group != "" && (near == nil || m.far(at) < near.far(at)) {
				near = m
			}
		}
		if near != nil {
			return near.metric
		}
	}
	// A name in what follows of the sentence: "The most common: delivery".
	rest := k.c.find.find(wordsOf(k.text[k.end:]))
	if len(rest) > 0 && rest[0].metric.Group != "" && len(strings.TrimSpace(k.text[k.end:k.end+rest[0].start])) <= 12 {
		return rest[0].metric
	}
	return nil
}

// extreme says whether a metric is the highest or lowest of its group.
func (f *Facts) extreme(m *Metric, least bool) bool {
	for i := range f.Metrics {
		if o := &f.Metrics[i]; o.Group == m.Group && (least && o.Value < m.Value || !least && o.Value > m.Value) {
			return false
		}
	}
	return true
}
