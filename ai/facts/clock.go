package facts

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

var (
	clockForm   = regexp.MustCompile(`^([01]?\d|2[0-4])[:.]([0-5]\d)(?:[^\d.:/]|[.:/][^\d]|[.:/]?$)`)
	dayAndMonth = regexp.MustCompile(`^(0\d|[12]\d|3[01])\.(0[1-9]|1[0-2])(?:[^\d.]|\.[^\d]|\.?$)`)
)

// clockText tells whether a clock is written in figures at a byte.
func (d *Document) clockText(at int) bool {
	return strings.Contains(d.Source[at:min(at+3, len(d.Source))], ":") && clockForm.MatchString(d.Source[at:])
}

// clock reads 10:00 and, where the words around speak of hours, 10.00.
func (d *Document) clock(first, at int) bool {
	m := clockForm.FindStringSubmatch(d.Source[at:])
	if m == nil {
		return false
	}
	size := len(m[1]) + 1 + len(m[2])
	last := first
	for last+1 < len(d.Words) && d.Words[last+1].Start < at+size {
		last++
	}
	if d.Source[at+len(m[1])] == '.' {
		rest := strings.TrimLeft(d.Source[at+size:], " ")
		hours := d.Has(first-1, word.At|word.From|word.Until) || d.Has(last+1, word.From|word.Until|word.Morning|word.Evening) || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "–") ||
			strings.HasSuffix(strings.TrimRight(d.Source[:at], " "), "-") || strings.HasSuffix(strings.TrimRight(d.Source[:at], " "), "–")
		k := d.Entities[min(last+1, len(d.Entities)-1)].Kind
		from, to := d.Sentence(first)
		if !hours || !d.Any(from, to, word.Open|word.At|word.Book|word.Come|word.DayOff) || last+1 < len(d.Words) && (k == word.Currency || k == word.Percent || k == word.Unit) {
			return false
		}
	}
	h, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	v := d.dayHalf(float64(h*60+minute), first, last+1)
	f := Fact{Kind: Clock, Min: v, Max: v, Start: at, End: at + size}
	d.addAt(f, first, last+1)
	// A range in one token (10:00-21:00) has its second clock here.
	rest := d.Source[at+size:]
	trimmed := strings.TrimLeft(rest, "-–— ")
	if next := at + size + len(rest) - len(trimmed); len(trimmed) < len(rest) && trimmed != "" && '0' <= trimmed[0] && trimmed[0] <= '9' && clockForm.MatchString(trimmed) {
		w := last
		for w < len(d.Words)-1 && d.Words[w].End <= next {
			w++
		}
		d.clock(w, next)
	}
	return true
}

// dayHalf adds twelve hours where the words say afternoon or evening.
func (d *Document) dayHalf(minutes float64, from, to int) float64 {
	if minutes < 12*60 && (d.Has(to, word.Evening) || d.Has(to+1, word.Evening) && d.Near(to) || d.Has(from-1, word.Evening) || d.Has(from-2, word.Evening)) {
		return minutes + 12*60
	}
	return minutes
}

// hourOf reads hours without minutes: soat 9 da, в 9 утра, at 9 am, с 9 до 20.
func (d *Document) hourOf(q *quantity) bool {
	whole := q.min == math.Trunc(q.min) && q.max == math.Trunc(q.max)
	half := q.min*2 == math.Trunc(q.min*2) && q.max*2 == math.Trunc(q.max*2) && d.Key(q.from-1) == "soat" // soat oʻn yarim
	if q.unit.Kind != word.None || q.unit.ID == "code" || q.max > 24 || !whole && !half || q.pieces || q.big {
		return false
	}
	from, to := d.Sentence(q.from)
	inThe := d.Key(q.to) == "in" && d.Has(q.to+2, word.Morning|word.Evening)
	part := inThe || d.Has(q.to, word.Morning|word.Evening) || d.Has(q.to-1, word.Morning|word.Evening) || d.Has(q.to+1, word.Morning|word.Evening) && d.Entities[min(q.to, len(d.Entities)-1)].Kind == word.Unit
	after := d.Source[q.end:]
	end := strings.TrimLeft(after, " -")
	uzbekAt := false
	for _, s := range []string{"da", "ga", "dan", "gacha", "да", "га", "дан", "гача"} {
		uzbekAt = uzbekAt || strings.HasPrefix(end, s) && (len(end) == len(s) || !isLetter(end[len(s):]))
	}
	switch k := d.Key(q.from - 1); {
	case d.Key(q.to) == "nochi" && d.Near(q.to-1) && (k == "do" || k == "v" || k == "s" || k == "posle"): // до трёх ночи; not "на 3 ночи"
	case part, k == "soat", k == "at" && d.Near(q.from-1):
	case d.Has(q.from-1, word.Morning|word.Evening) && d.Near(q.from-1):
	case (k == "v" || k == "k") && d.Near(q.from-1) && (q.to >= to || !isNoun(d, q.to)):
	case q.max > q.min && d.Names(from, to, word.Weekday) && (d.Has(q.from-1, word.From) || uzbekAt): // в субботу с 9 до 18
	case d.Any(from, to, word.Open) && (uzbekAt || d.Has(q.from-1, word.From|word.Until) || q.min != q.max) && q.max > q.min:
	case d.Any(from, to, word.Open) && (uzbekAt || d.Has(q.from-1, word.From|word.Until)):
	default:
		return false
	}
	for _, v := range []float64{q.min, q.max} {
		if v = d.dayHalf(v*60, q.from, q.to); inThe && v < 12*60 {
			v = d.dayHalf(v, q.from, q.to+2)
		}
		if q.min != q.max && v == q.min*60 && q.max < q.min {
			v += 12 * 60
		}
		if n := len(d.Facts) - 1; q.min == q.max && v < 12*60 && !part && n >= 0 && d.Facts[n].Kind == Clock && d.Facts[n].Min > v && d.Words[d.Facts[n].word].Clause == d.Words[q.from].Clause && d.Has(q.from-1, word.Until) {
			v += 12 * 60 // from 10 to 4
		}
		d.addAt(Fact{Kind: Clock, Min: v, Max: v, Start: q.start, End: q.end}, q.from, q.to)
		if q.min == q.max {
			break
		}
	}
	return true
}

// isNoun tells whether a word that can be counted follows.
func isNoun(d *Document, i int) bool {
	k := d.Entities[i].Kind
	return k == word.Unit || k == word.Measure || k == word.Currency || k == word.Month || k == word.Good
}

// date reads a date in figures or with the name of a month.
func (d *Document) date(i int) bool {
	at := d.Words[i].Start
	rest := d.Source[at:]
	if year, month, day, size, ok := lang.DateInFigures(rest); ok {
		return d.addDate(at, at+size, i, year, month, day)
	}
	if m := dayAndMonth.FindStringSubmatch(rest); m != nil {
		next := i
		for next < len(d.Words) && d.Words[next].Start < at+5 {
			next++
		}
		if next >= len(d.Words) || d.Entities[next].Kind != word.Currency && d.Entities[next].Kind != word.Unit && d.Entities[next].Kind != word.Percent {
			return d.addDate(at, at+5, i, 0, lang.Figure(m[2]), lang.Figure(m[1]))
		}
	}
	day, ok := lang.DayNumber(d.Words[i].Key)
	if !ok {
		return false
	}
	var month, year int
	last := i
	switch {
	case i+1 < len(d.Words) && d.Near(i) && d.Entities[i+1].Kind == word.Month && d.monthHere(i+1): // 5 декабря
		month, last = int(d.Entities[i+1].Value), i+1
	case i+2 < len(d.Words) && d.Key(i+1) == "of" && d.Entities[i+2].Kind == word.Month:
		month, last = int(d.Entities[i+2].Value), i+2
	case i > 0 && d.Near(i-1) && d.Entities[i-1].Kind == word.Month && d.language == "en" || i > 0 && d.Near(i-1) && d.Entities[i-1].Kind == word.Month && d.Words[i-1].Capital: // December 5
		month = int(d.Entities[i-1].Value)
	default:
		return false
	}
	if y := last + 1; y < len(d.Words) && len(d.Words[y].Key) == 4 {
		if v := lang.Figure(d.Words[y].Key); 1900 < v && v < 2200 {
			year, last = v, y
		}
	}
	return d.addDate(at, d.Words[last].End, i, year, month, day)
}

// monthHere tells the month of May from the English verb.
func (d *Document) monthHere(i int) bool {
	return d.Key(i) != "may" || d.language != "en" || d.Words[i].Capital
}

// addDate keeps a date; without a year it is the next one from today on.
func (d *Document) addDate(start, end, i, year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	zone := time.UTC
	if !d.Today.IsZero() {
		zone = d.Today.Location()
	}
	f := Fact{Kind: Date, Start: start, End: end, Min: float64(month*100 + day), Max: float64(month*100 + day)}
	switch {
	case year != 0:
		f.From = time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
	case !d.Today.IsZero():
		f.From = time.Date(d.Today.Year(), time.Month(month), day, 0, 0, 0, 0, zone)
		if f.From.Before(d.Today.AddDate(0, -6, 0)) {
			f.From = f.From.AddDate(1, 0, 0)
		}
	}
	f.Until = f.From
	j := i
	for j < len(d.Words) && d.Words[j].Start < end {
		j++
	}
	d.addAt(f, i, j)
	return true
}

// days finds days that are named: weekdays, today, next week.
func (d *Document) days() {
	for i, e := range d.Entities {
		if d.taken[i] {
			continue
		}
		switch {
		case e.Kind == word.Weekday && !d.partOf(i) && !strings.EqualFold(d.Source[d.Words[i].Start:d.Words[i].End], "see"):
			f := Fact{Kind: Date, Weekday: int(e.Value)}
			if !d.Today.IsZero() {
				ahead := (int(e.Value) - lang.Weekday(d.Today) + 7) % 7
				f.From = d.Today.AddDate(0, 0, ahead)
				f.Until = f.From
			}
			d.add(f, i, i+1)
		case e.Kind == word.Day:
			f := Fact{Kind: Date, Name: "DAY", Min: e.Value, Max: e.Value}
			if !d.Today.IsZero() {
				f.From = d.Today.AddDate(0, 0, int(e.Value))
				f.Until = f.From
			}
			d.add(f, i, i+1)
		case e.Kind == word.Unit && e.Value >= 1 && d.Has(i-1, word.Next|word.This) && d.Near(i-1) && (e.ID == word.UnitMonth || e.Value == 10080):
			f := Fact{Kind: Date, Name: "PERIOD"}
			if !d.Today.IsZero() {
				f.From, f.Until = lang.Period(d.Today, e.Value == 10080, e.Value == 12, d.Has(i-1, word.Next))
			}
			d.add(f, i-1, i+1)
		case e.Kind == word.Unit && e.Value == 1440 && d.Has(i-1, word.Next) && d.Near(i-1): // на следующий день
			f := Fact{Kind: Date, Name: "DAY", Min: 1, Max: 1}
			if !d.Today.IsZero() {
				f.From = d.Today.AddDate(0, 0, 1)
				f.Until = f.From
			}
			d.add(f, i-1, i+1)
		}
	}
}

// partOf tells "juma" inside of a longer name of a shop or "Black Friday".
func (d *Document) partOf(i int) bool {
	if d.Key(i) == "pay" { // the English verb, unless days or hours stand beside it
		return (i == 0 || d.Entities[i-1].Kind != word.Weekday) && (i+1 == len(d.Words) || d.Entities[i+1].Kind != word.Weekday)
	}
	if d.Key(i) == "vt" && i > 0 && phrase.IsFigure(d.Key(i-1)) {
		return true // 100 Вт
	}
	return d.Key(i-1) == "blak" || d.Key(i-1) == "chernaya" || d.Key(i-1) == "kora"
}
