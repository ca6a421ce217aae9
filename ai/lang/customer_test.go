package lang_test

import (
	"testing"

	"svc/ai/lang"
)

// TestNamesAreNoEvidence: the language of a customer is that of their own words, whatever the
// goods are called that they speak of.
func TestNamesAreNoEvidence(t *testing.T) {
	names := []string{"Kuzgi to'plam", "Gullar olami", "Торт «Для тебя»", "The Great Lamp"}
	for _, x := range []struct {
		newest string
		all    []string
		want   string
	}{
		{"How much is 'Kuzgi to'plam'?", nil, "en"},
		{"How much is ‘Kuzgi toʻplam’?", nil, "en"},
		{"How much is Kuzgi to‘plam", nil, "en"},
		{"Сколько стоит «Kuzgi to'plam»?", nil, "ru"},
		{"сколько стоит kuzgi toplam", nil, "ru"},
		{"Is \"Bahorgi yangi guldasta\" in stock?", nil, "en"}, // not among the offers, but quoted
		{"У вас есть \"O'zbekcha o'rganish kitobi\"?", nil, "ru"},
		{"The Great Lamp bormi, qancha turadi?", nil, "uz"},
		{"Торт Для тебя қанча туради?", nil, "uz"},
		{"«Торт Для тебя» bormi sizlarda", nil, "uz"},
		{"o'g'lim uchun 'Kuzgi to'plam' qancha bo'ladi", nil, "uz"},
		{"bo'ladimi, to'lov qanaqa o'zi", nil, "uz"},
		{"«Сколько стоит доставка до дома?»", nil, "ru"},
		{"Kuzgi to'plam", []string{"Hello, do you work today?", "Kuzgi to'plam"}, "en"},
		{"Kuzgi to'plam", []string{"Kuzgi to'plam"}, ""},
		{"Kuzgi to'plam narxi?", nil, "uz"},
		{"price for Kuzgi to'plam?", nil, "en"},
		{"narxi qancha", []string{"Сколько стоит доставка?", "narxi qancha"}, "uz"},
		{"ok", nil, ""},
		{"narx", nil, "uz"},
		{"xarizma", nil, ""},
		{"", nil, ""},
	} {
		if got := lang.Customer(x.newest, x.all, names).Lang.Code(); got != x.want {
			t.Errorf("%q after %q is %q, want %q", x.newest, x.all, got, x.want)
		}
	}
}

// TestLabels: a word of several languages is of the language of its letters, and two languages
// in one message are mixed.
func TestLabels(t *testing.T) {
	for text, want := range map[string]string{
		"stop": "uz-Latn", "operator": "uz-Latn", "стоп": "ru", "доставка": "ru", "оператор": "ru", "please stop": "en",
		"sifatsiz tovar berdinglar": "uz-Latn", "qayerda joylashgansila": "uz-Latn", "доставка пуллими": "uz-Cyrl", "со всеми белыми": "ru",
		"menejer bilan gaplashsam, please call me": "mixed", "do you have bu kurtka qora rangda": "mixed",
		// Letters, endings and spellings that one language has, beside what only looks so.
		"баъзи маълумот": "uz-Cyrl", "сунъий гул": "uz-Cyrl", "объект": "ru", "тухтат": "uz-Cyrl", "канча булади": "uz-Cyrl", "операторга": "uz-Cyrl", "с картами": "ru", "кредитами": "ru",
		"заказимни кутяпман": "uz-Cyrl", "operatorga соедините": "mixed", "lokasiya tashen": "uz-Latn", "r u a bot": "en", "do u deliver": "en", "do skolki rabotaete": "ru", "hello, narxi qancha": "mixed", "can you send rasmini": "mixed", "black rangi bormi": "uz-Latn", "bot yasashni o'rgatasizlarmi": "uz-Latn", "Бу энг арзон куртка.": "uz-Cyrl", "do you deliver to Namangan": "en",
	} {
		if got := lang.Identify(text).Label(); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestSeveralWordsAtOnePlace: a sign that is written out as several words stands once.
func TestSeveralWordsAtOnePlace(t *testing.T) {
	for text, want := range map[string]string{"ﷻ salom": " salom", "ﷺ": ""} {
		if got := lang.Names("جل جلاله", "صلى الله عليه وسلم").Without(text); got != want {
			t.Errorf("%q without names is %q, want %q", text, got, want)
		}
		lang.Customer(text, []string{text}, []string{text})
	}
}

// BenchmarkIdentify tells the languages of messages as customers write them. Target: below
// 50 µs each.
func BenchmarkIdentify(b *testing.B) {
	texts := []string{
		"Ассалому алайкум, куртка нархи қанча, Чилонзорга етказиб берасизми?", "Salom, 101 ta oq atirgul qancha turadi, ertaga soat o'nga Chilonzorga olib kelasizlarmi?",
		"Здравствуйте, сколько стоит доставка до Чиланзара завтра к десяти утра?", "Hello, how much is the delivery to Chilonzor tomorrow at ten?", "narxi?",
	}
	for b.Loop() {
		for _, text := range texts {
			lang.Identify(text)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N*len(texts)), "µs/message")
	b.ReportMetric(50, "target-µs")
}
