package check

import (
	"strings"

	"svc/ai/phrase"
)

// PersonaClaimsHuman tells whether a text about a persona (its name, role, biography or
// signature) says or implies that a person answers: that it is a person or no machine,
// in the first person or the third; a trade in the first person; an age, a family, a
// body, a life. A usual name ("Zebo") and a post ("sales consultant") claim nothing.
// The span is the part that claims it.
func PersonaClaimsHuman(text string) (span string, claims bool) {
	if len(text) > maxText {
		text = text[:maxText]
	}
	t := readHuman(strings.ToValidUTF8(text, " "))
	if i, j, ok := claimsHuman(&t); ok {
		return t.Span(i, j), true
	}
	if i, j, ok := describesHuman(&t); ok {
		return t.Span(i, j), true
	}
	return "", false
}

// describesHuman finds the words by which a text describes a person in the third
// person: only texts about a persona are held to this.
func describesHuman(t *phrase.Text) (from, to int, ok bool) {
	for i := range t.Words {
		for _, rule := range thirdPerson {
			if j, ok := rule(t, i); ok {
				return min(i, j), max(i, j), true
			}
		}
	}
	return 0, 0, false
}

var thirdPerson = []func(t *phrase.Text, i int) (int, bool){realPerson, isPerson, hasAge, hasFamily}

// realPerson: "живой человек", "haqiqiy odam", "живой консультант".
func realPerson(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hReal|hLiving) {
		return 0, false
	}
	from, to := t.Clause(i)
	for j := i + 1; j < min(to, i+3); j++ {
		if is(t, j, hPerson|hGender) || is(t, j, hTrade) && is(t, i, hLiving) {
			after := j+1 < to && (t.Words[j+1].Key == "emas" || is(t, j+1, hNotMe))
			return j, bareNoun(t.Words[j].Key) && !after && !t.Any(from, i, hNot|hHands)
		}
	}
	return 0, false
}

// isPerson: a clause that ends with "... person", "... девушка", or is nothing else.
func isPerson(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hPerson|hGender) || !bareNoun(t.Words[i].Key) {
		return 0, false
	}
	from, to := t.Clause(i)
	if t.Any(from, to, hNot|hNotMe|hHands|hMachine) {
		return 0, false
	}
	if i+1 < to && !is(t, i+1, hTo) && t.Words[i+1].Key != "kotori" && t.Words[i+1].Key != "kotoraya" {
		return 0, false
	}
	for j := i - 1; j >= from; j-- {
		if is(t, j, hTo|hChildren) || t.Words[j].Key == "har" || t.Words[j].Key == "kajdi" {
			return 0, false
		}
	}
	return from, true
}

// hasAge: "25 yoshli", "Анна, 25 лет", "a 25-year-old": years of the shop, of a
// guarantee or of the children for whom goods are do not count.
func hasAge(t *phrase.Text, i int) (int, bool) {
	from, to := t.Sentence(i)
	if t.Any(from, to, hChildren) && !is(t, i, hAge) || !numberBefore(t, i) || t.Any(from, to, hMachine) {
		return 0, false
	}
	k := t.Words[i].Key
	switch {
	case is(t, i, hAge) && !t.Any(from, to, hOrg|hChildren),
		is(t, i, hYears) && i+1 < to && t.Words[i+1].Key == "old" && !t.Any(from, to, hOrg):
		return i - 1, true
	case (k == "let" || k == "goda" || k == "god") && !t.Any(from, to, hOrg):
		return i - 1, true
	}
	return 0, false
}

// hasFamily: "married", "mother of two", "мама двоих детей", "ikki farzandning onasi".
func hasFamily(t *phrase.Text, i int) (int, bool) {
	from, to := t.Clause(i)
	if t.Any(from, to, hNot) {
		return 0, false
	}
	if is(t, i, hPersonal) && !strings.HasPrefix(t.Words[i].Key, "rod") {
		return i, true
	}
	k := t.Words[i].Key
	switch k {
	case "her", "his", "uning", "ego", "ee":
		return i + 1, i+1 < to && is(t, i+1, hFamily) && !strings.HasPrefix(t.Words[i+1].Key, "bolalar")
	case "mama", "papa", "mother", "mom", "father", "onasi", "otasi", "mat", "otes":
		if j := t.Find(from, to, hFamily); j >= 0 && j != i {
			return j, true
		}
		return i + 1, i+1 < to && t.Words[i+1].Key == "of"
	}
	return 0, false
}
