package grade

import "testing"

func TestGraders(t *testing.T) {
	price := &Given{Reply: "«101 ta atirgul» narxi 1 400 000 soʻm.", Action: "DRAFT", Intent: "PRICE", Tongue: "uz-Latn", Sources: []string{"kns_1"}}
	for _, x := range []struct {
		name    string
		grader  Grader
		want    Expected
		got     *Given
		score   float64
		applies bool
	}{
		{"nothing wanted", Contains, Expected{}, price, 0, false},
		{"a number without gaps", Contains, Expected{ReplyContains: []string{"1400000"}}, price, 1, true},
		{"part of a number", Contains, Expected{ReplyAvoids: []string{"400 000"}}, price, 1, true},
		{"other letters", Contains, Expected{ReplyContains: []string{"атиргул нархи"}}, price, 1, true},
		{"another ending", Contains, Expected{ReplyContains: []string{"narx"}}, price, 1, true},
		{"half", Contains, Expected{ReplyContains: []string{"narxi"}, ReplyAvoids: []string{"soʻm"}}, price, 0.5, true},
		{"a source", Contains, Expected{Sources: []string{"kns_1", "kns_2"}}, price, 0.5, true},
		{"the whole", Exact, Expected{ReplyContains: []string{"101 TA atirgul narxi 1 400 000 so'm"}}, price, 1, true},
		{"not the whole", Exact, Expected{ReplyContains: []string{"narxi 1 400 000 so'm"}}, price, 0, true},
		{"language of the customer", Language, Expected{}, price, 1, true},
		{"another language", Language, Expected{Language: "ru"}, price, 0, true},
		{"Uzbek in either script", Language, Expected{Language: "uz"}, price, 1, true},
		{"Uzbek in the other script", Language, Expected{Language: "uz-Cyrl"}, price, 0, true},
		{"what is sold has a name in another language", Language, Expected{Language: "ru"}, &Given{Reply: "«101 ta atirgul» стоит 1 400 000 сум, доставка бесплатно."}, 1, true},
		{"and no quotation marks", Language, Expected{Language: "en"}, &Given{Reply: "101 ta oq atirgul costs 1 400 000 soum and is in stock now.", Names: []string{"101 ta oq atirgul"}}, 1, true},
		{"another language beside a name", Language, Expected{Language: "en"}, &Given{Reply: "«White Rose» стоит 1 400 000 сум, доставка бесплатно."}, 0, true},
		{"no reply", Language, Expected{}, &Given{}, 0, false},
		{"no reply where one is wanted", Language, Expected{Language: "ru"}, &Given{}, 0, true},
		{"levels are one", Action, Expected{FinalAction: "SEND"}, price, 1, true},
		{"action and intent", Action, Expected{FinalAction: "HANDOFF", Intent: "PRICE"}, price, 0.5, true},
		{"validators", Validators, Expected{}, price, 1, true},
		{"refused", Validators, Expected{}, &Given{Refused: true}, 0, true},
	} {
		if score, applies := Of(x.grader, &x.want, x.got); score != x.score || applies != x.applies {
			t.Errorf("%s: %v %v, want %v %v", x.name, score, applies, x.score, x.applies)
		}
	}
}
