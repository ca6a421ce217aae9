package facts

import (
	"slices"
	"strings"

	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// Topics are the classes that a fact can be about.
const Topics = word.Delivery | word.Guarantee | word.Refund | word.Installment | word.Lesson | word.Service | word.Discount | word.Deposit

// Last is the last word of a fact.
func (d *Document) Last(f *Fact) int {
	i := f.word
	for i+1 < len(d.Words) && d.Words[i+1].Start < f.End {
		i++
	}
	return i
}

// Rated tells a fee for each of something: 20 000 сум за этаж, per hour, har bir qavatga.
func (d *Document) Rated(f *Fact) bool {
	from, to := d.Clause(f.word)
	if slices.ContainsFunc(d.Facts, func(c Fact) bool { return c.Kind == Count && c.Min == 1 && c.Max == 1 && from <= c.word && c.word < to }) {
		return true // 1 grammi 850 000 so'm
	}
	if d.Any(from, to, word.Extra) || d.PerUnit(from, to) >= 0 {
		return true // qo'shimcha surat 15 000 so'm, 40 000 сум в час
	}
	return slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool {
		return w.Key == "za" || w.Key == "per" || w.Key == "har" || w.Key == "each" || strings.HasPrefix(w.Key, "kajd") || w.Key == "bir" || w.Key == "bita" || w.Key == "boshiga" || w.Key == "donasi" || w.Key == "s"
	})
}

// PerUnit is the word of a unit of time of which a price is, -1 without one: в час, per day,
// soatiga.
func (d *Document) PerUnit(from, to int) int {
	for i := from; i < to; i++ {
		if k := d.Key(i - 1); d.Entities[i].Kind == word.Unit && (i > from && (k == "v" || k == "per" || k == "an" || k == "a") || strings.HasSuffix(d.Key(i), "iga")) {
			return i
		}
	}
	return -1
}

// Threshold tells an amount from which a condition holds: от 500 000, 500 000 so'mdan oshsa.
func (d *Document) Threshold(f *Fact) bool {
	last := d.Last(f)
	from, to := d.Clause(f.word)
	if to < len(d.Words) && d.Words[to].Sentence == d.Words[from].Sentence && strings.ContainsAny(d.Gap(to-1), "-–—") {
		_, to = d.Clause(to) // от 300 000 — бесплатно
	}
	if !d.Any(from, to, word.Free|word.Discount|word.Gift) {
		return d.Has(last+1, word.IfYou) && d.Has(last+1, word.Compare)
	}
	return d.Has(f.word-1, word.From|word.Compare) || d.Any(last+1, min(last+4, to), word.Compare|word.IfYou) || d.Any(last+1, min(last+4, to), word.From) || d.Entities[last].End == "dan"
}

// Conditional tells that a range of words says when something holds: если, при покупке, when,
// olsangiz.
func (d *Document) Conditional(from, to int) bool {
	return slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool {
		return w.Classes&word.IfYou != 0 || strings.HasSuffix(w.Key, "sangiz") || strings.HasSuffix(w.Key, "sangizlar")
	})
}

// Boundary tells a time at which the place opens or closes from one at which it is open:
// 10 dan, до 19:00, closes at 7, ochilamiz.
func (d *Document) Boundary(f *Fact) bool {
	last := d.Last(f)
	near := func(i int) bool { return d.Has(i, word.From|word.Until) }
	if near(f.word-1) || near(last+1) || d.Entities[last].End == "dan" || strings.HasSuffix(d.Key(last), "gacha") || strings.HasSuffix(d.Key(last), "dan") {
		return true
	}
	from, to := d.Clause(f.word)
	for i := from; i < to; i++ {
		switch k := d.Key(i); {
		case k == "open" || k == "close":
			if !d.Has(i-1, word.Not) && d.Key(i-1) != "are" && d.Key(i-1) != "is" {
				return true
			}
		case k == "opens", k == "closes", strings.HasPrefix(k, "ochila"), strings.HasPrefix(k, "yopila"), strings.HasPrefix(k, "otkriva"), strings.HasPrefix(k, "otkroe"), strings.HasPrefix(k, "zakriva"), strings.HasPrefix(k, "zakroe"):
			return true
		}
	}
	return false
}

// Since is the first of the weekdays that end with the one at a word: Mon-Fri, с понедельника по
// пятницу, dushanbadan jumagacha.
func (d *Document) Since(i int) int {
	last := int(d.Entities[i].Value)
	for _, back := range [2]int{1, 2} {
		if k := i - back; k >= 0 && d.Entities[k].Kind == word.Weekday && int(d.Entities[k].Value) < last && (back == 2 && d.Has(i-1, word.Until) || back == 1 && (strings.Trim(d.Gap(k), " ") != "" && d.Near(k) || strings.ContainsAny(d.Gap(k), "–—") || d.Entities[k].End == "dan")) {
			return int(d.Entities[k].Value)
		}
	}
	return last
}

// Promises tells whether a range of words makes a promise.
func (d *Document) Promises(name string, from, to int) bool {
	return slices.ContainsFunc(d.Facts, func(f Fact) bool { return f.Kind == Promise && f.Name == name && from <= f.word && f.word < to })
}

// Ready tells that a range of words says when something will be ready.
func (d *Document) Ready(from, to int) bool {
	return slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool {
		return strings.HasPrefix(w.Key, "tayor") || strings.HasPrefix(w.Key, "gotov") || w.Key == "ready" || w.Key == "srok"
	})
}

// States tells whether a range of words states a fact of a kind.
func (d *Document) States(k Kind, from, to int) bool {
	return slices.ContainsFunc(d.Facts, func(f Fact) bool { return f.Kind == k && from <= f.word && f.word < to })
}

// AllTopics are those of the whole text.
func (d *Document) AllTopics() (m phrase.Mask) {
	for i := range d.Words {
		m |= d.Words[i].Classes & Topics
	}
	return m
}

// TopicsOf are the topics of the clause of a word, else of its sentence.
func (d *Document) TopicsOf(i int) phrase.Mask {
	collect := func(from, to int) (m phrase.Mask) {
		for ; from < to; from++ {
			m |= d.Words[from].Classes & Topics
		}
		return m
	}
	from, to := d.Clause(i)
	if m := collect(from, to); m != 0 {
		return m
	}
	from, to = d.Sentence(i)
	return collect(from, to)
}

// PlacesIn are the places that a range of words names.
func (d *Document) PlacesIn(from, to int) (list []string) {
	for ; from < to; from++ {
		if d.Entities[from].Kind == word.Place {
			list = append(list, d.Entities[from].ID)
		}
	}
	return list
}

// PlacesOf are the places in the sentence of a word; what is said of delivery holds for the
// places of the sentence before, when that is about delivery too and this one names none.
func (d *Document) PlacesOf(i int) []string {
	from, to := d.Sentence(i)
	list := d.PlacesIn(from, to)
	for len(list) == 0 && from > 0 && d.Any(from, to, word.Delivery) {
		from, to = d.Sentence(from - 1)
		if d.Any(from, to, word.Delivery) {
			list = d.PlacesIn(from, to)
		}
	}
	return list
}

// PlacesOfClause are those of the clause of a word, else of its sentence.
func (d *Document) PlacesOfClause(i int) []string {
	from, to := d.Clause(i)
	if list := d.PlacesIn(from, to); len(list) > 0 {
		return list
	}
	return d.PlacesOf(i)
}
