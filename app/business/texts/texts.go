// Package texts is what a business says in each of its languages, and brings into form what
// people type: spaces, repetitions, lengths.
//
// It promises that a text which is missing is found in another place, never invented. It
// knows no records.
package texts

import "strings"

// Language is one that the seller speaks.
type Language string

// The languages.
const (
	Uzbek   Language = "uz"
	Russian Language = "ru"
	English Language = "en"
)

// Texts is one text in each language.
type Texts struct {
	Uzbek   string `json:"uz" maxLength:"1000"`
	Russian string `json:"ru" maxLength:"1000"`
	English string `json:"en" maxLength:"1000"`
}

// Of is one text in each language.
func Of(uzbek, russian, english string) Texts { return Texts{uzbek, russian, english} }

// In is the text in a language, the English one for a language that is none of ours.
func (t Texts) In(l Language) string {
	switch l {
	case Uzbek:
		return t.Uzbek
	case Russian:
		return t.Russian
	}
	return t.English
}

// Or fills what is empty from other texts.
func (t Texts) Or(other Texts) Texts {
	fill := func(s *string, with string) {
		if *s = strings.TrimSpace(*s); *s == "" {
			*s = with
		}
	}
	fill(&t.Uzbek, other.Uzbek)
	fill(&t.Russian, other.Russian)
	fill(&t.English, other.English)
	return t
}
