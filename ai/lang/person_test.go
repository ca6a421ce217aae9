package lang_test

import (
	"testing"

	"svc/ai/lang"
)

func TestOwnName(t *testing.T) {
	for text, want := range map[string]string{
		"Salom, mening ismim Anvar":              "Anvar",
		"ismim: Dilnoza Karimova, narxi qancha?": "Dilnoza Karimova",
		"Менинг исмим Шерзод":                    "Шерзод",
		"Здравствуйте! Меня зовут Анна.":         "Анна",
		"меня зовут Анна Петрова, хочу заказать": "Анна Петрова",
		"My name is John and I want tea":         "John",
		"ismim nima edi?":                        "",
		"меня зовут не Анна":                     "",
		"как вас зовут?":                         "",
		"what is your name":                      "",
		"Mening ismim, kerak bo'lsa, keyin":      "",
		"ismim 12345":                            "",
	} {
		if got, _ := lang.OwnName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOwnAddress(t *testing.T) {
	for text, want := range map[string]string{
		"Manzilim: Chilonzor tumani, 9-mavze, 12-uy":  "Chilonzor tumani, 9-mavze, 12-uy",
		"Yunusobod tumani, Amir Temur ko'chasi 15-uy": "Yunusobod tumani, Amir Temur ko'chasi 15-uy",
		"Мой адрес: ул. Навои, дом 5, кв 12":          "ул. Навои, дом 5, кв 12",
		"Привезите на улица Навои 5. Спасибо":         "Привезите на улица Навои 5",
		"Qaysi ko'chada joylashgansiz, 15-uymi?":      "",
		"Manzilingiz qayerda?":                        "",
		"2 ta kitob kerak":                            "",
		"Адрес: дом 7, квартира 3":                    "дом 7, квартира 3",
	} {
		if got, _ := lang.OwnAddress(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzOwn(f *testing.F) {
	f.Add("mening ismim Anvar. ул. Навои 5? manzil: x")
	f.Fuzz(func(_ *testing.T, text string) {
		lang.OwnName(text)
		lang.OwnAddress(text)
	})
}
