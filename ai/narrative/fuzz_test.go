package narrative_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"svc/ai/narrative"
)

// FuzzCheck: whatever a model writes, reading it ends, and every problem and link stands in the
// text; a number that no figure has passes nowhere.
func FuzzCheck(f *testing.F) {
	b, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if x := strings.SplitN(strings.TrimSpace(line), " ", 3); len(x) == 3 && x[0] != "#" {
			f.Add(x[0], x[2], x[2], "delivery", "")
		}
	}
	f.Add("en", "120", "1,2,3,4 out of 5 — 99999999999999999999%", "", "31 November 2026")
	f.Add("ru", "12 500 п.п.", "в 2 раза больше", "leads", "−5")
	f.Fuzz(func(t *testing.T, locale, headline, text, key, action string) {
		l := narrative.Locale(locale)
		if names["leads"][l] == nil || len(headline)+len(text)+len(action) > 4000 {
			return
		}
		x := narrative.Text{Headline: headline, Paragraphs: []narrative.Paragraph{{Text: text, Facts: []string{key}}}, Actions: []string{action}}
		problems, links := narrative.Check(facts(l), &x)
		part := func(n int) string { return map[int]string{-1: headline, 0: text, 1: action}[n] }
		for _, p := range problems {
			if s := part(p.Part); p.Start < 0 || p.Start > p.End || p.End > len(s) {
				t.Errorf("%+v of %q", p, s)
			}
		}
		for _, k := range links {
			s := part(k.Part)
			if k.Start < 0 || k.Start >= k.End || k.End > len(s) || !utf8.RuneStart(s[k.Start]) || k.End < len(s) && !utf8.RuneStart(s[k.End]) && utf8.ValidString(s) {
				t.Errorf("%+v of %q", k, s)
			}
		}
		x.Headline = headline + " — 7654321"
		if problems, _ = narrative.Check(facts(l), &x); len(problems) == 0 {
			t.Errorf("%q passes", x.Headline)
		}
	})
}
