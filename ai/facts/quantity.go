package facts

import (
	"math"
	"strings"
	"unicode/utf8"

	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

// quantity is a number, or a range of numbers, with what is counted.
type quantity struct {
	min, max  float64
	from, to  int // words, from and up to
	start     int // byte of the first number
	end       int // byte behind the last number or its unit
	unit      word.Entity
	pieces    bool // "ta", "штук": pieces of something
	scaled    bool
	big       bool // written with groups of thousands or a scale
	glued     bool // behind a letter: A52
	attached  bool // the unit is written in the same word: 128GB
	ordinal   bool
	digits    int
	connected bool // the last word says "from": 3 oydan
}

// quantities finds everything with a number, and days that are named.
func (d *Document) quantities() {
	all := lang.Numbers(d.Source)
	var list []quantity
	at := 0
	for i := 0; i < len(all); i++ {
		n := all[i]
		for at < len(d.Words) && d.Words[at].End <= n.Start {
			at++
		}
		if at == len(d.Words) {
			break
		}
		if d.taken[at] || n.Start < d.Words[at].Start {
			continue
		}
		if d.clock(at, n.Start) || d.date(at) {
			continue
		}
		if k := d.Key(at - 1); (k == "polovini" || k == "polovine") && n.Ordinal { // с половины восьмого
			v := d.dayHalf(n.Value*60-30, at, at+1)
			d.addAt(Fact{Kind: Clock, Min: v, Max: v, Start: n.Start, End: n.End}, at, at+1)
			continue
		}
		if d.Key(at) == "half" && d.Key(at+1) == "past" && i+1 < len(all) { // half past six
			i++
			v := d.dayHalf(all[i].Value*60+30, at+2, at+3)
			if d.Has(at+4, word.Evening) || d.Has(at+5, word.Evening) { // in the evening
				v = math.Mod(v, 12*60) + 12*60
			}
			d.addAt(Fact{Kind: Clock, Min: v, Max: v, Start: n.Start, End: all[i].End}, at, at+3)
			continue
		}
		q := quantity{
			min: n.Value, max: n.Value, from: at, start: n.Start, end: n.End, scaled: n.Scaled, ordinal: n.Ordinal, digits: n.Digits,
			glued: n.Glued, big: n.Scaled || n.Value >= 1000 && n.Digits > 0 && n.Digits <= 3,
		}
		if n.RangeTo && i+1 < len(all) && !d.clockText(all[i+1].Start) && !either[strings.TrimSpace(d.Source[n.End:all[i+1].Start])] {
			i++
			q.max, q.end, q.scaled = all[i].Value, all[i].End, all[i].Scaled
			q.big = q.big || q.scaled
		}
		q.to = at
		for q.to < len(d.Words) && d.Words[q.to].Start < q.end {
			q.to++
		}
		d.unitOf(&q)
		list = append(list, q)
	}
	list = d.joinRanges(list)
	for i := len(list) - 2; i >= 0; i-- { // 3, 6 va 12 oyga: the unit is that of all
		a, b := &list[i], &list[i+1]
		between := strings.Trim(strings.ToLower(d.Source[min(a.end, b.start):b.start]), " ,")
		if a.unit.Kind == word.None && a.unit.ID == "" && !a.pieces && !a.glued && !a.big && a.max < b.min && (b.unit.Kind == word.Unit || b.unit.Kind == word.Measure) && (between == "" && strings.Contains(d.Source[min(a.end, b.start):b.start], ",") || either[between] || between == "va" || between == "и" || between == "and" || between == "ва") {
			a.unit = b.unit
		}
	}
	for i := range list {
		d.keep(&list[i])
	}
	d.halves()
	d.days()
}

// ordinalEnd stands behind the figures of a place in an order: 6th, 3-й.
var ordinalEnd = map[string]bool{"th": true, "st": true, "nd": true, "rd": true, "й": true, "я": true, "е": true, "го": true, "ю": true, "chi": true, "inchi": true, "nchi": true, "чи": true, "инчи": true, "нчи": true}

// either stands between numbers of which one holds.
var either = map[string]bool{"или": true, "yoki": true, "ёки": true, "or": true}

// unitOf reads what stands behind the number, or before it.
func (d *Document) unitOf(q *quantity) {
	rest := d.Source[q.end:]
	if trimmed := strings.TrimLeft(rest, " \u00a0"); strings.HasPrefix(trimmed, "%") {
		q.unit = word.Entity{Kind: word.Percent}
		q.end = len(d.Source) - len(trimmed) + 1
		return
	}
	last := &d.Words[q.to-1]
	if q.end < last.End { // 128GB, 3oyga: the unit in the same word
		r, n := utf8.DecodeRuneInString(rest)
		if r == '/' || r == '-' && n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			q.unit = word.Entity{Kind: word.None, ID: "code"}
			return
		}
		e := word.LookUp(phrase.Key(d.Source[q.end:last.End]))
		q.attached = true
		switch {
		case e.Kind == word.Measure && e.ID == word.UnitPiece:
			q.pieces = true
		case e.Kind != word.None:
			q.unit, q.end = e, last.End
			q.connected = e.End == "dan"
			return
		case d.Source[q.end:last.End] == "ь":
			q.end, q.attached = last.End, false // the soft sign of десять
		case ordinalEnd[strings.Trim(strings.ToLower(d.Source[q.end:last.End]), "-")]:
			q.end, q.attached, q.ordinal = last.End, false, true
		case d.Source[q.end:last.End] != "":
			q.end = last.End
			return
		}
	}
	next := q.to
	if next < len(d.Words) && d.Gap(next-1) == "-" && ordinalEnd[strings.ToLower(d.Source[d.Words[next].Start:d.Words[next].End])] {
		q.ordinal, q.end = true, d.Words[next].End // 6-я
		next++
	}
	if next < len(d.Words) && d.Near(next-1) && d.Entities[next].Kind == word.Measure && d.Entities[next].ID == word.UnitPiece {
		q.pieces = true
		q.end = d.Words[next].End
		next++
	}
	if next < len(d.Words) && (d.Near(next-1) || d.Gap(next-1) == ". ") {
		switch e := d.Entities[next]; e.Kind {
		case word.Currency, word.Percent, word.Unit, word.Measure:
			if e.Kind == word.Unit && d.Has(next+1, word.Morning|word.Evening) {
				break
			}
			q.unit, q.to, q.end = e, next+1, d.Words[next].End
			q.connected = e.End == "dan"
			return
		}
		if square := strings.HasPrefix(d.Key(next), "kvadrat") || d.Key(next) == "skuare" || d.Key(next) == "square" || d.Key(next) == "sq"; square && !strings.HasPrefix(d.Key(next+1), "m") && !strings.HasPrefix(d.Key(next), "sq") {
			q.unit, q.to, q.end = word.Entity{Kind: word.Measure, ID: "m2"}, next+1, d.Words[next].End
			return
		} else if (square || d.Key(next) == "kv") && strings.HasPrefix(d.Key(next+1), "m") {
			q.unit, q.to, q.end = word.Entity{Kind: word.Measure, ID: "m2"}, next+2, d.Words[next+1].End
			return
		}
		if d.Key(next) == "u" && strings.HasPrefix(d.Key(next+1), "e") {
			q.unit, q.to, q.end = word.Entity{Kind: word.Currency, ID: "USD"}, next+2, d.Words[next+1].End
			return
		}
	}
	trimmed := strings.TrimLeft(rest, " \u00a0")
	before := strings.TrimRight(d.Source[:q.start], " \u00a0")
	for sign, code := range map[string]string{"$": "USD", "€": "EUR", "₽": "RUB", "₸": "KZT"} {
		if strings.HasSuffix(before, sign) || strings.HasPrefix(trimmed, sign) {
			q.unit = word.Entity{Kind: word.Currency, ID: code}
			return
		}
	}
	if d.Key(q.from-1) == "of" && d.Key(q.from-2) == "age" {
		q.unit = word.Entity{Kind: word.Unit, ID: word.UnitMonth, Value: 12} // from the age of five
		return
	}
	if approximate[d.Key(q.from-1)] && d.Near(q.from-1) || (d.Key(q.from-1) == "cherez" || d.Key(q.from-1) == "za" || d.Key(q.from-1) == "na") && approximate[d.Key(q.from-2)] && d.Near(q.from-2) {
		i := q.from - 1
		if !approximate[d.Key(i)] {
			i--
		}
		q.unit, q.from = d.Entities[i], i // минут двадцать, минут через сорок
		return
	}
	if q.from > 0 && d.Near(q.from-1) {
		switch e := d.Entities[q.from-1]; {
		case e.Kind == word.Currency, e.Kind == word.Measure && e.ID == "size":
			q.unit = e
			q.from--
		}
	}
}

// approximate are the units that stand before their number in Russian when it is about so.
var approximate = map[string]bool{"minut": true, "chasov": true, "chasa": true, "dney": true, "dnya": true, "nedel": true, "nedeli": true, "mesyasev": true, "mesyasa": true, "let": true, "goda": true}

// joinRanges joins two quantities of which the first says "from" and the second has the
// same unit, or the only one.
func (d *Document) joinRanges(list []quantity) (out []quantity) {
	for _, q := range list {
		if len(out) == 0 {
			out = append(out, q)
			continue
		}
		a := &out[len(out)-1]
		if a.min == a.max && q.min == q.max && a.min < q.max && d.connects(a, &q) {
			if a.unit.Kind == word.None && !a.scaled && q.scaled && a.min*1000 <= q.max {
				a.min *= scale(q.max)
			}
			a.max, a.to, a.end, a.unit, a.big = q.max, q.to, q.end, q.unit, a.big || q.big
			a.pieces = q.pieces
			continue
		}
		out = append(out, q)
	}
	return out
}

func scale(v float64) float64 {
	switch {
	case v >= 1e9:
		return 1e9
	case v >= 1e6:
		return 1e6
	}
	return 1e3
}

// connects tells whether two quantities are the ends of a range.
func (d *Document) connects(a, b *quantity) bool {
	if a.unit.Kind != word.None && (a.unit.Kind != b.unit.Kind || a.unit.ID != b.unit.ID || a.unit.Value != b.unit.Value) || a.unit.ID == "code" || b.to-a.from > 12 {
		return false
	}
	between := strings.TrimSpace(d.Source[min(a.end, b.start):b.start])
	switch strings.ToLower(between) {
	case "-", "–", "—":
		return (a.digits == 0) == (b.digits == 0) || b.scaled // на двоих — 1780
	case "dan", "дан", "до", "to", "..":
		return true
	case "":
		return a.connected
	case "and", "и":
		return d.Has(a.from-1, word.From)
	}
	return false
}

// keep makes a fact of a quantity.
func (d *Document) keep(q *quantity) {
	if strings.HasPrefix(d.Source[d.Words[q.from].Start:], "24/7") {
		return
	}
	if q.glued || q.ordinal && q.unit.Kind != word.Measure {
		return
	}
	f := Fact{Min: q.min, Max: q.max}
	switch {
	case q.unit.Kind == word.Currency:
		f.Kind, f.Currency = Money, q.unit.ID
	case q.unit.Kind == word.Percent:
		f.Kind = Percent
	case q.unit.Kind == word.Unit && q.unit.Value == 60 && d.Has(q.from-1, word.At) && q.min <= 24 && d.Key(q.from-1) == "v":
		f.Kind, f.Min, f.Max = Clock, q.min*60, q.max*60
	case q.unit.Kind == word.Unit && q.unit.Value == 12 && q.min == q.max && 1900 < q.min && q.min < 2200:
		return // a year of the calendar
	case q.unit.Kind == word.Unit:
		f.Kind, f.Unit = Duration, q.unit.ID
		f.Min, f.Max = q.min*q.unit.Value, q.max*q.unit.Value
	case q.unit.Kind == word.Measure:
		f.Kind, f.Unit = Count, q.unit.ID
	case d.hourOf(q):
		return
	case q.unit.ID != "code" && d.isAmount(q):
		f.Kind = Money
	case q.pieces:
		f.Kind, f.Unit = Count, word.UnitPiece
	default:
		if d.isListNumber(q) || d.Key(q.from) == "bir" || d.Key(q.from) == "one" || d.Key(q.from) == "odin" {
			return
		}
		f.Kind = Count
	}
	f.Start, f.End = min(q.start, d.Words[q.from].Start), max(q.end, d.Words[q.from].End)
	d.addAt(f, q.from, q.to)
}

// isAmount tells a sum without a currency: groups of thousands or a scale, or a large
// number beside a word of price.
func (d *Document) isAmount(q *quantity) bool {
	if q.pieces || q.max < 1000 || q.attached && !q.scaled {
		return false
	}
	from, to := d.Sentence(q.from)
	if d.Any(from, to, word.Price|word.Discount|word.Budget|word.Agree|word.Compare) {
		return q.big || q.max >= 10000 || math.Mod(q.max, 100) == 0
	}
	if next := q.to; next < to && d.Near(next-1) && d.Entities[next].Kind == word.Month {
		return false
	}
	return q.big
}

// isListNumber tells "1." and "2)" at the beginning of a line.
func (d *Document) isListNumber(q *quantity) bool {
	before := strings.TrimRight(d.Source[:q.start], " \t")
	if before != "" && !strings.HasSuffix(before, "\n") {
		return false
	}
	rest := d.Source[q.end:]
	return strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ")")
}

// halves: полчаса, полгода; and one of a unit without a numeral: занимает час, in an hour.
func (d *Document) halves() {
	for i, e := range d.Entities {
		if e.Kind == word.HalfUnit && !d.taken[i] || e.Kind == word.Unit && !d.taken[i] && d.single(i) {
			d.add(Fact{Kind: Duration, Unit: e.ID, Min: e.Value, Max: e.Value}, i, i+1)
		}
	}
}

// endsClause tells that a clause ends with the word at i.
func (d *Document) endsClause(i int) bool {
	_, to := d.Clause(i)
	return i == to-1
}

// endsSentence tells that the words from i to j are a whole sentence that asks nothing.
func (d *Document) endsSentence(i, j int) bool {
	from, to := d.Sentence(j)
	return from == i && to == j+1 && !d.Asks[d.Words[j].Sentence]
}

// wholeUnits are units of Russian that are one by themselves where nothing counts them.
var wholeUnits = map[string]bool{"god": true, "mesyas": true, "chas": true, "den": true, "nedelya": true, "sutki": true, "nedelyu": true}

// single tells a unit that is one by itself: через час, takes a week; not "в час" and not "a month"
// of a price.
func (d *Document) single(i int) bool {
	switch before := d.Key(i - 1); {
	case before == "an" || before == "a":
		switch d.Key(i - 2) {
		case "takes", "take", "lasts", "in", "vithin", "about", "for", "to", "just", "only", "around", "even":
			from, to := d.Clause(i)
			return !d.Any(from, to, word.Price)
		}
		return false
	case d.Key(i-2) == "na" && d.Entities[i-1].Kind == word.None && wholeUnits[d.Words[i].Key] && d.endsSentence(i-2, i): // на оправу год
		return true
	case strings.HasPrefix(before, "zanima"), strings.HasPrefix(before, "dlits"), strings.HasPrefix(before, "hranit"), before == "cherez", before == "okolo", before == "primerno", before == "po" && d.Key(i) == "chasu":
		return true
	case before == "za" && d.Key(i+1) == "do", before == "na" && wholeUnits[d.Words[i].Key] && d.endsClause(i): // за сутки до заезда, хранение на год
		return true
	case d.Words[i].Key == "god" || strings.HasPrefix(d.Key(i), "mesya"): // гарантия год
		from, to := d.Clause(i)
		return d.Any(from, to, word.Guarantee) && before != "v" && before != "za"
	case before == "srok", before == "muddat":
		return true
	case before == "za":
		from, to := d.Clause(i)
		return d.Any(from, to, word.Delivery|word.Service) && !d.Any(from, to, word.Price)
	}
	return false
}
