package shadow

import (
	"testing"

	"svc/app/business"
)

// TestAgree: what a person sent tells the customer the same as what the seller would have,
// or it does not.
func TestAgree(t *testing.T) {
	offers := []business.Offer{{Name: "101 ta atirgul"}, {Name: "25 ta lola"}}
	for _, c := range []struct {
		would, sent, language string
		want                  bool
	}{
		{"101 ta atirgul narxi 1 400 000 soʻm.", "101 ta atirgul narxi 1 400 000 soʻm.", "uz-Latn", true},
		{"101 ta atirgul narxi 1 400 000 soʻm.", "Assalomu alaykum! 101 ta atirgul 1,4 mln soʻm boʻladi.", "uz-Latn", true},
		{"101 та атиргул нархи 1 400 000 сўм.", "101 ta atirgul narxi 1 400 000 soʻm", "uz-Cyrl", true},
		{"101 ta atirgul narxi 1 400 000 soʻm.", "101 ta atirgul narxi 1 500 000 soʻm.", "uz-Latn", false},
		{"101 ta atirgul narxi 1 400 000 soʻm.", "25 ta lola narxi 1 400 000 soʻm.", "uz-Latn", false},
		{"101 ta atirgul narxi 1 400 000 soʻm.", "Hozir aniqlab beraman.", "uz-Latn", false},
		{"Доставка по городу бесплатная, курьер позвонит.", "Доставка по городу бесплатная, курьер вам позвонит!", "ru", true},
		{"Доставка по городу бесплатная, курьер позвонит.", "Спросите, пожалуйста, завтра.", "ru", false},
		{"We open at 9:00.", "We open at 10:00.", "en", false},
		{"We open at 9:00.", "Yes, we open at 9:00 every day.", "en", true},
		{"", "Salom", "uz-Latn", false},
		// Another action: who asks for a telephone number does not answer the same.
		{"Ertaga yetkazib beramiz, kuryer qoʻngʻiroq qiladi.", "Ertaga yetkazib beramiz, kuryer qoʻngʻiroq qiladi, telefon raqamingizni yozing.", "uz-Latn", false},
	} {
		if got := Agree(c.would, c.sent, c.language, offers); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.would, c.sent, got, c.want)
		}
	}
}

// TestUnsigned: the signature below a text is not compared.
func TestUnsigned(t *testing.T) {
	c := Case{Signature: "Lola, Gul"}
	for text, want := range map[string]string{"Ha, bor.\n\nLola, Gul": "Ha, bor.", "Ha, bor.": "Ha, bor.", "Lola, Gul": ""} {
		if got := c.unsigned(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
