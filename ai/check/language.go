package check

import (
	"fmt"
	"strings"

	"svc/ai/facts"
	"svc/ai/lang"
	"svc/ai/phrase"
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
	detail := j.mismatch(rest, want, latin)
	if detail != "" {
		if names := j.properNames(); len(names) > 0 {
			detail = j.mismatch(lang.Names(names...).Without(rest), want, latin)
		}
	}
	return detail, ""
}

// mismatch says how a text differs from the language and script that are wanted, "" for not.
func (j *judge) mismatch(rest string, want lang.Lang, latin bool) string {
	g := j.lang
	if rest != j.Reply {
		g = lang.Identify(rest)
	}
	n := script.Count(rest)
	if n.Latin+n.Cyrillic < 2 {
		return ""
	}
	wantScript := script.Cyrillic
	if latin {
		wantScript = script.Latin
	}
	if g.Words < 3 {
		// Too short for a language: the script alone.
		if n.Main() != script.None && n.Main() != wantScript && n.Main() != script.Other {
			return "the reply is in the wrong script"
		}
		return ""
	}
	if g.Lang != lang.Unknown && g.Lang != want && g.Scores[g.Lang]-g.Scores[want] >= 0.2 {
		return fmt.Sprintf("the reply is in %s, not in %s", g.Lang.Code(), want.Code())
	}
	other, all := n.Latin, n.Latin+n.Cyrillic
	if wantScript == script.Latin {
		other = n.Cyrillic
	}
	most := 0.35
	if j.Settings.Mixing {
		most = 0.5
	}
	if float64(other) >= most*float64(all) {
		return "the reply is in the wrong script"
	}
	return ""
}

// properNames are the words with a capital of the reply that a source has with a capital too,
// within a sentence: streets and shops have their names in every language.
func (j *judge) properNames() (names []string) {
	known := map[string]bool{}
	for _, c := range j.Sources.Chunks {
		for _, w := range phrase.Read(c.Text, nil).Words {
			known[w.Key] = known[w.Key] || w.Capital
		}
	}
	for i, w := range j.text.Words {
		if w.Capital && known[w.Key] && i > 0 && j.text.Words[i-1].Sentence == w.Sentence {
			names = append(names, j.text.Span(i, i))
		}
	}
	return names
}

// expected is the language and script of the reply.
func (j *judge) expected() (want lang.Lang, latin, known bool) {
	g := lang.Customer(j.Sources.Burst, j.Sources.CustomerText, j.names())
	want, latin, known = g.Lang, g.Script != script.Cyrillic, g.Lang != lang.Unknown
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

// names are those of the offers and of the business, and the terms of the glossary.
func (j *judge) names() []string {
	out := append([]string{j.Sources.Business.Name}, j.Settings.Glossary...)
	for i := range j.Sources.Offers {
		out = append(out, j.Sources.Offers[i].Name)
	}
	return out
}

// bare is the reply without its signature, words of names and of the glossary, quotations,
// addresses and numbers.
func (j *judge) bare() string {
	var b strings.Builder
	reply, at := j.unsigned(j.Reply), 0
	for _, f := range j.facts {
		if (f.Kind == facts.URL || f.Kind == facts.Email || f.Kind == facts.Phone) && f.Start >= at && f.End <= len(reply) {
			b.WriteString(reply[at:f.Start])
			at = f.End
		}
	}
	return lang.Names(j.names()...).Without(b.String() + reply[at:])
}
