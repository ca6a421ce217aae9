package optout

import (
	"regexp"
	"strings"
	"testing"

	"svc/app/org"
)

// TestPageWords: the opt-out page has the words of the console: every text in each
// language, Uzbek with the letters of its alphabet.
func TestPageWords(t *testing.T) {
	foreign, turned := regexp.MustCompile("['‘’`´]"), regexp.MustCompile(`[OoGg]ʼ|[^OoGg]ʻ`)
	for _, l := range []org.Language{org.Uzbek, org.Russian, org.English} {
		p, ok := pageTexts[l]
		if !ok {
			t.Fatalf("no page in %s", l)
		}
		texts := append(append([]string{p.name, p.confirm, p.note, p.languages}, p.title[:]...), p.text[:]...)
		for _, text := range texts {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: a text is missing", l)
			}
			if l == org.Uzbek && (foreign.MatchString(text) || turned.MatchString(text)) {
				t.Errorf("%q is not written with the letters of Uzbek: oʻ and gʻ have U+02BB, the tutuq is U+02BC", text)
			}
		}
	}
	for l, word := range map[org.Language]string{org.Uzbek: "voz kech", org.Russian: "тписаться", org.English: "pt out"} {
		if p := pageTexts[l]; !strings.Contains(p.title[asking], word) || !strings.Contains(p.confirm, word) {
			t.Errorf("%s: opting out is called %q and %q, in the console %q", l, p.title[asking], p.confirm, word)
		}
	}
}
