package signals

import (
	"strings"
	"testing"
)

var bareWords = []string{"stop", "to‘xtat", "стоп", "bekor qil"}

func TestStop(t *testing.T) {
	for in, want := range map[string]Certainty{
		"STOP!!": Certain, "Илтимос, стоп 🙏": Certain, "тўхтат": Certain, "stooop": Certain, "bekor qil": Certain,
		"boshqa xabar yubormang": Certain, "не пишите мне больше": Certain, "remove me from your list": Certain, "reklamangiz kerak emas": Certain,
		"nega yozasizlar? yozmanglar": Certain, "mени рўйхатдан ўчиринг": Certain,
		"to'xtamang, yozing": No, "не останавливайтесь": No, "don't stop": No, "stop-kran bormi": No, "zakazni bekor qiling": No,
		"menga hozir yozmang": No, "bus stop": No, "": No, "narxi qancha": No,
		"отстаньте": Certain, "остановка рядом": No, "хватит уже": Likely,
		"To'xtatingiz": Certain, "тухтатинглар": Certain, "to'xtang": Likely, "to'xtatmang": No, "отстаньте с вашими акциями": Certain,
	} {
		if got := FindStop(in, bareWords); got.Certainty != want {
			t.Errorf("%q is %d (%q), want %d", in, got.Certainty, got.Phrase, want)
		}
	}
}

func TestCourtesy(t *testing.T) {
	for in, want := range map[string][2]bool{"salom": {true, false}, "Добрый день!": {true, false}, "rahmat katta": {false, true}, "ок понял": {false, true}, "salom, narxi qancha": {}, "": {}} {
		if s := Read(in, nil); s.Greeting != want[0] || s.Closing != want[1] {
			t.Errorf("%q: greeting %v closing %v", in, s.Greeting, s.Closing)
		}
	}
}

// TestOnlyPictures: emoji alone acknowledge; a mark of a question asks.
func TestOnlyPictures(t *testing.T) {
	for in, closes := range map[string]bool{
		"👍": true, "❤️": true, "🙏": true, "👍🏽👍🏽": true, " 🔥 🔥!": true, "👨‍👩‍👧": true, "❓": false, "🙏?": false, "?": false, "...": false, "+": false, "👍 narxi qancha": false,
	} {
		if s := Read(in, bareWords); s.Closing != closes || s.Stop.Certainty != No || s.Complaint || s.Person {
			t.Errorf("%q: %+v, closing %v is wanted", in, s, closes)
		}
	}
}

// TestWantsToBook: the wish to book is one without a day and without an object too.
func TestWantsToBook(t *testing.T) {
	for in, want := range map[string]Scenario{
		"I want to book": Booking, "i'd like to book please": Booking, "хочу записаться": Booking, "Хотела бы записаться": Booking, "можно записаться?": Booking,
		"yozilmoqchiman": Booking, "Yozilmoqchi edim": Booking, "ёзилмоқчиман": Booking, "hochu zapisatsya": Booking, "yozilsam bo'ladimi": Booking,
		"do you have the book in stock": Availability, "how much is the book": Pricing, "сколько стоит записаться?": Pricing,
	} {
		if got := Read(in, bareWords).Scenario; got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"karta ８６００ ０１８８ ５９１８ ９６５５!":         "karta [CARD]!",
		"9860 keyin 1234 keyin 5678 va 9012": "[CARD]",
		"9860 1234 oxiri 5678 9012":          "[CARD]",
		"4111-1111-1111-1111":                "[CARD]",
		"90 123 45 67 ga yozing":             "[PHONE] ga yozing",
		"+998 (90) 123-45-67":                "[PHONE]",
		"tel 1234567":                        "tel [PHONE]",
		"telefon 4 200 000, chexol 90 000":   "telefon 4 200 000, chexol 90 000",
		"trek raqami RB123456789UZ":          "trek raqami RB123456789UZ",
		"nomer A901234567":                   "nomer A[PHONE]",
		"Samsung A56 8/128 12 oyga":          "Samsung A56 8/128 12 oyga",
		"A90 123 45 67":                      "A[PHONE]",
		"razmer 42 43 44 45":                 "razmer 42 43 44 45",
		"ali.v @ mail.uz ga":                 "[EMAIL] ga",
		"5 kg @ 3 so'm, instagram @my.shop":  "5 kg @ 3 so'm, instagram @my.shop",
		"a.b+c@mail.uz, raxmat":              "[EMAIL], raxmat",
		"12 500 000 so'm":                    "12 500 000 so'm",
		"25.12.2026 14:30":                   "25.12.2026 14:30",
		"buyurtma 458921":                    "buyurtma 458921",
		"901234567, 998887766":               "[PHONE], [PHONE]",
		"narxi 250000 dan 300000 gacha":      "narxi 250000 dan 300000 gacha",
		strings.Repeat("1 ", 6) + "ta":       strings.Repeat("1 ", 6) + "ta",
	} {
		if got := Mask(in).Text; got != want {
			t.Errorf("%q is masked as %q, want %q", in, got, want)
		}
	}
	if got := MaskCards("4111 1111 1111 1111, tel +998901234567").Text; got != "[CARD], tel +998901234567" {
		t.Error(got)
	}
}

// FuzzMask holds that places are in order and inside the text, and that what stands outside
// of them is untouched.
func FuzzMask(f *testing.F) {
	for _, s := range []string{"8600 4706 3272 8467", "+998 (90) 123-45-67", "a@b.uz", "12 500 000 so'm", "٩٠ ١٢٣ ٤٥ ٦٧\n1.2.3,4+5", "\xff9@٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := Mask(s)
		var b strings.Builder
		at := 0
		for _, p := range m.Found {
			if p.Start < at || p.End <= p.Start || p.End > len(s) {
				t.Fatalf("%q: %+v behind %d", s, p, at)
			}
			b.WriteString(s[at:p.Start] + marks[p.Kind])
			at = p.End
		}
		if b.String()+s[at:] != m.Text {
			t.Fatalf("%q became %q", s, m.Text)
		}
	})
}

// FuzzRead holds that no message makes the rules fail.
func FuzzRead(f *testing.F) {
	f.Add("menga boshqa yozmang, 👍 не пишите!")
	f.Fuzz(func(_ *testing.T, s string) { Read(s, bareWords) })
}

// BenchmarkRead reads the signals of a message. Target: below 1 ms.
func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Read("Ассалому алайкум, мен кеча буюртма берган эдим, hali kelmadi, operator bilan gaplashmoqchiman, tel 90 123 45 67", bareWords)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e6/float64(b.N), "ms/message")
	b.ReportMetric(1, "target-ms")
}
