package narrative

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/ai/lang"
	"svc/geo/text/script"
)

// word is a word of a text, by its key.
type word struct {
	key        string
	start, end int
}

func wordsOf(text string) (out []word) {
	for _, w := range script.Words(text) {
		out = append(out, word{script.Key(w.Text), w.Start, w.End})
	}
	return out
}

// number is a number of a text.
type number struct {
	value      float64 // as written, without scale and sign
	scale      float64
	decimals   int
	percent    bool
	sign       int // 0: none was written
	start, end int
	before     string // the key of the word before it
	after      string // and behind it and its unit
}

// is says whether the number equals a figure, rounded to the digits shown.
func (n *number) is(f *figure) bool {
	if n.percent != f.percent {
		return false
	}
	if n.sign != 0 && (f.role != isChange || f.sign != n.sign) {
		return false
	}
	unit := math.Pow(10, float64(n.decimals))
	shown := math.Round(f.value/n.scale*unit) / unit
	if math.Abs(shown-n.value) < 1e-9 {
		return true
	}
	// Halves are rounded either way.
	return math.Abs(math.Abs(f.value/n.scale-n.value)*unit-0.5) < 1e-6
}

// numbersOf reads the numbers of a text as its locale writes them.
func numbersOf(text string, locale Locale, words []word) (out []number) {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r < '0' || r > '9' {
			at += size
			continue
		}
		n := digits(text, at, locale)
		if at > 0 {
			sign, w := utf8.DecodeLastRuneInString(text[:at])
			before, _ := utf8.DecodeLastRuneInString(text[:at-w])
			if at == w || unicode.IsSpace(before) || before == '(' {
				n.sign = map[rune]int{'-': -1, '−': -1, '–': -1, '+': 1}[sign]
			}
		}
		n.unit(text)
		out = append(out, n)
		at = n.end
	}
	for _, w := range lang.Numbers(text) {
		if w.Words && !w.Ordinal && (w.Value > 1 || w.Scaled) {
			n := number{value: w.Value, scale: 1, start: w.Start, end: w.End}
			n.unit(text)
			out = append(out, n)
		}
	}
	for i := range out {
		out[i].neighbours(words)
	}
	return out
}

// digits reads a number that begins at a place: groups of thousands and a decimal part.
func digits(text string, at int, locale Locale) number {
	run := func(from int) int {
		for from < len(text) && script.IsDigit(text[from]) {
			from++
		}
		return from
	}
	end := run(at)
	plain := text[at:end]
	for len(plain) <= 3 || strings.Contains(text[at:end], groupMark(locale)) || end-at > len(plain) {
		gap := groupAt(text, end, locale)
		if gap == 0 || run(end+gap) != end+gap+3 || len(plain) > 3 && end-at == len(plain) {
			break
		}
		plain += text[end+gap : end+gap+3]
		end += gap + 3
	}
	n := number{scale: 1, start: at}
	if end < len(text) && end+1 < len(text) && script.IsDigit(text[end+1]) {
		decimals := run(end+1) - end - 1
		switch c := text[end]; {
		case locale == English && c == '.', locale != English && c == ',', locale != English && c == '.' && decimals <= 2 && !dated(text, end):
			n.decimals = decimals
			plain += "." + text[end+1:end+1+decimals]
			end += 1 + decimals
		}
	}
	n.value, _ = strconv.ParseFloat(plain, 64) // digits of our own
	n.end = end
	return n
}

// dated: a second dot follows, as in 05.11.2026.
func dated(text string, dot int) bool {
	return len(text) > dot+3 && text[dot+3] == '.' && len(text) > dot+4 && script.IsDigit(text[dot+4])
}

func groupMark(locale Locale) string {
	if locale == English {
		return ","
	}
	return " "
}

// groupAt is how long the mark between groups of thousands is that stands at a place.
func groupAt(text string, at int, locale Locale) int {
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case locale == English && r == ',', locale != English && (r == ' ' || r == '\u00a0' || r == '\u202f'):
		return size
	}
	return 0
}

// unit reads what stands behind a number: a scale, a sign or word of percent.
func (n *number) unit(text string) {
	for range 3 {
		rest := text[n.end:]
		trimmed := strings.TrimLeft(rest, " \u00a0\u202f-")
		gap := len(rest) - len(trimmed)
		if strings.HasPrefix(trimmed, "%") {
			n.percent = true
			n.end += gap + 1
			continue
		}
		list := script.Words(cut(trimmed, 48))
		if len(list) == 0 || list[0].Start != 0 {
			return
		}
		key := script.Key(list[0].Text)
		switch by, ok := scales[key]; {
		case ok && (key != "k" || gap == 0) && n.scale == 1:
			n.scale = by
		case anyOf(key, percentWords) && (n.percent || !anyOf(key, []string{"point", "points$"})):
			n.percent = true
		case key == "p" && strings.HasPrefix(trimmed, "п. п."), key == "p" && strings.HasPrefix(trimmed, "п.п."): //nolint:dupword // percentage points, in Russian
			n.percent = true
		default:
			return
		}
		n.end += gap + list[0].End
	}
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func (n *number) neighbours(words []word) {
	for _, w := range words {
		if w.end <= n.start {
			n.before = w.key
		}
		if w.start >= n.end && n.after == "" {
			n.after = w.key
		}
		// 150dan, 120taga: endings are part of the same word.
		if w.start <= n.start && w.end > n.end {
			n.after = strings.TrimLeft(w.key, "0123456789-")
		}
	}
}

// mention is where a text names a metric.
type mention struct {
	metric     *Metric
	start, end int
}

// finder finds names of metrics in texts.
type finder struct{ names []name }

type name struct {
	metric *Metric
	stems  []string
}

func newFinder(f *Facts) *finder {
	out := &finder{}
	for i := range f.Metrics {
		for _, n := range f.Metrics[i].Names {
			var stems []string
			for _, w := range wordsOf(n) {
				stems = append(stems, stemOf(w.key))
			}
			if len(stems) > 0 {
				out.names = append(out.names, name{&f.Metrics[i], stems})
			}
		}
	}
	return out
}

// stemOf is the beginning of a word that its other forms have too.
func stemOf(key string) string {
	n := utf8.RuneCountInString(key)
	switch {
	case n > 7:
		n -= 3
	case n > 5:
		n -= 2
	case n > 4:
		n--
	}
	r := []rune(key)
	return string(r[:min(n, len(r))])
}

// find is where a text names metrics, in order. The longer of two names at one place counts.
func (x *finder) find(words []word) (out []mention) {
	for i := 0; i < len(words); {
		var best *name
		for n := range x.names {
			if c := &x.names[n]; c.at(words[i:]) && (best == nil || len(c.stems) > len(best.stems) || len(c.stems) == len(best.stems) && len(strings.Join(c.stems, "")) > len(strings.Join(best.stems, ""))) {
				best = c
			}
		}
		if best == nil {
			i++
			continue
		}
		last := i + len(best.stems) - 1
		out = append(out, mention{best.metric, words[i].start, words[last].end})
		i = last + 1
	}
	return out
}

func (n *name) at(words []word) bool {
	if len(words) < len(n.stems) {
		return false
	}
	for i, s := range n.stems {
		if !strings.HasPrefix(words[i].key, s) {
			return false
		}
	}
	return true
}
