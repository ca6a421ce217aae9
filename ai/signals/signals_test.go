package signals

import "testing"

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

// FuzzRead holds that no message makes the rules fail.
func FuzzRead(f *testing.F) {
	f.Add("menga boshqa yozmang, 👍 не пишите!")
	f.Add("после ремонта с полосами, va'da bergandingiz, qani pulim? ждал 40 минут")
	f.Add("ami с ами ь")
	f.Add("ﷺ menga yozmang ﷻ?")
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
