package check

import (
	"testing"
	"time"
)

// TestSignature: the signature below a reply is of no language and repeats nothing, and a reply
// that is repeated above it is.
func TestSignature(t *testing.T) {
	const signed = "Lola, Gul doʻkonining mehribon yordamchisi, har doim xizmatingizda"
	in := Input{
		Reply: "Да, букеты есть в наличии.\n\n" + signed, Action: "ANSWER", Now: time.Now(), Zone: time.UTC,
		Settings: Settings{Languages: []string{"uz", "ru"}, DefaultLanguage: "ru"},
	}
	in.Sources.Burst, in.Sources.CustomerText = "Есть ли у вас букеты сегодня?", []string{"Есть ли у вас букеты сегодня?"}
	failed := func(code Code) bool {
		for _, c := range Failed(Run(in)) {
			if c == code {
				return true
			}
		}
		return false
	}
	if !failed(LanguageMismatch) {
		t.Fatal("the signature is too short for this test")
	}
	if in.Signature = signed; failed(LanguageMismatch) {
		t.Error("the signature counts as words of the reply")
	}
	in.Own = []string{"Сегодня мы работаем до девяти вечера.\n\n" + signed}
	if failed(Repetition) {
		t.Error("the signature counts as a repetition")
	}
	if in.Own = []string{"Да, букеты есть в наличии."}; !failed(Repetition) {
		t.Error("a reply that is repeated above the signature passes")
	}
}

// TestMixing: a language profile may let words of another script stand in a reply.
func TestMixing(t *testing.T) {
	in := Input{Reply: "Buketlarimiz bor, hammasi yangi, доставка сегодня вечером.", Action: "ANSWER", Now: time.Now(), Zone: time.UTC}
	in.Sources.Burst, in.Sources.CustomerText = "Sizlarda buket bormi, qanaqalari bor?", []string{"Sizlarda buket bormi, qanaqalari bor?"}
	for mixing, want := range map[bool]bool{false: false, true: true} {
		in.Settings = Settings{Languages: []string{"uz"}, DefaultLanguage: "uz", Mixing: mixing}
		if got := Run(in)[2]; got.Code != LanguageMismatch || got.Passed != want {
			t.Errorf("mixing %v: %+v", mixing, got)
		}
	}
}

func TestDoes(t *testing.T) {
	for text, want := range map[string]string{
		"101 ta atirgul narxi 1 400 000 soʻm.": "QUOTE_PRICE", "Telefon raqamingizni yozib yuboring.": "ASK_CONTACT", "Ha, bor.": "ANSWER",
		"Ertaga soat 15:00 da kelasizmi?": "PROPOSE_BOOKING", "": "ANSWER",
	} {
		if got := Does(text); got != want {
			t.Errorf("%q does %s, want %s", text, got, want)
		}
	}
}
