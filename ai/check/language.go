package check

import (
	"fmt"
	"strings"

	"svc/ai/facts"
	"svc/ai/lang"
	"svc/geo/text/script"
)

// languageMismatch compares the language and script of the reply, without names, terms,
// addresses and numbers, with those that the customer is owed.
func languageMismatch(j *judge) (string, string) {
	want, latin, known := j.expected()
	if !known {
		return "", ""
	}
	rest := j.bare()
	g := lang.Identify(rest)
	n := script.Count(rest)
	if n.Latin+n.Cyrillic < 2 {
		return "", ""
	}
	wantScript := script.Cyrillic
	if latin {
		wantScript = script.Latin
	}
	if g.Words < 3 {
		// Too short for a language: the script alone.
		if n.Main() != script.None && n.Main() != wantScript && n.Main() != script.Other {
			return "the reply is in the wrong script", ""
		}
		return "", ""
	}
	if g.Lang != lang.Unknown && g.Lang != want && g.Scores[g.Lang]-g.Scores[want] >= 0.2 {
		return fmt.Sprintf("the reply is in %s, not in %s", g.Lang.Code(), want.Code()), ""
	}
	other, all := n.Latin, n.Latin+n.Cyrillic
	if wantScript == script.Latin {
		other = n.Cyrillic
	}
	if float64(other) >= 0.35*float64(all) {
		return "the reply is in the wrong script", ""
	}
	return "", ""
}

// expected is the language and script of the reply.
func (j *judge) expected() (want lang.Lang, latin, known bool) {
	find := func(text string, words int) bool {
		g := lang.Identify(j.without(text, nil))
		if g.Lang == lang.Unknown || g.Words < words || g.Score() < 0.7 || words == 1 && len(text) < 5 {
			return false
		}
		want, latin = g.Lang, g.Script != script.Cyrillic
		return true
	}
	texts := j.Sources.CustomerText
	known = find(j.Sources.Burst, 2) || find(strings.Join(texts, ". "), 2) || find(j.Sources.Burst, 1)
	if !known || !j.offered(want.Code()) {
		if known = j.Settings.DefaultLanguage != ""; !known {
			return lang.Unknown, false, false
		}
		want = map[string]lang.Lang{"uz": lang.Uzbek, "ru": lang.Russian, "en": lang.English}[j.Settings.DefaultLanguage]
		latin = want != lang.Russian
	}
	switch {
	case want == lang.Russian:
		latin = false
	case want == lang.English:
		latin = true
	case j.Settings.Script == "LATIN":
		latin = true
	case j.Settings.Script == "CYRILLIC":
		latin = false
	}
	return want, latin, want != lang.Unknown
}

func (j *judge) offered(code string) bool {
	if len(j.Settings.Languages) == 0 {
		return true
	}
	for _, l := range j.Settings.Languages {
		if l == code {
			return true
		}
	}
	return false
}

// bare is the reply without words of offer names and of the glossary, and without
// addresses and numbers.
func (j *judge) bare() string { return j.without(j.Reply, j.facts) }

// without is a text without those.
func (j *judge) without(text string, found []facts.Fact) string {
	skip := map[string]bool{}
	for _, o := range j.Sources.Offers {
		for _, w := range script.Tokens(o.Name) {
			skip[w] = true
		}
	}
	for _, term := range j.Settings.Glossary {
		for _, w := range script.Tokens(term) {
			skip[w] = true
		}
	}
	spans := [][2]int{}
	for _, f := range found {
		if f.Kind == facts.URL || f.Kind == facts.Email || f.Kind == facts.Phone {
			spans = append(spans, [2]int{f.Start, f.End})
		}
	}
	var b strings.Builder
	for _, w := range script.Words(text) {
		inside := skip[w.Text] || strings.ContainsAny(w.Text, "0123456789")
		for _, s := range spans {
			inside = inside || w.Start >= s[0] && w.End <= s[1]
		}
		if !inside {
			b.WriteString(text[w.Start:w.End])
			b.WriteByte(' ')
		}
	}
	return b.String()
}
